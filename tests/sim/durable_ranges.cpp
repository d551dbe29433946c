#include "durable_ranges.hpp"

#include <algorithm>

#include "simulated_disk.hpp"

namespace tickreel::sim {

void durable_ranges::begin(const recorder_counters& counted) {
  last_ = counted;
  promised_ = {{0, counted.stored_bytes}};
}

bool durable_ranges::has_failed(const recorder_counters& counted) const {
  return counted.failed_writes != last_.failed_writes || counted.failed_syncs != last_.failed_syncs;
}

void durable_ranges::note(const recorder_counters& counted, std::uint32_t sync_interval_ms) {
  if (has_failed(counted)) {
    waiting_.clear();
  } else if (counted.stored_bytes > last_.stored_bytes) {
    waiting_.emplace_back(last_.stored_bytes, counted.stored_bytes);
    grown_at_us_ = simulated_now_us();
  }
  last_ = counted;
  if (sync_interval_ms != 0 && simulated_now_us() - grown_at_us_ < std::int64_t{sync_interval_ms} * 1000)
    return;
  promised_.insert(promised_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
}

void durable_ranges::end(const recorder_counters& counted) {
  // close() fails if its last sync does; earlier failures are in the report.
  if (has_failed(counted)) waiting_.clear();
  if (!has_failed(counted)) waiting_.emplace_back(last_.stored_bytes, counted.stored_bytes);
  last_ = counted;
  promised_.insert(promised_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
}

void durable_ranges::before_recovery(byte_span reel) {
  const auto is_there = reel::reader::from_memory(reel);
  if (!is_there) return;
  std::uint64_t end = reel.size();
  const auto& records = is_there->contents().records;
  for (auto last = records.rbegin(); last != records.rend() && last->repeats(); ++last) end = last->offset;
  for (auto& range : promised_) range.second = std::min(range.second, end);
}

bool durable_ranges::is_promised(std::uint64_t offset, std::uint64_t bytes) const {
  // The ranges are in order; neighbours continue each other.
  std::uint64_t at = offset;
  for (const auto& [begin, end] : promised_) {
    if (begin <= at && at < end) at = end;
    if (at >= offset + bytes) return true;
  }
  return false;
}

void durable_ranges::check(byte_span before, const reel_check& now) const {
  if (promised_.empty()) return;
  auto old = reel::reader::from_memory(before);
  require(old.has_value(), "the reel could not be opened before the process died", old);
  byte_vector expected;
  byte_vector found;
  auto& reel = const_cast<reel::reader&>(*now.reel);
  const auto& records = reel.contents().records;
  for (std::size_t number = 0; number < old->contents().records.size(); ++number) {
    const reel::record_info& info = old->contents().records[number];
    if (!is_promised(info.offset, info.bytes) || !old->read_stored(number, expected)) continue;
    const auto same = std::find_if(records.begin(), records.end(), [&](const reel::record_info& each) {
      return each.sequence == info.sequence && each.offset == info.offset;
    });
    const std::string name = "record " + std::to_string(info.sequence) + ", ticks " +
                             std::to_string(info.first_tick) + " to " + std::to_string(info.last_tick);
    require(same != records.end(), name + ": it was synced, and is gone");
    const auto read = reel.read_stored(static_cast<std::size_t>(same - records.begin()), found);
    require(read.has_value(), name + ": it was synced, and cannot be read", read);
    require(found == expected, name + ": it was synced, and has other bytes");
  }
}

}  // namespace tickreel::sim
