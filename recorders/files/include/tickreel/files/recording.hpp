// Any recording, whatever its format: what is in it, its ticks one by one, whether it is sound.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class byte_source;
namespace echo {
struct state;
}
}  // namespace tickreel

namespace tickreel::files {

struct match_rows;
struct open_options;
class state_stream;

// Lets the caller of long work show it and stop it. Both may be empty.
struct monitor {
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  // in bytes
  std::function<bool()> cancelled = {};  // true: give up, error interrupted

  void report(std::uint64_t done, std::uint64_t total) const {
    if (progress) progress(done, total);
  }
  [[nodiscard]] bool stop() const { return cancelled && cancelled(); }
};

enum class health : std::uint8_t {
  whole,
  incomplete,  // ends early; what is there is good
  recovered,   // was incomplete and says so itself
  damaged,     // something inside is wrong
};
[[nodiscard]] std::string_view name(health value) noexcept;

// Something that only some formats know, for the end of the info document or of a player in it.
struct fact {
  std::string key;
  std::variant<bool, std::int64_t, double, std::string> value;
};

struct player_summary {
  std::string name;
  std::string team;  // blue, orange, spectator, or the format's own word; empty when unknown
  std::optional<std::uint64_t> userid = std::nullopt;
  std::vector<fact> facts = {};
};

struct summary {
  std::string format;
  std::uint32_t format_version = 0;
  std::uint64_t bytes = 0;
  std::uint64_t ticks = 0;
  std::uint64_t keyframes = 0;
  std::int64_t duration_ms = 0;  // from the first tick to the last
  std::vector<player_summary> players;
  files::health health = health::whole;
  std::vector<fact> facts;
  // What the recording holds, or its recorder was given, and no tick shows, as sentences: not empty means
  // exit code 3.
  std::vector<std::string> left_out = {};
};

enum class severity : std::uint8_t { note, warning, error };
[[nodiscard]] std::string_view name(severity value) noexcept;

struct finding {
  severity level = severity::note;
  std::uint64_t offset = error::no_offset;
  std::string message;
};

struct verification {
  std::uint64_t ticks = 0;  // looked at
  std::vector<finding> findings;
  // What only some formats know, as the end of the document: "signature".
  std::vector<fact> facts = {};
  // Some of the findings tell of content that no tick shows, or a key was named and the signatures do not
  // reach the end: exit code 3 where it would be 0.
  bool content_left_out = false;
  [[nodiscard]] bool ok() const noexcept {
    for (const finding& each : findings) {
      if (each.level == severity::error) return false;
    }
    return true;
  }
};

struct tick_position {
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;  // since the first tick
  // Of the tick in the file, or of its line in the unzipped text.
  std::uint64_t offset = 0;
  bool keyframe = false;
};

// out_of_range, with the last tick of the recording.
[[nodiscard]] tl::unexpected<error> fail_past_end(const tick_position& last) noexcept;

// A place in a recording.
struct moment {
  enum class by : std::uint8_t { tick, time, clock };
  by unit = by::tick;
  std::uint64_t tick = 0;
  double seconds = 0;  // since the first tick, or on the game's clock

  static moment at_tick(std::uint64_t number) { return {by::tick, number, 0}; }
  static moment at_time(double seconds) { return {by::time, 0, seconds}; }
  static moment at_clock(double seconds) { return {by::clock, 0, seconds}; }

  // For a recording without a game clock of its own, whose clock is the time since the start.
  [[nodiscard]] moment without_game_clock() const noexcept {
    return unit == by::clock ? at_time(seconds) : *this;
  }
};

// "08:30", "1:02:03", "08:30.5" as seconds. Empty when it is nothing of the kind.
[[nodiscard]] std::optional<double> parse_clock(std::string_view text) noexcept;

// "120" or "tick:120", "12.5s", "1m30s", "2h" or "1:02:03" (since the first tick), "08:30", "clock:08:30" or
// "clock:510.5" (game clock). Empty when it is none of these. Options of verbs are read by read_range(),
// which refuses a lone "08:30".
[[nodiscard]] std::optional<moment> parse_moment(std::string_view text) noexcept;

// Which events to give. What is empty does not restrict.
struct event_query {
  std::vector<std::string> types = {};  // in snake_case, as the events say
  std::string player = {};              // a name, or a number as the events have it
  std::optional<moment> from = std::nullopt;
  std::optional<moment> to = std::nullopt;  // inclusive
};

// What became of a recording that is still being written.
enum class growth : std::uint8_t {
  none,
  more,   // something came behind what was there
  other,  // it was cut or replaced: to be opened anew
};

// Where reading can begin: `place` is the format's own number.
struct entrance {
  std::uint64_t place = 0;
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
};

// Who looks on while a recording is walked. Each may be empty.
struct onlooker {
  std::function<void()> tick = {};                   // next() has gone to it
  std::function<void(std::string_view)> event = {};  // a line as events() gives it
};

// One thread at a time.
class recording {
 public:
  virtual ~recording() = default;

  // The name in the format table: "butter", "echoreplay", "reel", ...
  [[nodiscard]] virtual std::string_view format() const noexcept = 0;

