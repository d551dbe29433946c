// What a recording may offer beyond its ticks. Who needs such a thing asks recording::offers(), never for a
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

// Which events to give. What is empty does not restrict.
struct event_query {
  std::vector<std::string> types = {};  // in snake_case, as the events say
  std::string player = {};              // a name, or a number as the events have it
  std::optional<moment> from = std::nullopt;
  std::optional<moment> to = std::nullopt;  // inclusive
};

// Things that happened.
class event_source {
 public:
  // See recording::events() and recording::event_types().
  virtual result<std::uint64_t> events(const event_query& query,
                                       const std::function<bool(std::string_view)>& each,
                                       const monitor& watch) = 0;
  virtual result<std::vector<std::string>> event_types() = 0;

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

// Ticks of Echo VR.
class echo_states {
 public:
  // The tick that next() went to; until the next call.
  [[nodiscard]] virtual const echo::state* echo_state() const noexcept = 0;
  // Its game clock in seconds, where there is one.
  [[nodiscard]] virtual std::optional<double> game_clock() const noexcept = 0;
  // The recording keeps the game's own text of each tick, which may hold more than the state.
  [[nodiscard]] virtual bool keeps_text() const noexcept = 0;

 protected:
  ~echo_states() = default;
};

// What happened to a recording that is still being written.
enum class growth : std::uint8_t {
  none,
  more,   // ticks or events were appended
  other,  // it was cut or replaced: open it again
};

// Called while a recording is read. Each may be empty.
struct onlooker {
  std::function<void()> tick = {};                   // next() has gone to it
  std::function<void(std::string_view)> event = {};  // a line as events() gives it
};

// The error of a recording that does not grow.
inline constexpr const char* not_followed_as_it_grows = "this format is not followed as it grows";

// A recording that is still being written, opened with open_options::live.
class growing_recording {
 public:
  // See recording::extend().
  virtual result<growth> take_growth() = 0;
  // See recording::go_on().
  virtual result<summary> go_on(const onlooker& to, const monitor& watch) = 0;

 protected:
  ~growing_recording() = default;
};

// Where reading can begin: `place` is the format's own number.
struct entrance {
  std::uint64_t place = 0;
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
};

// Places where reading can begin, which are found while ticks pass.
class entry_points {
 public:
  [[nodiscard]] virtual std::vector<entrance> entrances() const = 0;
  virtual void learn(const std::vector<entrance>& known) = 0;

 protected:
  ~entry_points() = default;
};

// Lines of JSON that a text of all ticks needs before the first and behind the last tick to become the same
// file again, each with its newline.
class surrounding_lines {
 public:
  [[nodiscard]] virtual std::string lines_before() const = 0;
  virtual result<std::string> lines_behind() = 0;

 protected:
  ~surrounding_lines() = default;
};

// Null where a recording has no such thing. What is pointed to lives as long as the recording.
struct capabilities {
  event_source* events = nullptr;
  statistics_source* statistics = nullptr;
  echo_states* echo = nullptr;
  growing_recording* growth = nullptr;
  entry_points* entries = nullptr;
  surrounding_lines* lines = nullptr;
  const state_stream* pieces = nullptr;        // gives a tick's state piece by piece, where it may be large
  const gamecache::contents* games = nullptr;  // of a collection of games' results
};

}  // namespace tickreel::files
