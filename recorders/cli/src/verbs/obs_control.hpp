// Controls OBS Studio during recordings, through obs-websocket protocol version 5.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tickreel/echo_vr/live_feed.hpp"

namespace tickreel::cli {

struct obs_options {
  std::string host = "127.0.0.1";
  std::uint16_t port = 4455;  // the default of obs-websocket
  std::string password = {};
  bool record = false;                       // a recording for each match
  std::vector<std::size_t> save_types = {};  // event types after which the replay buffer is saved
  std::chrono::milliseconds timeout{3000};   // of each step of a request
  int attempts = 2;                          // of each request
  std::size_t max_waiting = 64;              // requests; beyond that the oldest are dropped
};

// Parses "host" or "host:port" into `to`; returns an error text if it is neither.
[[nodiscard]] std::string read_obs_address(const std::string& text, obs_options& to);

struct obs_report {
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::string last_failure;  // an error text; empty if nothing failed
};

// A thread that reads the feed and sends one request after the other. OBS may start and end at any time: each
// request has its own connection.
class obs_control {
 public:
  // `feed` must outlive it.
  obs_control(const echo_vr::live_feed& feed, obs_options options);
  obs_control(const obs_control&) = delete;
  obs_control& operator=(const obs_control&) = delete;
  ~obs_control();

  // Ends a recording that it started and sends waiting requests for at most `wait_limit`; the remaining ones
  // fail. Call it once.
  obs_report finish(std::chrono::milliseconds wait_limit);
  // The reason of the first failed request; empty before it and from the second call. Any thread.
  [[nodiscard]] std::string take_first_failure();

 private:
  void run();
  void collect();
  void want(const char* request);
  void send_next();
  void failed(std::string why);
  [[nodiscard]] bool out_of_time() const;

  const echo_vr::live_feed& feed_;
  const obs_options options_;
  std::uint64_t next_ = 0;
  std::set<std::string> playing_;  // targets in a match
  bool records_ = false;           // OBS records because this object started it
  std::deque<const char*> waiting_;
  obs_report report_;
  std::mutex failure_mutex_;
  std::string first_failure_;
  bool has_failed_ = false;
  std::atomic<bool> ending_{false};
  std::atomic<std::int64_t> deadline_ns_{0};  // steady clock; set at the end
  std::thread thread_;
};

}  // namespace tickreel::cli
