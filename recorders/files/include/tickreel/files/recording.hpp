// Any recording, whatever its format: its ticks one by one, what is known of it, and what it offers.
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
  // What it offers beyond its ticks.
  [[nodiscard]] virtual capabilities offers() noexcept { return {}; }
  // That tick's game clock in seconds, where there is one.
  [[nodiscard]] std::optional<double> game_clock() noexcept;
  // That tick itself, where it is one of Echo VR; until the next call. Else null.
  [[nodiscard]] const echo::state* echo_state() noexcept;

  // Lines of JSON that a text of all ticks needs before the first and behind the last one to become the same
  // file again, each with its newline; empty where the ticks say everything.
  [[nodiscard]] std::string lines_before();
  result<std::string> lines_behind();

  // What next() has passed over up to here, as sentences; empty when nothing is missing.
  [[nodiscard]] virtual std::vector<std::string> losses() const { return {}; }
  // Whether damage before position() shifts places of this kind: numbers of ticks or times that the lost ticks
  // would have advanced by an unknown amount.
  [[nodiscard]] virtual bool is_shifted(moment::by unit) const {
    (void)unit;
    return false;
  }

  virtual result<void> rewind() = 0;

  // After it, next() goes to the first tick that is not before `where`; for a game clock, which counts down,
  // to the first tick at which it has fallen to `where`. In a recording without a game clock a clock is the
  // time since the first tick. out_of_range when there is none. The default looks at every tick.
  virtual result<void> seek(const moment& where);

  // Goes to the first tick that is not before `tick`, as next() would come to it; false behind the last.
  virtual result<bool> go_to(std::uint64_t tick);

  // What was learnt, while ticks passed, of where reading can begin; for another that reads the same
  // recording, and then need not look itself. Nothing where a file tells that by itself.
  [[nodiscard]] std::vector<entrance> entrances();
  void learn(const std::vector<entrance>& known);

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
  // unsupported_operation for formats that are not written bit by bit.
  result<growth> extend();

  // Likewise: every tick and event that came since the last call, and what summarise() tells of all of them.
  // The first call begins at the first tick, and so does the one after a rewind(); in between nothing but
  // extend() may be called. Events that came late stand behind those of later ticks.
  result<summary> go_on(const onlooker& to, const monitor& watch = {});

  // Hashes, structure, cadence, value ranges, time order. Leaves the recording at its end.
  virtual result<verification>(verify)(const monitor& watch = {}) = 0;

  // Calls `each` with every event that fits, in the order of the ticks, as one JSON object on one line:
  // `tick`, `type`, then the event's fields in snake_case; `derived` is true where it was not recorded but
  // worked out. Stops early when `each` returns false. Returns how many it gave. Leaves the recording at its
  // end. unsupported_operation for a format without events.
  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch = {});

  // The names that event_query::types may have here, those of a game's own events included; none for a format
  // without events.
  result<std::vector<std::string>> event_types();

  // Calls `each` with the rows of every match in the recording, in their order; see files/statistics.hpp.
  // What is lost stands in losses() afterwards. Stops early when `each` returns false. Leaves the recording
  // at its end. unsupported_operation where no players' statistics can be told.
  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch = {});

 protected:
  // For next(): true once after seek() found its tick, which next() must then give without moving.
  bool take_found() noexcept { return std::exchange(found_, false); }
  bool found_ = false;

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
