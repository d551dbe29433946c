// Facts and options of a match that is recorded.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/game/detection.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/reel/sink_factory.hpp"

namespace tickreel::game {

struct match {
  std::string game = {};          // "my_rts"
  std::string game_version = {};  // "1.2.0"
  std::string map = {};
  icrep::digest map_hash{};  // SHA-256 of the map file
  std::uint64_t seed = 0;    // of the simulation's random generator
  std::uint32_t ticks_per_second = 15;
  std::vector<icrep::player_entry> players = {};  // slot, display name, faction
  // A UUID, and a time (RFC 3339). Empty: generated, and now.
  std::string replay_id = {};
  std::string timestamp = {};
};

// Both have the same content; convert.hpp converts between them.
enum class container : std::uint8_t {
  icrep,  // the format of tools and viewers; while it is recorded it is a reel beside it, NAME.icrep.reel
  reel,   // the reel itself, much smaller with many keyframes
};

// Options of a match recorder; members that recorder_options also has keep their names.
struct match_options {
  container file = container::icrep;
  codec_options reel_codec = {};  // of container::reel

  // Ticks between keyframes; 1 stores the state of every tick, for games that cannot be simulated again. One
  // keyframe in `full_keyframe_interval` is full, the others are deltas against it.
  std::uint32_t keyframe_interval_ticks = 300;
  std::uint32_t full_keyframe_interval = 10;  // in keyframes

  // Ticks that may wait for the writer, each with its keyframe, orders, events and voice. If there are too
  // many, the tick is dropped and counted, or with `block` the game waits, for tools that must not lose
  // anything. Only the tick's keyframe is dropped if that is enough. drop_oldest is not supported.
  std::uint32_t ring_ticks = 512;
  std::uint32_t ring_bytes = 64u << 20;
  loss_policy when_full = loss_policy::drop_newest;
  // The time that the game's thread may wait with drop_newest; 0 to 5. By default it never waits.
  std::uint32_t wait_limit_ms = 0;
  // Events and voice packets per tick, including those of dropped ticks before it. No limit with `block`.
  std::uint32_t events_per_tick = 1024;
  std::uint32_t voice_per_tick = 256;

  // Durability. A crash of the process loses at most this,
  std::uint32_t seal_interval_ms = 1000;
  // a power failure at most this; 0 leaves syncing to the operating system.
  std::uint32_t sync_interval_ms = 10'000;

  // Limits of one file: bytes, of which 2 MiB are reserved for its end, and keyframes. The defaults are those
  // of the format, below the 4 GiB of its offsets. At either limit the recording ends, marked as incomplete,
  // and tick() returns over_limit: another recorder can be begun before this one ends.
  std::uint64_t file_limit_bytes = icrep::writer_file_limit_bytes;
  std::uint32_t file_limit_keyframes = icrep::limits{}.keyframes;
  // Instead, continue in further files: the match becomes NAME.icrep, NAME.2.icrep, ... when it ends. Each
  // begins with a full keyframe, which the game is asked for in time, and is readable alone; opening the
  // first reads all. Only for container::icrep, without signatures, and for limits of at least 4 MiB and 1000
  // keyframes; a match has at most 1000 files.
  bool split = false;

  // Signs the match with the Ed25519 key pair of these 32 secret bytes: the state hash of the first tick with
  // one in each interval, and at the end, each with everything recorded up to there. What that proves depends
  // on the owner of the secret: a relay's key confirms a match, a key in every copy of the game proves
  // nothing.
  std::optional<std::array<std::byte, 32>> signing_key_seed = {};
  std::uint32_t signing_interval_ticks = 30;

  // If false, voice() rejects everything.
  bool record_voice = false;

  // Derives events that the game does not report.
  std::optional<detection> detect = {};

  // own_thread: a writer thread. pumped: the game calls pump() from its own job.
  threading mode = threading::own_thread;
  // Additional receivers of the reel's bytes, for example reel::queued_sink. end() waits for them as long as
  // their options say; the reel is removed only after all of them have everything.
  reel::sink_factory sinks = {};
  // Reports failures of the reel while the match is recorded; end() returns those of the file that it writes.
  failure_observer observer = {};
  // The seam to the operating system; must outlive the recorder.
  system_calls* calls = nullptr;
};

// Readable at any time from any thread. As in any recorder, `ticks` are counted; `noted` are numbers that the
// game left out, `events` include voice packets, `keyframes` include deltas.
struct match_counters : recorder_counters {
  // Dropped for lack of space, abandoned by the game, too large, or not written. Not counted as lost ticks.
  std::uint64_t keyframes_lost = 0;
  std::uint64_t voice_lost = 0;  // of events_lost
  // Invalid input that was changed so that every reader accepts the file. Texts get U+FFFD for each byte that
  // is not UTF-8, and are truncated: names, outcomes and the like at 1 KiB, others at 64 KiB; interned texts
  // after 1,000,000 or 16 MiB of them become U+FFFD.
  std::uint64_t fixed_texts = 0;
  // Left out: the entity FFFF:FFFF, which is the world; bytes for an unknown slot or of a wrong size; invalid
  // numbers.
  std::uint64_t rejected_values = 0;
};

// One file of a match that has several.
struct match_part {
  std::uint32_t number = 1;
  std::uint32_t of = 1;
  std::uint64_t first_tick = 0;
  std::uint64_t end_tick = ~std::uint64_t{0};  // not in it; of the last part, the match's end
};
inline constexpr std::uint32_t max_match_parts = 1000;
// Empty for a match in one file.
[[nodiscard]] std::optional<match_part> part_of(const icrep::metadata& facts);
// The path of part `number`: match.icrep, match.2.icrep, match.3.icrep.
[[nodiscard]] file_path part_path(const file_path& first, std::uint32_t number);

// The parts of the lost frames in a file's header, counted separately in its metadata.
struct match_losses {
  std::uint64_t ticks = 0;
  std::uint64_t keyframes = 0;
  std::uint64_t events = 0;  // and voice packets
};
// Empty if the metadata do not contain them.
[[nodiscard]] std::optional<match_losses> losses_of(const icrep::metadata& facts);

// match_counters::fixed_texts and rejected_values, as stored in the metadata.
struct match_fixes {
  std::uint64_t texts = 0;
  std::uint64_t values = 0;
};
[[nodiscard]] std::optional<match_fixes> fixes_of(const icrep::metadata& facts);

}  // namespace tickreel::game
