// What a queued sink's recorder and its courier share: the newest records, and what is known of all of them.
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

// Where and when records were written, of too many of them only some: never more than a few hundred.
class record_marks {
 public:
  struct mark {
    std::uint64_t sequence = 0;
    std::uint64_t offset = 0;
    std::int64_t time_us = 0;
  };
  void add(const mark& next);
  void drop_below(std::uint64_t sequence);
  // The last one not behind `sequence`; the first where all are.
  [[nodiscard]] mark at(std::uint64_t sequence) const noexcept;

 private:
  std::vector<mark> marks_;
  std::uint64_t stride_ = 1;
};

// For any thread. Nothing waits inside the lock, and no memory is taken or given back there but for the
// tables' own.
class record_queue {
 public:
  explicit record_queue(const queue_options& options) : options_(options) {}

  // The recorder's.
  void set_header(byte_span bytes);
  void accept(const record_info& info, byte_span bytes);
  // For a reel that is there: a record that the file holds.
  void note_in_file(const record_info& info);

  // The courier's.
  [[nodiscard]] byte_vector header() const;
  [[nodiscard]] std::uint64_t accepted() const;
  [[nodiscard]] bool has_end() const;
  [[nodiscard]] std::shared_ptr<const queued_record> find(std::uint64_t sequence) const;
  // Those before are not needed any more; may go back after a failure.
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

  // Until somebody wakes it, a record comes, or the time is there.
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
