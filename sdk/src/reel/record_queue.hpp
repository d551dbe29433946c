// Shared by a queued sink's recorder and its delivery thread: the newest records, and facts about all
// records.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "tickreel/reel/queued_sink.hpp"

namespace tickreel::reel {

struct queued_record {
  record_info info;
  byte_vector bytes;
  std::int64_t accepted_us = 0;
};

// Positions and times of written records, thinned out to at most a few hundred.
class record_marks {
 public:
  struct mark {
    std::uint64_t sequence = 0;
    std::uint64_t offset = 0;
    std::int64_t time_us = 0;
  };
  void add(const mark& next);
  void drop_below(std::uint64_t sequence);
  // The last one at or before `sequence`; the first if there is none.
  [[nodiscard]] mark at(std::uint64_t sequence) const noexcept;

 private:
  std::vector<mark> marks_;
  std::uint64_t stride_ = 1;
};

// For any thread. Nothing waits inside the lock, and only the tables allocate or free memory there.
class record_queue {
 public:
  explicit record_queue(const queue_options& options) : options_(options) {}

  // Called by the recorder.
  void set_header(byte_span bytes);
  void accept(const record_info& info, byte_span bytes);
  // For an existing reel: a record in the file.
  void note_in_file(const record_info& info);

  // Called by the delivery thread.
  [[nodiscard]] byte_vector header() const;
  [[nodiscard]] std::uint64_t accepted() const;
  [[nodiscard]] bool has_end() const;
  [[nodiscard]] std::shared_ptr<const queued_record> find(std::uint64_t sequence) const;
  // Earlier records are no longer needed; may decrease after a failure.
  void set_confirmed(std::uint64_t sequence);
  // Changes counters: count([](queue_counters& all) {...}).
  template <class Change>
  void count(Change&& change) {
    const std::lock_guard guard(lock_);
    change(counters_);
  }

  [[nodiscard]] queue_counters counters() const;
  // Everything that was accepted is delivered, and the end if there is one.
  [[nodiscard]] bool is_complete() const;

  // Until another thread wakes it, a record arrives, or the time is reached.
  void sleep_until(std::int64_t steady_us);
  void wake();

 private:
  [[nodiscard]] bool is_complete_here() const noexcept;

  const queue_options options_;
  mutable std::mutex lock_;
  std::condition_variable woken_;
  bool awake_ = false;
  byte_vector header_;
  std::deque<std::shared_ptr<const queued_record>> held_;  // sequences rise by one
  std::uint64_t held_bytes_ = 0;
  std::uint64_t end_offset_ = 0;  // of the last accepted record
  bool has_end_ = false;
  record_marks marks_;
  queue_counters counters_;
};

}  // namespace tickreel::reel
