// Events that a recording keeps, on their way into another that numbers its ticks by itself.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/events.hpp"

namespace tickreel::files {

// Counts those that are missing, by their numbers, and those that this version cannot read.
class event_counter {
 public:
  // Empty for one that cannot be read, or came already.
  std::optional<echo::recorded_event> take(byte_span record);
  [[nodiscard]] std::uint64_t missing() const noexcept { return missing_ + unreadable_; }

 private:
  std::uint64_t missing_ = 0;
  std::uint64_t next_number_ = 0;
  std::uint64_t unreadable_ = 0;  // since the last one that was read, whose number the next one tells
};

class stored_events {
 public:
  void take_record(byte_span record);

  // A tick of the source, by its number there, becomes that of the copy.
  void pass(std::uint64_t source_tick, std::uint64_t copied_as);

  // The next one whose tick was passed, with the copy's tick; at the end whatever is left. Its number stays,
  // so that one that is missing goes on to show.
  std::optional<echo::recorded_event> next(bool at_end);
  // Of the source.
  [[nodiscard]] std::uint64_t missing() const noexcept { return counter_.missing(); }

 private:
  [[nodiscard]] std::uint64_t copied_tick(std::uint64_t source_tick) const;

  event_counter counter_;
  std::deque<echo::recorded_event> waiting_;
  // From each of these source ticks on the difference between the two numbers is another.
  struct step {
    std::uint64_t source = 0;
    std::uint64_t copy = 0;
  };
  std::vector<step> steps_;
  std::uint64_t last_passed_ = 0;
};

}  // namespace tickreel::files
