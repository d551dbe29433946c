#include "record_queue.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "tickreel/record/clock.hpp"
#include "tickreel/record/pipeline.hpp"

namespace tickreel::reel {

void record_marks::add(const mark& next) {
  constexpr std::size_t most = 256;
  if (!marks_.empty() && next.sequence - marks_.back().sequence < stride_) return;
  if (marks_.size() == most) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < most; i += 2) marks_[kept++] = marks_[i];
    marks_.resize(kept);
    stride_ *= 2;
  }
  marks_.push_back(next);
}

void record_marks::drop_below(std::uint64_t sequence) {
  const auto after =
      std::upper_bound(marks_.begin(), marks_.end(), sequence,
                       [](std::uint64_t wanted, const mark& each) { return wanted < each.sequence; });
  if (after - marks_.begin() > 1) marks_.erase(marks_.begin(), after - 1);
  if (marks_.size() <= 1) stride_ = 1;
}

record_marks::mark record_marks::at(std::uint64_t sequence) const noexcept {
  const auto after =
      std::upper_bound(marks_.begin(), marks_.end(), sequence,
                       [](std::uint64_t wanted, const mark& each) { return wanted < each.sequence; });
  if (after != marks_.begin()) return *(after - 1);
  // Before all known records: from the start of the reel.
  return {0, 0, marks_.empty() ? detail::steady_time_us() : marks_.front().time_us};
}

void record_queue::set_header(byte_span bytes) {
  byte_vector copy(bytes.begin(), bytes.end());
  {
    const std::lock_guard guard(lock_);
    header_.swap(copy);
    awake_ = true;
  }
  woken_.notify_all();
}

void record_queue::accept(const record_info& info, byte_span bytes) {
  const std::int64_t now = detail::steady_time_us();
  auto record = std::make_shared<const queued_record>(
      queued_record{info, byte_vector(bytes.begin(), bytes.end()), now});
  // Destroyed after the lock is released.
  std::vector<std::shared_ptr<const queued_record>> gone;
  {
    const std::lock_guard guard(lock_);
    counters_.accepted = std::uint64_t{info.sequence} + 1;
    end_offset_ = info.offset + bytes.size();
    has_end_ = has_end_ || info.kind == record_kind::end;
    marks_.add({info.sequence, info.offset, now});
    while (!held_.empty() &&
           (held_.size() >= options_.max_records || held_bytes_ + bytes.size() > options_.max_bytes)) {
      held_bytes_ -= held_.front()->bytes.size();
      gone.push_back(std::move(held_.front()));
      held_.pop_front();
      ++counters_.overflowed;
    }
    held_bytes_ += bytes.size();
    held_.push_back(std::move(record));
    awake_ = true;
  }
  woken_.notify_all();
}

void record_queue::note_in_file(const record_info& info) {
  const std::lock_guard guard(lock_);
  counters_.accepted = std::uint64_t{info.sequence} + 1;
  end_offset_ = info.offset + info.bytes;
  has_end_ = has_end_ || info.kind == record_kind::end;
  marks_.add({info.sequence, info.offset, detail::steady_time_us()});
}

byte_vector record_queue::header() const {
  const std::lock_guard guard(lock_);
  return header_;
}

std::uint64_t record_queue::accepted() const {
  const std::lock_guard guard(lock_);
  return counters_.accepted;
}

bool record_queue::has_end() const {
  const std::lock_guard guard(lock_);
  return has_end_;
}

std::shared_ptr<const queued_record> record_queue::find(std::uint64_t sequence) const {
  const std::lock_guard guard(lock_);
  if (held_.empty() || sequence < held_.front()->info.sequence) return nullptr;
  const std::uint64_t place = sequence - held_.front()->info.sequence;
  return place < held_.size() ? held_[static_cast<std::size_t>(place)] : nullptr;
}

void record_queue::set_confirmed(std::uint64_t sequence) {
  std::vector<std::shared_ptr<const queued_record>> gone;
  const std::lock_guard guard(lock_);
  while (!held_.empty() && held_.front()->info.sequence < sequence) {
    held_bytes_ -= held_.front()->bytes.size();
    gone.push_back(std::move(held_.front()));
    held_.pop_front();
  }
  counters_.confirmed = sequence;
  marks_.drop_below(sequence);
}

queue_counters record_queue::counters() const {
  const std::int64_t now = detail::steady_time_us();
  const std::lock_guard guard(lock_);
  queue_counters all = counters_;
  all.queued_records = held_.size();
  all.queued_bytes = held_bytes_;
  if (all.confirmed >= all.accepted) return all;
  all.lag_records = all.accepted - all.confirmed;
  record_marks::mark from = marks_.at(all.confirmed);
  if (!held_.empty() && held_.front()->info.sequence == all.confirmed) {
    from = {all.confirmed, held_.front()->info.offset, held_.front()->accepted_us};
  }
  all.lag_bytes = end_offset_ - std::min(end_offset_, std::max<std::uint64_t>(from.offset, header_.size()));
  all.lag_seconds = static_cast<double>(std::max<std::int64_t>(now - from.time_us, 0)) / 1e6;
  return all;
}

bool record_queue::is_complete_here() const noexcept {
  return counters_.confirmed >= counters_.accepted && (!has_end_ || counters_.ended);
}

bool record_queue::is_complete() const {
  const std::lock_guard guard(lock_);
  return is_complete_here();
}

void record_queue::sleep_until(std::int64_t steady_us) {
  constexpr std::int64_t longest_us = 3'600'000'000;
  const std::int64_t wait_us = std::clamp<std::int64_t>(steady_us - detail::steady_time_us(), 0, longest_us);
  if (const auto wait = detail::clocks().wait_us; wait != nullptr) return wait(wait_us);
  std::unique_lock guard(lock_);
  woken_.wait_for(guard, std::chrono::microseconds(wait_us), [this] { return awake_; });
  awake_ = false;
}

void record_queue::wake() {
  {
    const std::lock_guard guard(lock_);
    awake_ = true;
  }
  woken_.notify_all();
}

}  // namespace tickreel::reel
