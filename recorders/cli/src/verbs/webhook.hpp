// Posts game events to an address: a bot, or a channel of Discord.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tickreel/echo_vr/live_feed.hpp"

namespace tickreel::cli {

struct webhook_options {
  // http:// or https://; may contain a secret, and is never shown
  std::string url;
  std::vector<std::size_t> types = {};         // event types, see echo::type_name(); empty: all
  std::size_t max_waiting = 256;               // beyond that the oldest are dropped
  int attempts = 6;                            // of each event
  std::chrono::milliseconds first_pause{500};  // before the second; doubled each time, up to 30 s
  std::chrono::milliseconds answer_timeout{5000};
};

struct webhook_report {
  std::uint64_t posted = 0;
  std::uint64_t lost = 0;
  std::string last_failure;  // an error text; empty if nothing failed
};

// The reason that `url` is not a valid HTTP address, as a text that does not contain it; empty if it is
// valid.
[[nodiscard]] std::string wrong_address(const std::string& url);

// A thread that reads the feed and posts one event after the other, in order.
class webhook {
 public:
  // `feed` must outlive it.
  webhook(const echo_vr::live_feed& feed, webhook_options options);
  webhook(const webhook&) = delete;
  webhook& operator=(const webhook&) = delete;
  ~webhook();

  // Posts waiting events for at most `wait_limit`, or as the server's Retry-After asks, up to 30 s more; then
  // drops the remaining ones. Call it once.
  webhook_report finish(std::chrono::milliseconds wait_limit);
  // The reason of the first failed post, whether it is retried or not; empty before it and from the second
  // call. Any thread.
  [[nodiscard]] std::string take_first_failure();

 private:
  enum class verdict { taken, again, never };

  void run();
  void collect();
  void post_next(void* handle);
  verdict post(void* handle, const std::string& body, std::chrono::milliseconds& pause);
  void give_up(std::uint64_t events);
  void failed(std::string why);
  [[nodiscard]] bool out_of_time() const;
  static int on_progress(void* self, long long, long long, long long, long long);

  const echo_vr::live_feed& feed_;
  const webhook_options options_;
  std::uint64_t next_ = 0;
  std::uint64_t changes_ = 0;
  std::deque<std::string> waiting_;
  int attempts_ = 0;  // of the first failure
  std::chrono::steady_clock::time_point not_before_;
  std::chrono::steady_clock::time_point asked_for_;  // by the last Retry-After
  webhook_report report_;
  std::mutex failure_mutex_;
  std::string first_failure_;  // until it is posted
  bool has_failed_ = false;
  std::atomic<bool> ending_{false};
  std::atomic<bool> waits_for_server_{false};
  std::atomic<std::int64_t> deadline_ns_{0};  // steady clock; set at the end
  std::thread thread_;
};

}  // namespace tickreel::cli
