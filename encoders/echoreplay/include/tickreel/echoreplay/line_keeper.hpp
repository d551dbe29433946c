// Lines of an .echoreplay beside rows of states: the data from which a reel restores each line byte for byte.
//
// A row contains the method (echo::line_reference); events of the reel, all of one type, contain what the state
// lacks. A line whose event is lost is known to be missing: it is never restored wrongly.
//
//   event = u8 what | leb128 number of the shape, else 0 | u8 codec | leb128 bytes unpacked | leb128 bytes packed
//           | a part of the packed bytes, those of one thing in order, by events of one tick
//
//   what  0  the shape with that number, which begins with this tick
//         1  the tick's patch
//         2  text before the tick's line without a tick: whole lines
//         3  the same after the last tick, which is this one
//         4  the shape with that number: leb128 number of an earlier one | the patch that turns that one into it
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/echoreplay/line_shape.hpp"

namespace tickreel::echoreplay {

// The type of those events.
inline constexpr std::uint32_t line_event = 0x454E494C;  // "LINE"

// In the metadata of a reel, with any value: its ticks came in lines, and these are stored.
inline constexpr const char* lines_key = "lines";

// The bytes of one event stay below a recorder's limit.
inline constexpr std::size_t max_line_event_bytes = 60u << 10;
// Limit of text between lines, and of an event's content.
inline constexpr std::size_t max_kept_line_bytes = std::size_t{8} << 20;
// Limit of a line with its end: readers of lines reject longer ones.
inline constexpr std::size_t max_restored_line_bytes = default_line_limit_bytes + 64;
// Limit of shapes: beyond it lines are stored whole.
inline constexpr std::size_t max_line_shapes = 1024;
inline constexpr std::size_t max_line_shape_bytes = 16u << 20;

// One per recording. One thread at a time. Allocates.
class line_keeper {
 public:
  line_keeper();
  line_keeper(line_keeper&&) noexcept;
  line_keeper& operator=(line_keeper&&) noexcept;
  ~line_keeper();

  // The method to restore the tick's `line`, including its end. events() are then the tick's. `before`: whole
  // lines without a tick before it.
  echo::line_reference keep(std::string_view before, std::string_view line, const echo::state& tick);
  // The same for a tick without a line.
  echo::line_reference keep_none(std::string_view before);
  // events() of the last tick, for the text after it.
  void keep_end(std::string_view after);

  // Earlier events may not be available to readers: no later line depends on them.
  void forget_shapes() noexcept;

  [[nodiscard]] const std::vector<byte_vector>& events() const noexcept;
  // Lines, and texts between lines, that were too long to be stored.
  [[nodiscard]] std::uint64_t not_kept() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// The content of one tick's events.
struct line_events {
  std::string before;
  std::string after;
  byte_vector patch;
};

// The inverse. One thread at a time.
class line_restorer {
 public:
  line_restorer();
  line_restorer(line_restorer&&) noexcept;
  line_restorer& operator=(line_restorer&&) noexcept;
  ~line_restorer();

  // Whether an event contains the beginning of a shape, which every later tick may need, or only data of its
  // tick.
  [[nodiscard]] static bool is_shape(byte_span event) noexcept;
  // Whether it contains text before the tick's line or after the last tick.
  [[nodiscard]] static bool is_text(byte_span event) noexcept;

  // Reads all events of one tick, in order: stores shapes and returns the rest. Incomplete or damaged content
  // is omitted.
  line_events take(const std::vector<byte_vector>& events);
  // The same, one event at a time into `found`, so that only one is in memory. The events of a tick follow
  // begin_tick().
  void begin_tick() noexcept;
  void take(byte_span event, line_events& found);

  [[nodiscard]] bool knows_shape(std::uint32_t number) const noexcept;

  // Appends the tick's line with its end. False, without appending, for a line that was not stored, whose
  // shape or patch is missing, or of more than max_restored_line_bytes.
  bool append_line(const echo::line_reference& how, const echo::state& tick, byte_span patch,
                   std::string& out);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::echoreplay
