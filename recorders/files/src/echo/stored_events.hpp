// Copies the stored events of a recording into another one with its own tick numbers.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/events.hpp"

namespace tickreel::files {

// Counts events that are missing, by their numbers, and events that this version cannot decode.
class event_counter {
 public:
  // Empty for an event that cannot be decoded or is a repetition.
  std::optional<echo::recorded_event> take(byte_span record);
  [[nodiscard]] std::uint64_t missing() const noexcept { return missing_ + unreadable_; }

 private:
  std::uint64_t missing_ = 0;
  std::uint64_t next_number_ = 0;
  std::uint64_t unreadable_ = 0;  // since the last decoded event; the next one's number shows how many
};

class stored_events {
 public:
  void take_record(byte_span record);

  // Maps a tick number of the source to that of the copy.
  void pass(std::uint64_t source_tick, std::uint64_t copied_as);

  // The next event whose tick was passed, with the copy's tick; with `at_end` every remaining event. Its
  // number is unchanged, so that missing events remain detectable.
  std::optional<echo::recorded_event> next(bool at_end);
  // Of the source.
  [[nodiscard]] std::uint64_t missing() const noexcept { return counter_.missing(); }

 private:
  [[nodiscard]] std::uint64_t copied_tick(std::uint64_t source_tick) const;

  event_counter counter_;
  std::deque<echo::recorded_event> waiting_;
  // From this source tick on, the difference between the two numbers changes.
  struct step {
    std::uint64_t source = 0;
    std::uint64_t copy = 0;
  };
  std::vector<step> steps_;
  std::uint64_t last_passed_ = 0;
};

}  // namespace tickreel::files
