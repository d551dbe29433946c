// The lines that the ticks of a reel of columns came in.
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

// Whether the reel says that the lines of its ticks were kept.
[[nodiscard]] bool keeps_lines(const reel::header& head) noexcept;

// What cannot be read of the text around lines, as the reader of an .echoreplay judges it.
struct unreadable_text {
  std::uint64_t lines = 0;
  std::uint64_t first_line = 0;  // of the text that the whole reel gives, counted from 1
  const char* first_reason = "";
};

// Memory is that of the shapes, a few bytes for each event of a line, one line, and a record of events.
class restored_lines {
 public:
  // Of that tick. Events are read when they are needed, from `source`.
  void restore(reel::reader& source, std::uint64_t tick, const echo::line_reference& how,
               const echo::state& state);
  // The text around that tick's line alone, without making the line.
  void restore_text_around(reel::reader& source, std::uint64_t tick);
  // Whether the reel has what the line needs, without making it: for those who only count.
  [[nodiscard]] bool has_what_it_needs(reel::reader& source, std::uint64_t tick,
                                       const echo::line_reference& how);
  // Of the ticks from `first` to `last`, whose line is not needed for it; `to_end`: and behind the last one.
  // What restore() gave stays.
  [[nodiscard]] unreadable_text unreadable_between(reel::reader& source, std::uint64_t first,
                                                   std::uint64_t last, bool to_end);
  // Until the next call. Empty where the line could not be kept, or cannot be had.
  [[nodiscard]] std::string_view before() const noexcept { return events_.before; }
  [[nodiscard]] std::string_view whole_line() const noexcept { return line_; }
  [[nodiscard]] std::string_view behind() const noexcept { return events_.behind; }
  // Of that line; the bones empty where they cannot be read.
  [[nodiscard]] const echoreplay::line& columns() const noexcept { return columns_; }

 private:
  // The bytes of an event, in the record of that number.
  struct event_place {
    std::size_t record = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  using events_of_ticks = std::vector<std::pair<std::uint64_t, event_place>>;

  void find_events(reel::reader& source);
  // Finds those first that are new.
  events_of_ticks::const_iterator first_event_of(reel::reader& source, std::uint64_t tick);
  // Reads the record unless it is at hand; false for what cannot be read or is too long for events of lines.
  bool hold(reel::reader& source, std::size_t record);
  // Until the next call.
  byte_span read(reel::reader& source, const event_place& place);

  echoreplay::line_restorer restorer_;
  reel::record read_;
  std::optional<std::size_t> read_number_;
  // The records that events were looked for in, and the tick of the last shape in them.
  std::size_t looked_records_ = 0;
  std::uint64_t shape_tick_ = 0;
  events_of_ticks events_by_tick_;
  std::vector<std::uint64_t> ticks_with_text_;  // rising
  echoreplay::line_events events_;
  std::string line_;
  echoreplay::line columns_;
};

}  // namespace tickreel::files
