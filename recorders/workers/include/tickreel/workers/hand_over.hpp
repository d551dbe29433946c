// A bounded queue between threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace tickreel::workers {

// Passes items from some threads to others; give() waits while there is no space.
template <class Thing>
class hand_over {
 public:
  explicit hand_over(std::size_t room) : room_(room) {}

  // False after close().
  bool give(Thing thing) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return closed_ || things_.size() < room_; });
    if (closed_) return false;
    things_.push_back(std::move(thing));
    has_things_.notify_one();
    return true;
  }
  // Empty at the end, or if nothing arrived in time.
  std::optional<Thing> take(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    has_things_.wait_for(lock, timeout, [&] { return !things_.empty() || closed_ || finished_; });
    if (things_.empty() || closed_) return std::nullopt;
    Thing out = std::move(things_.front());
    things_.pop_front();
    has_room_.notify_one();
    return out;
  }
  // No more items will be given.
  void finish() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    has_things_.notify_all();
  }
  // No more items will be taken.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    has_things_.notify_all();
    has_room_.notify_all();
  }
  [[nodiscard]] bool ended() {
    const std::lock_guard lock(mutex_);
    return closed_ || (finished_ && things_.empty());
  }

 private:
  std::mutex mutex_;
  std::condition_variable has_room_, has_things_;
  std::deque<Thing> things_;
  std::size_t room_;
  bool finished_ = false;
  bool closed_ = false;
};

}  // namespace tickreel::workers
