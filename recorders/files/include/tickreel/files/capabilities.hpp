// What a recording may offer beyond its ticks. Callers ask recording::offers() for a capability, never for a
// format.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/info.hpp"
#include "tickreel/files/moment.hpp"
#include "tickreel/files/monitor.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
namespace echo {
struct state;
}
namespace gamecache {
struct contents;
}
}  // namespace tickreel

namespace tickreel::files {

struct match_rows;
class state_stream;
class tick_columns;

// Filter of events. Empty members do not restrict.
struct event_query {
  std::vector<std::string> types = {};  // in snake_case, as in the events
  std::string player = {};              // a name, or a number as in the events
  std::optional<moment> from = std::nullopt;
  std::optional<moment> to = std::nullopt;  // inclusive
};

// Recorded or derived events.
class event_source {
 public:
  // See recording::events() and recording::event_types().
  virtual result<std::uint64_t> events(const event_query& query,
                                       const std::function<bool(std::string_view)>& each,
                                       const monitor& watch) = 0;
  virtual result<std::vector<std::string>> event_types() = 0;
  // recording::quick_summary() and events() without a filter in one reading. recording::losses() then contains the
  // losses of both. unsupported_operation, which is the default, if the summary alone reads less of the recording
  // than the events.
  virtual result<summary> summarise_events(const std::function<void(std::string_view)>& each,
                                           const monitor& watch) {
    (void)each;
    (void)watch;
    return fail(error_code::unsupported_operation);
  }

 protected:
  ~event_source() = default;
};

// Statistics of players.
class statistics_source {
 public:
  // See recording::statistics().
  virtual result<void> statistics(const std::function<bool(const match_rows&)>& each,
                                  const monitor& watch) = 0;

 protected:
  ~statistics_source() = default;
};

// Echo VR states of the ticks.
class echo_states {
 public:
  // The state of the current tick; valid until the next call.
  [[nodiscard]] virtual const echo::state* echo_state() const noexcept = 0;
  // The current tick's game clock in seconds; empty if it has none.
  [[nodiscard]] virtual std::optional<double> game_clock() const noexcept = 0;
  // True if the recording keeps the game's own text of each tick, which may contain more than the state.
  [[nodiscard]] virtual bool keeps_text() const noexcept = 0;
  // Rewinds, if reading only the time, the clock, the score and the disc is faster: ticks then have nothing else, and their
  // text is undefined.
  virtual result<void> read_disc_only() = 0;

 protected:
  ~echo_states() = default;
};

// Result of recording::extend().
enum class growth : std::uint8_t {
  none,
  more,   // ticks or events were appended
  other,  // it was truncated or replaced: open it again
};

// Callbacks during a reading. Each may be empty.
struct observer {
  std::function<void()> tick = {};                   // after each next()
  std::function<void(std::string_view)> event = {};  // a line as events() returns it
};

// The error of a format that is not written incrementally.
inline constexpr const char* not_incremental = "this format cannot be followed while it is written";

// A recording that is still being written, opened with open_options::live.
class growing_recording {
 public:
  // See recording::extend().
  virtual result<growth> take_growth() = 0;
  // See recording::resume().
  virtual result<summary> resume(const observer& to, const monitor& watch) = 0;

 protected:
  ~growing_recording() = default;
};

// A position where reading can begin. `place` is a number of the format.
struct entrance {
  std::uint64_t place = 0;
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
};

// Positions where reading can begin, collected while ticks are read.
class entry_points {
 public:
  [[nodiscard]] virtual std::vector<entrance> entrances() const = 0;
  virtual void learn(const std::vector<entrance>& known) = 0;

 protected:
  ~entry_points() = default;
};

// Lines of JSON before the first and after the last tick, each with its newline. A text with them and all
// ticks converts back to the same file.
class surrounding_lines {
 public:
  [[nodiscard]] virtual std::string lines_before() const = 0;
  virtual result<std::string> lines_after() = 0;

 protected:
  ~surrounding_lines() = default;
};

// Matches whose orders of some ticks may be missing.
class missing_orders_source {
 public:
  // For callers that name earlier ticks without orders themselves: recording::losses() then leaves them out.
  virtual void name_missing_orders_from(std::uint64_t tick) noexcept = 0;

 protected:
  ~missing_orders_source() = default;
};

// Null members are not offered. The pointers are valid as long as the recording.
struct capabilities {
  event_source* events = nullptr;
  statistics_source* statistics = nullptr;
  echo_states* echo = nullptr;
  growing_recording* growth = nullptr;
  entry_points* entries = nullptr;
  surrounding_lines* lines = nullptr;
  tick_columns* columns = nullptr;
  const state_stream* pieces = nullptr;  // writes the state of a tick in pieces, for states that may be large
  missing_orders_source* missing_orders = nullptr;
  const gamecache::contents* games = nullptr;  // the results of a collection of games
};

}  // namespace tickreel::files
