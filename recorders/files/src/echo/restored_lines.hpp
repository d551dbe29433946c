// Restores the source lines of the ticks in a reel of columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/echo/state.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

// Whether the reel declares that it stores the lines of its ticks.
[[nodiscard]] bool keeps_lines(const reel::header& head) noexcept;

// Unreadable text between lines, by the rules of the .echoreplay reader.
struct unreadable_text {
  std::uint64_t lines = 0;
  std::uint64_t first_line = 0;  // in the text of the whole reel, counted from 1
  const char* first_reason = "";
};

// Memory: the shapes, a few bytes per event of a line, one line, and one record of events.
class restored_lines {
 public:
  // Restores the line of that tick. Events are read from `source` when needed.
  void restore(reel::reader& source, std::uint64_t tick, const echo::line_reference& how,
               const echo::state& state);
  // Restores only the text around that tick's line.
  void restore_text_around(reel::reader& source, std::uint64_t tick);
  // Whether the reel contains everything that the line needs; does not restore it. For callers that only
  // count.
  [[nodiscard]] bool has_what_it_needs(reel::reader& source, std::uint64_t tick,
                                       const echo::line_reference& how);
  // The unreadable text around the ticks from `first` to `last`, without their lines; `to_end`: also after
  // the last one. The result of restore() stays valid.
  [[nodiscard]] unreadable_text unreadable_between(reel::reader& source, std::uint64_t first,
                                                   std::uint64_t last, bool to_end);
  // Valid until the next call. Empty if the line could not be stored or is lost.
  [[nodiscard]] std::string_view before() const noexcept { return events_.before; }
  [[nodiscard]] std::string_view whole_line() const noexcept { return line_; }
  [[nodiscard]] std::string_view after() const noexcept { return events_.after; }
  // The first failure to read the file, after which lines may lack text. take_failure() forgets it.
  [[nodiscard]] const std::optional<error>& failure() const noexcept { return failure_; }
  [[nodiscard]] std::optional<error> take_failure() noexcept { return std::exchange(failure_, std::nullopt); }
  // Of that line; its bones are empty if they are unreadable.
  [[nodiscard]] const echoreplay::line& columns() const noexcept { return columns_; }

 private:
  // The position of an event's bytes in the record of that number.
  struct event_place {
    std::size_t record = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  using events_of_ticks = std::vector<std::pair<std::uint64_t, event_place>>;

  void find_events(reel::reader& source);
  // Indexes new events first.
  events_of_ticks::const_iterator first_event_of(reel::reader& source, std::uint64_t tick);
  // Reads the record unless it is already loaded; false for an unreadable record and one that is too long for
  // events of lines.
  bool hold(reel::reader& source, std::size_t record);
  // Valid until the next call.
  byte_span read(reel::reader& source, const event_place& place);

  echoreplay::line_restorer restorer_;
  reel::record read_;
  std::optional<std::size_t> read_number_;
  std::optional<error> failure_;
  // The number of indexed records, and the tick of the last shape in them.
  std::size_t looked_records_ = 0;
  std::uint64_t shape_tick_ = 0;
  events_of_ticks events_by_tick_;
  std::vector<std::uint64_t> ticks_with_text_;  // ascending
  echoreplay::line_events events_;
  std::string line_;
  echoreplay::line columns_;
};

}  // namespace tickreel::files
