// Lines of an .echoreplay beside rows of states: what a reel keeps so that each line comes back byte for
// byte.
//
// A row says how (echo::line_reference); what a state does not say stands in events of the reel, all of one
// type. A line whose event is lost is known to be missing: it never comes back as another one.
//
//   event = u8 what | leb128 number of the shape, else 0 | u8 codec | leb128 bytes unpacked | leb128 bytes
//   packed
//           | a part of the packed bytes, those of one thing in order, by events of one tick
//
//   what  0  the shape with that number, which begins with this tick
//         1  the tick's patch
//         2  text in front of the tick's line that holds no tick: whole lines
//         3  the same behind the last tick, which this is
//         4  the shape with that number: leb128 number of an earlier one | what turns that one into it, a
//         patch
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
#include "tickreel/result.hpp"

namespace tickreel::echoreplay {

// The type of those events.
inline constexpr std::uint32_t line_event = 0x454E494C;  // "LINE"

// In the metadata of a reel, with any value: its ticks came in lines, and these were kept.
inline constexpr const char* lines_key = "lines";

// The bytes of one event stay below what a recorder takes.
inline constexpr std::size_t most_line_event_bytes = 60u << 10;
// Of text between lines, and of what an event holds.
inline constexpr std::size_t most_kept_line_bytes = std::size_t{8} << 20;
// Of a line with what ends it: readers of lines take no longer ones.
inline constexpr std::size_t most_restored_line_bytes = default_line_limit_bytes + 64;
// Of shapes: beyond them lines are kept whole.
inline constexpr std::size_t most_line_shapes = 1024;
inline constexpr std::size_t most_line_shape_bytes = 16u << 20;

// One for each recording. One thread at a time. Allocates.
class line_keeper {
 public:
  line_keeper();
  line_keeper(line_keeper&&) noexcept;
  line_keeper& operator=(line_keeper&&) noexcept;
  ~line_keeper();

  // How the tick's line comes back, which is `line` with whatever ends it. events() are the tick's then.
  // `before`: whole lines in front of it that hold no tick.
  echo::line_reference keep(std::string_view before, std::string_view line, const echo::state& tick);
  // The same for a tick that came in no line.
  echo::line_reference keep_none(std::string_view before);
  // events() of the last tick, for what stands behind it.
  void keep_end(std::string_view behind);

  // Events so far may not have come to where readers find them: no later line needs one of them.
  void forget_shapes() noexcept;

  [[nodiscard]] const std::vector<byte_vector>& events() const noexcept;
  // Lines, and texts between lines, that were longer than can be kept.
  [[nodiscard]] std::uint64_t not_kept() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// What the events of one tick hold.
struct line_events {
  std::string before;
  std::string behind;
  byte_vector patch;
};

// The way back. One thread at a time.
class line_restorer {
 public:
  line_restorer();
  line_restorer(line_restorer&&) noexcept;
  line_restorer& operator=(line_restorer&&) noexcept;
  ~line_restorer();

  // Whether an event's bytes begin a shape, which every later tick may need, or belong to their tick alone.
  [[nodiscard]] static bool is_shape(byte_span event) noexcept;
  // Whether they are, or are a part of, text in front of the tick's line or behind the last tick.
  [[nodiscard]] static bool is_text(byte_span event) noexcept;

  // Events of one tick, all of them, in order: shapes are learned, the rest is returned. What is incomplete
  // or damaged is left out.
  line_events take(const std::vector<byte_vector>& events);
  // The same, one event after the other into `found`, so that only one has to be in memory. Those of a tick
  // follow on begin_tick().
  void begin_tick() noexcept;
  void take(byte_span event, line_events& found);

  [[nodiscard]] bool knows_shape(std::uint32_t number) const noexcept;

  // Appends the tick's line with its end. False, and nothing is appended, for a line that was not kept or
  // whose shape or patch is missing, or of more than most_restored_line_bytes.
  bool append_line(const echo::line_reference& how, const echo::state& tick, byte_span patch,
                   std::string& out);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::echoreplay