  // Goes to the next tick. False at the end; after an error the recording is at its end.
  virtual result<bool> next() = 0;
  // Of the tick that next() went to.
  [[nodiscard]] virtual const tick_position& position() const noexcept = 0;
  // Appends that tick's state as members of a JSON object, without braces, on one line.
  virtual void append_state(std::string& json) const = 0;
  // Of those members only that one, where it can be had for less than all; false elsewhere.
  virtual bool append_member(std::string_view name, std::string& json) const {
    (void)name;
    (void)json;
    return false;
  }
  // What gives the same piece by piece, where a tick may hold any number of events; null elsewhere.
  [[nodiscard]] virtual const state_stream* pieces() const noexcept { return nullptr; }
  // Lines of JSON that a text of all ticks needs before the first and behind the last one to become the same
  // file again, each with its newline; empty, which is the default, where the ticks say everything.
  [[nodiscard]] virtual std::string lines_before() const { return {}; }
  virtual result<std::string> lines_behind() { return std::string(); }
  // That tick's game clock in seconds, where there is one.
  [[nodiscard]] virtual std::optional<double> game_clock() const noexcept { return std::nullopt; }

  // That tick itself, where it is one of Echo VR; until the next call. Else null.
  [[nodiscard]] virtual const echo::state* echo_state() const noexcept { return nullptr; }

  // What next() has passed over up to here, as sentences; empty when nothing is missing.
  [[nodiscard]] virtual std::vector<std::string> losses() const { return {}; }

  virtual result<void> rewind() = 0;

  // After it, next() goes to the first tick that is not before `where`; for a game clock, which counts down,
  // to the first tick at which it has fallen to `where`. In a recording without a game clock a clock is the
  // time since the first tick. out_of_range when there is none. The default looks at every tick.
  virtual result<void> seek(const moment& where);

  // Goes to the first tick that is not before `tick`, as next() would come to it; false behind the last.
  virtual result<bool> go_to(std::uint64_t tick);

  // What was learnt, while ticks passed, of where reading can begin; for another that reads the same
  // recording, and then need not look itself. Nothing, which is the default, where a file tells that by
  // itself.
  [[nodiscard]] virtual std::vector<entrance> entrances() const { return {}; }
  virtual void learn(const std::vector<entrance>& known) { (void)known; }

  // Looks at every tick. Never fails for what is wrong inside the recording: `health` tells. Leaves the
  // recording at its end.
  virtual result<summary> summarise(const monitor& watch = {}) = 0;

  // The same from headers, indexes and small parts where these tell enough, with fewer facts. `keyframes` may
  // be those that an index names, `health` is what can be seen from there; everything else is as summarise()
  // has it. A file that is not whole at this glance is looked at as summarise() does, and so are formats
  // whose ticks have to be read to know how many there are, which is the default.
  virtual result<summary> glance(const monitor& watch = {}) { return summarise(watch); }

  // Format, facts and players as far as the file's head alone tells them, where glance() would look at every
  // tick and this need not; none elsewhere, which is the default. Numbers of ticks and times are 0.
  [[nodiscard]] virtual std::optional<summary> head() const { return std::nullopt; }

  // Of one that was opened with open_options::live: takes in what came behind what is there, which is all
  // that it costs. Places stay; next() that was at the end goes on there, and seek() finds what is new.
  // unsupported_operation, which is the default, for formats that are not written bit by bit.
  result<growth> extend();

  // Likewise: every tick and event that came since the last call, and what summarise() tells of all of them.
  // The first call begins at the first tick, and so does the one after a rewind(); in between nothing but
  // extend() may be called. Events that came late stand behind those of later ticks.
  virtual result<summary> go_on(const onlooker& to, const monitor& watch = {});

  // Hashes, structure, cadence, value ranges, time order. Leaves the recording at its end.
  virtual result<verification>(verify)(const monitor& watch = {}) = 0;

  // Calls `each` with every event that fits, in the order of the ticks, as one JSON object on one line:
  // `tick`, `type`, then the event's fields in snake_case; `derived` is true where it was not recorded but
  // worked out. Stops early when `each` returns false. Returns how many it gave. Leaves the recording at its
  // end. unsupported_operation, which is the default, for a format without events.
  virtual result<std::uint64_t> events(const event_query& query,
                                       const std::function<bool(std::string_view)>& each,
                                       const monitor& watch = {});

  // The names that event_query::types may have here, those of a game's own events included; none for a format
  // without events.
  virtual result<std::vector<std::string>> event_types() { return std::vector<std::string>(); }

  // Calls `each` with the rows of every match in the recording, in their order; see files/statistics.hpp.
  // What is lost stands in losses() afterwards. Stops early when `each` returns false. Leaves the recording
  // at its end. unsupported_operation, which is the default, where no players' statistics can be told.
  virtual result<void> statistics(const std::function<bool(const match_rows&)>& each,
                                  const monitor& watch = {});

 protected:
  // For next(): true once after seek() found its tick, which next() must then give without moving.
  bool take_found() noexcept { return std::exchange(found_, false); }
  bool found_ = false;

  // For extend().
  virtual result<growth> take_growth();

 private:
  friend result<std::unique_ptr<recording>> open(const file_path& path, const open_options& options);
  std::function<bool()> replaced_;  // whether another file has its name now
};

struct open_options {
  bool repair = false;  // see echo_options
  // It is still being written: extend() can be called, and a last record that is not whole is no loss.
  bool live = false;
  // For verify(): the Ed25519 public key that signatures must be of. Empty: whatever key the file names.
  std::optional<std::array<std::byte, 32>> trusted_key = std::nullopt;
};

// Told by content, not by name. not_recognised when no format of the table claims it. What is long by nature,
// .echoreplay and reels, is streamed from its file; so are .rec.
result<std::unique_ptr<recording>> open(const file_path& path, const open_options& options = {});
// The same for a recording in memory, which must outlive what is opened. Nothing else differs, but that a
// live .icrep is found without what its recorder keeps in files beside it.
result<std::unique_ptr<recording>> open(byte_span recording, const open_options& options = {});
// The same wherever it lies.
result<std::unique_ptr<recording>> open(const byte_source& from, const open_options& options = {});

}  // namespace tickreel::files
