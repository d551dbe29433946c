// A recording of any format: iterates over its ticks, and returns facts and capabilities.
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
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/files/capabilities.hpp"
#include "tickreel/files/info.hpp"
#include "tickreel/files/moment.hpp"
#include "tickreel/files/monitor.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class byte_source;
}

namespace tickreel::files {

struct open_options;

struct tick_position {
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;  // since the first tick
  // Of the tick in the file, or of its line in the unzipped text.
  std::uint64_t offset = 0;
  bool keyframe = false;
};

// out_of_range, with the last tick of the recording.
[[nodiscard]] tl::unexpected<error> fail_past_end(const tick_position& last) noexcept;

// Use from one thread at a time.
class recording {
 public:
  virtual ~recording() = default;

  // The name in the format table: "butter", "echoreplay", "reel", ...
  [[nodiscard]] virtual std::string_view format() const noexcept = 0;

  // Moves to the next tick. False at the end; after an error the recording is at its end.
  virtual result<bool> next() = 0;
  // Position of the current tick.
  [[nodiscard]] virtual const tick_position& position() const noexcept = 0;
  // Appends the current tick's state as members of a JSON object, without braces, on one line.
  virtual void append_state(std::string& json) const = 0;
  // Appends only that member, if the format can do it faster than append_state(); otherwise returns false.
  virtual bool append_member(std::string_view name, std::string& json) const {
    (void)name;
    (void)json;
    return false;
  }
  // Capabilities beyond ticks.
  [[nodiscard]] virtual capabilities offers() noexcept { return {}; }
  // The current tick's game clock in seconds; empty if it has none.
  [[nodiscard]] std::optional<double> game_clock() noexcept;
  // The current tick's Echo VR state, valid until the next call; null for other games.
  [[nodiscard]] const echo::state* echo_state() noexcept;

  // Lines of JSON before the first and after the last tick, each with its newline. A text with them and all
  // ticks converts back to the same file. Empty if ticks alone are enough.
  [[nodiscard]] std::string lines_before();
  result<std::string> lines_after();

  // Losses up to the current tick, as sentences; empty if nothing is missing.
  [[nodiscard]] virtual std::vector<std::string> losses() const { return {}; }
  // Whether damage before position() shifts places of this kind: numbers of ticks or times that the lost ticks
  // would have advanced by an unknown amount.
  [[nodiscard]] virtual bool is_shifted(moment::by unit) const {
    (void)unit;
    return false;
  }

  // Whether files beside it belong to it, so that its own size and time do not show every change.
  [[nodiscard]] virtual bool has_other_files() const noexcept { return false; }

  virtual result<void> rewind() = 0;

  // The following next() returns the first tick at or after `where`. The game clock counts down: for it, the
  // first tick whose clock is at most `where`. Without a game clock, a clock means the time since the first
  // tick. out_of_range if no tick matches. The default reads every tick.
  virtual result<void> seek(const moment& where);

  // Moves to the first tick at or after `tick`, as next() does; false after the last.
  virtual result<bool> go_to(std::uint64_t tick);

  // Positions where reading can begin, collected while ticks were read. Another reader of the same recording
  // can learn() them instead of searching. Empty if the file has an index.
  [[nodiscard]] std::vector<entrance> entrances();
  void learn(const std::vector<entrance>& known);

  // Reads every tick. Damage in the recording is not an error but reported in `health`. Leaves the recording
  // at its end.
  virtual result<summary> summarise(const monitor& watch = {}) = 0;

  // A quick summary from headers, indexes and small parts, with fewer facts. `keyframes` may be the number in
  // the index, and `health` is what those parts show; all other members equal those of summarise(). Falls
  // back to summarise() if the file looks incomplete. The default, for formats whose ticks must be read to
  // count them, is summarise().
  virtual result<summary> quick_summary(const monitor& watch = {}) { return summarise(watch); }

  // Format, facts and players from the file's head, for formats whose quick summary would read every tick;
  // empty otherwise, which is the default. Tick counts and times are 0.
  [[nodiscard]] virtual std::optional<summary> head() const { return std::nullopt; }

  // For a recording opened with open_options::live: reads appended data, at a cost proportional to its size.
  // The position stays; after the end next() continues with new ticks, and seek() finds them.
  // unsupported_operation for formats that are not written incrementally.
  result<growth> extend();

  // For a live recording: passes every tick and event since the last call to `to`, and returns the summary of
  // everything up to now. The first call, and the first after rewind(), begins at the first tick; between
  // calls only extend() may be called. Late events follow those of later ticks.
  result<summary> resume(const observer& to, const monitor& watch = {});

  // Checks hashes, structure, cadence, value ranges and time order. Leaves the recording at its end.
  virtual result<verification>(verify)(const monitor& watch = {}) = 0;

  // Calls `each` with every matching event, in tick order, as one JSON object on one line: `tick`, `type`,
  // then the event's fields in snake_case; `derived` is true if it was not recorded but derived. Stops when
  // `each` returns false. Returns the number of events. Leaves the recording at its end; if `each` stopped it, at any
  // tick: call rewind() or seek() before next().
  // unsupported_operation for a format without events.
  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch = {});

  // Valid names for event_query::types, including a game's own events; empty for a format without events.
  result<std::vector<std::string>> event_types();

  // Calls `each` with the rows of every match in the recording, in order; see files/statistics.hpp. losses()
  // then reports what is missing. Stops when `each` returns false. Leaves the recording as events() does.
  // unsupported_operation if the recording has no player statistics.
  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch = {});

 protected:
  // For next(): true once after seek() found its tick, which next() must return without moving.
  bool take_found() noexcept { return std::exchange(found_, false); }
  bool found_ = false;

 private:
  friend result<std::unique_ptr<recording>> open(const file_path& path, const open_options& options);
  std::function<bool()> replaced_;  // whether another file now has the recording's name
};

struct open_options {
  bool repair = false;  // see echo_options
  // The file is still being written: extend() is available, and an incomplete last record is not a loss.
  bool live = false;
  // For verify(): the Ed25519 public key of the signatures. Empty: any key that the file names.
  std::optional<std::array<std::byte, 32>> trusted_key = std::nullopt;
};

// Detects the format by content, not by name; not_recognised if no format claims it. Large formats
// (.echoreplay, reels and .rec) are streamed from the file.
result<std::unique_ptr<recording>> open(const file_path& path, const open_options& options = {});
// The same for a recording in memory, which must outlive the result. A live .icrep lacks what its recorder
// stores in files beside it.
result<std::unique_ptr<recording>> open(byte_span recording, const open_options& options = {});
// The same for any source of bytes.
result<std::unique_ptr<recording>> open(const byte_source& from, const open_options& options = {});

}  // namespace tickreel::files
