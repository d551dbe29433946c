// The work messages of one archiver: which it may still process, and which it keeps until its end.
//
// The broker leases a work message to one archiver. Without a sign of life within `acknowledge_within` it leases the message
// to another one, so an archiver that was stopped for longer must not write any more. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tickreel/fleet/broker.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::archive {

class work_leases {
 public:
  using clock = detail::steady_clock;

  // `stopped`: whether the archiver must end.
  work_leases(std::chrono::seconds acknowledge_within, std::function<bool()> stopped)
      : acknowledge_within_(acknowledge_within), stopped_(std::move(stopped)) {}

  // The next work message within `wait`; no value if there is none. Extends the messages that are kept.
  [[nodiscard]] result<std::optional<fleet::message>> receive(fleet::work_queue& from,
                                                              std::chrono::milliseconds wait);

  // Before the message that receive() returned last is processed; it must stay valid until finish().
  void start(fleet::message& received);
  void finish() noexcept { current_ = nullptr; }
  // Before a message that needs no lease.
  void forget_loss() noexcept { is_lost_ = false; }
  // The lease may have expired: another archiver may process the message. Valid until the next message.
  [[nodiscard]] bool is_lost() const noexcept { return is_lost_; }

  // Polled by all long operations: extends the leases, and returns whether to stop.
  [[nodiscard]] bool pulse();

  // Keeps the message of a reel that stays open until give_back_all(): it is not redelivered meanwhile.
  void keep(fleet::message& checked, const std::string& reel);
  // Whether a message of the reel was ever kept.
  [[nodiscard]] bool has_checked(const std::string& reel) const { return checked_reels_.contains(reel); }
  // The number of messages that were ever kept.
  [[nodiscard]] std::size_t checked_messages() const noexcept { return checked_messages_.size(); }

  // With a probability of one half, gives back the kept messages. Several archivers that end without work each
  // keep messages that the others wait for; without chance they would only exchange them.
  void give_back_some();
  // At the end of a connection: others receive the kept messages immediately.
  void give_back_all();

 private:
  void extend_kept();

  std::chrono::seconds acknowledge_within_;
  std::function<bool()> stopped_;
  fleet::message* current_ = nullptr;
  bool is_lost_ = false;
  bool is_answered_ = true;         // the last request of receive()
  clock::time_point asked_before_;  // the last request
  clock::time_point asked_at_;      // the request for the last received message: its lease began later
  clock::time_point extended_at_;
  std::set<std::string> checked_reels_;
  std::set<std::uint64_t> checked_messages_;
  std::vector<fleet::message> kept_;
  clock::time_point kept_extended_at_;
  std::minstd_rand chance_{std::random_device{}()};
};

}  // namespace tickreel::archive
