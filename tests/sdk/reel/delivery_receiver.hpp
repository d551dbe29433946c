// The receiver of a delivery, in memory: it outlives connections, and can be slow, faulty, forgetful or unreachable.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "tickreel/reel/queued_sink.hpp"

namespace tickreel::test {

struct delivery_receiver {
  mutable std::mutex lock;
  byte_vector header;
  std::map<std::uint64_t, byte_vector> records;
  std::uint64_t acknowledged = 0;  // reported as confirmed
  std::uint64_t connections = 0;
  std::uint64_t sends = 0;
  std::uint64_t ends = 0;
  std::uint64_t differing = 0;   // a record or the header was sent again with other contents
  std::uint64_t disordered = 0;  // a record older than the previous one of the same connection
  reel::queue_counters received;
  std::thread::id sent_by;
  unsigned forgets_left = 5;  // otherwise it never has all records

  std::atomic<int> deliveries{0};  // existing ones: a detached sender may still hold one
  std::atomic<bool> away{false};
  std::atomic<bool> silent{false};  // confirms nothing
  std::atomic<bool> stuck{false};   // no call returns

  // The first missing one.
  [[nodiscard]] std::uint64_t first_missing_here() const {
    std::uint64_t next = 0;
    for (const auto& each : records) {
      if (each.first != next) break;
      ++next;
    }
    return next;
  }
  [[nodiscard]] byte_vector bytes() const {
    const std::lock_guard guard(lock);
    byte_vector all = header;
    for (const auto& each : records) all.insert(all.end(), each.second.begin(), each.second.end());
    return all;
  }
  [[nodiscard]] std::size_t count() const {
    const std::lock_guard guard(lock);
    return records.size();
  }
};

// Failures: each occurs once in so many calls; 0: never.
struct faults {
  unsigned connect_refused = 0;
  unsigned send_failed = 0;  // and the record did not arrive
  unsigned send_unsure = 0;  // although the record arrived
  unsigned confirm_failed = 0;
  unsigned confirmed_late = 0;  // confirms at most one record per call
  unsigned forgets = 0;         // forgets acknowledged records on the next connection
  unsigned slow = 0;
};

class far_delivery final : public reel::delivery {
 public:
  explicit far_delivery(delivery_receiver& to, const faults& wrong = {}, std::uint64_t seed = 1)
      : to_(to), wrong_(wrong), random_(seed) {
    ++to_.deliveries;
  }
  far_delivery(const far_delivery&) = delete;
  far_delivery& operator=(const far_delivery&) = delete;
  ~far_delivery() override { --to_.deliveries; }

  result<std::uint64_t> connect(const reel::header&, byte_span header_bytes) override {
    wait_while_stuck();
    const std::lock_guard guard(to_.lock);
    ++to_.connections;
    if (to_.away || happens(wrong_.connect_refused)) return fail(error_code::connection_refused);
    if (!to_.header.empty() &&
        !std::equal(header_bytes.begin(), header_bytes.end(), to_.header.begin(), to_.header.end())) {
      ++to_.differing;  // Boost.Test supports only one thread
    }
    to_.header.assign(header_bytes.begin(), header_bytes.end());
    if (!to_.records.empty() && to_.forgets_left != 0 && happens(wrong_.forgets)) {
      --to_.forgets_left;
      const std::uint64_t gone = 1 + random_() % to_.records.size();
      to_.records.erase(std::prev(to_.records.end(), static_cast<std::ptrdiff_t>(gone)), to_.records.end());
    }
    to_.acknowledged = to_.first_missing_here();
    next_ = to_.acknowledged;
    return next_;
  }
  result<void> send(const reel::record_info& info, byte_span bytes) override {
    wait_while_stuck();
    if (happens(wrong_.slow)) std::this_thread::sleep_for(std::chrono::microseconds(300));
    const std::lock_guard guard(to_.lock);
    to_.sent_by = std::this_thread::get_id();
    ++to_.sends;
    if (to_.away || happens(wrong_.send_failed)) return fail(error_code::connection_lost);
    if (info.sequence < next_) ++to_.disordered;
    next_ = info.sequence + std::uint64_t{1};
    byte_vector copy(bytes.begin(), bytes.end());
    const auto known = to_.records.find(info.sequence);
    if (known != to_.records.end() && known->second != copy) ++to_.differing;
    if (bytes.size() != info.bytes) ++to_.differing;
    to_.records[info.sequence] = std::move(copy);
    if (happens(wrong_.send_unsure)) return fail(error_code::connection_lost);
    return {};
  }
  result<std::uint64_t> confirmed(std::chrono::milliseconds) override {
    wait_while_stuck();
    const std::lock_guard guard(to_.lock);
    if (to_.away || happens(wrong_.confirm_failed)) return fail(error_code::connection_lost);
    if (to_.silent) return to_.acknowledged;
    to_.acknowledged = happens(wrong_.confirmed_late) ? std::min(to_.acknowledged + 1, next_) : next_;
    return to_.acknowledged;
  }
  result<void> end() override {
    const std::lock_guard guard(to_.lock);
    if (to_.away || happens(wrong_.confirm_failed)) return fail(error_code::connection_lost);
    ++to_.ends;
    return {};
  }
  void report(const reel::queue_counters& all) override {
    const std::lock_guard guard(to_.lock);
    to_.received = all;
  }

 private:
  void wait_while_stuck() const {
    while (to_.stuck) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  bool happens(unsigned once_in) { return once_in != 0 && random_() % once_in == 0; }

  delivery_receiver& to_;
  faults wrong_;
  std::mt19937_64 random_;
  std::uint64_t next_ = 0;
};

// Waits for a condition that must become true; the limit is far above the usual time.
template <class Condition>
bool comes_true(Condition&& condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace tickreel::test
