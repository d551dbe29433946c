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
  // Of a fleet.
  deliver,     // the recorder's queue works COUNT times
  republish,   // delivers the recorder's file, for MS at most
  watch,       // a follower reads for MS
  unwatch,     // it ends; the next one joins late, or with COUNT 1 reads from the start
  archive,     // an archiver works for MS
  archivers,   // MS SEED: two of them at the same time
  broker,      // KIND A B: see broker_fault
  store,       // KIND AFTER COUNT: as `fault`, of the archiver's disk
  store_heal,  // as `heal`
  store_cut,   // as `cut`
};
inline constexpr const char* verb_names[] = {
    "open",      "push",  "burst",   "pump",    "event",     "gap",    "clock",   "wall",       "follow",
    "fault",     "heal",  "close",   "publish", "recover",   "copy",   "compact", "cut",        "deliver",
    "republish", "watch", "unwatch", "archive", "archivers", "broker", "store",   "store_heal", "store_cut"};

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
  bool fleet = false;  // with a broker, a follower and archivers; the options below are of such scripts
  std::uint32_t message_bytes = 1u << 20;  // the broker's limit
  std::uint32_t queue_records = 4096;
  std::uint32_t keep_bytes = 0;  // the stream drops its oldest messages beyond; 0: never
  std::uint32_t interleave = 0;  // after so many calls of others the recorder works once; 0: never
  std::vector<step> steps;
};

[[nodiscard]] script script_of(std::uint64_t seed);
[[nodiscard]] script fleet_script_of(std::uint64_t seed);
// The fault and the cut of a step from any generator.
[[nodiscard]] step any_fault(generator& random, bool may_die);
[[nodiscard]] step any_cut(generator& random);
[[nodiscard]] std::string to_text(const script& what);
// Empty, with the reason in `why`, for a text that is not a script.
[[nodiscard]] std::optional<script> read_script(std::string_view text, std::string& why);

}  // namespace tickreel::sim
