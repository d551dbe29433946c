// A simulation as a list of steps: made from a seed, printed as text, and read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulated_disk.hpp"
#include "tickreel/codec/codec.hpp"

namespace tickreel::sim {

enum class recorded_as : std::uint8_t { described, columns, butter, echoreplay, icrep, changes };
inline constexpr const char* format_names[] = {"described",  "columns", "butter",
                                               "echoreplay", "icrep",   "changes"};

enum class verb : std::uint8_t {
  open,     // begins the recording, if that has not succeeded before
  push,     // COUNT ticks, the worker runs after each
  burst,    // COUNT ticks without a run of the worker
  pump,     // the worker runs
  event,    // COUNT events
  gap,      // COUNT ticks never arrive
  clock,    // MS pass
  wall,     // the wall clock jumps by MS
  follow,   // a follower reads what is new
  fault,    // KIND AFTER COUNT: see simulated_disk::plan(); of `die`, COUNT is the number of a cut
  heal,     // the disk works again
  close,    // ends the recording
  publish,  // writes the final file and removes the reel, as recorders do
  recover,  // completes the reel in place
  copy,     // recovers the reel into a copy, which then replaces nothing
  compact,  // rewrites a reel of described structs
  cut,      // MODE SEED: the process dies, and unsynced data is lost
};
inline constexpr const char* verb_names[] = {"open",    "push",    "burst",  "pump",    "event", "gap",
                                             "clock",   "wall",    "follow", "fault",   "heal",  "close",
                                             "publish", "recover", "copy",   "compact", "cut"};

struct step {
  verb what = verb::pump;
  std::int64_t first = 0;   // COUNT, MS, KIND or MODE
  std::int64_t second = 0;  // AFTER or SEED
  std::int64_t third = 0;   // COUNT of a fault
};

struct script {
  recorded_as format = recorded_as::described;
  std::uint64_t content = 1;  // seed of the ticks
  std::uint32_t seal_frames = 10;
  std::uint32_t keyframe_ticks = 10;
  std::uint32_t sync_interval_ms = 0;  // 0: with each chunk; of a match, at most once a millisecond
  std::uint32_t ring_ticks = 16;
  std::uint32_t tick_ms = 33;
  codec_id codec = codec_id::none;
  std::vector<step> steps;
};

[[nodiscard]] script script_of(std::uint64_t seed);
[[nodiscard]] std::string to_text(const script& what);
// Empty, with the reason in `why`, for a text that is not a script.
[[nodiscard]] std::optional<script> read_script(std::string_view text, std::string& why);

}  // namespace tickreel::sim
