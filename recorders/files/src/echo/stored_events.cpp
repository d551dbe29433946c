#include "stored_events.hpp"

#include <algorithm>

namespace tickreel::files {

namespace {

// Events are near their ticks. Limits the waiting events to more than a second can have, whatever the file
// contains.
constexpr std::size_t max_waiting = 1u << 14;

}  // namespace

std::optional<echo::recorded_event> event_counter::take(byte_span record) {
  auto read = echo::read_event_record(record);
  if (!read) {
    ++unreadable_;
    return std::nullopt;
  }
  if (read->number < next_number_) return std::nullopt;
  missing_ += std::max(read->number - next_number_, unreadable_);
  unreadable_ = 0;
  next_number_ = std::uint64_t{read->number} + 1;
  return read;
}

void stored_events::take_record(byte_span record) {
  if (auto read = counter_.take(record)) waiting_.push_back(*read);
}

void stored_events::pass(std::uint64_t source_tick, std::uint64_t copied_as) {
  last_passed_ = source_tick;
  const bool continues =
      !steps_.empty() && source_tick - steps_.back().source == copied_as - steps_.back().copy;
  if (!continues) steps_.push_back({source_tick, copied_as});
}

std::uint64_t stored_events::copied_tick(std::uint64_t source_tick) const {
  const auto next_step =
      std::upper_bound(steps_.begin(), steps_.end(), source_tick,
                       [](std::uint64_t wanted, const step& each) { return wanted < each.source; });
  if (next_step == steps_.begin()) return steps_.empty() ? 0 : steps_.front().copy;
  const step& at = *(next_step - 1);
  const std::uint64_t tick = at.copy + (std::min(source_tick, last_passed_) - at.source);
  // An event of a missing tick moves to the next tick.
  return next_step == steps_.end() ? tick : std::min(tick, next_step->copy);
}

std::optional<echo::recorded_event> stored_events::next(bool at_end) {
  if (waiting_.empty() || steps_.empty()) return std::nullopt;
  const bool passed = waiting_.front().what.tick <= last_passed_;
  if (!passed && !at_end && waiting_.size() <= max_waiting) return std::nullopt;
  echo::recorded_event one = waiting_.front();
  waiting_.pop_front();
  one.what.tick = copied_tick(one.what.tick);
  return one;
}

}  // namespace tickreel::files
