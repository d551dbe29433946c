// What a recorder is told about a match, and how it should record.
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
  std::uint64_t seed = 0;    // what the simulation's random generator began with
  std::uint32_t ticks_per_second = 15;
  std::vector<icrep::player_entry> players = {};  // slot, display name, faction
  // A UUID, a time (RFC 3339). Empty: made up, and now.
  std::string replay_id = {};
  std::string timestamp = {};
};

// Both hold the same; convert.hpp converts one to the other.
enum class container : std::uint8_t {
  icrep,  // what tools and viewers take; while it is recorded it is a reel beside it, NAME.icrep.reel
  reel,   // the reel itself, much smaller where there are many keyframes
};

// What a recorder_options is to a recorder; what both have has the same name.
struct match_options {
  container file = container::icrep;
  codec_options reel_codec = {};  // of container::reel

  // Ticks between keyframes; 1 keeps the state of every tick, for games that can't be simulated again. Of
  // these one in `full_keyframe_interval` is whole, the others are deltas against it.
  std::uint32_t keyframe_interval_ticks = 300;
  std::uint32_t full_keyframe_interval = 10;  // in keyframes

  // Ticks that wait for the writer, each with its keyframe, orders, events and voice. When they are too many
  // the tick is dropped and counted, or `block`: the game waits, for tools that must not lose anything. A
  // tick's keyframe alone is dropped where that makes room for the rest. drop_oldest is not to be had.
  std::uint32_t ring_ticks = 512;
  std::uint32_t ring_bytes = 64u << 20;
  loss_policy when_full = loss_policy::drop_newest;
  // How long the game's thread may wait for room with drop_newest; 0 to 5. It never waits by default.
  std::uint32_t wait_limit_ms = 0;
  // Events and voice packets that one tick may have, those of dropped ticks before it included. No such limit
  // with `block`.
  std::uint32_t events_per_tick = 1024;
  std::uint32_t voice_per_tick = 256;

  // The durability clock. A crash of the process loses no more than this,
  std::uint32_t seal_interval_ms = 1000;
  // a power cut no more than this; 0 leaves syncing to the operating system.
  std::uint32_t sync_interval_ms = 10'000;

  // What one file may have: bytes, with 2 MiB of them for its ends, and keyframes. The defaults are the
  // format's own, below the 4 GiB that its offsets reach. At either recording ends, marked as incomplete, and
  // tick() answers over_limit: another recorder can be begun before this one ends.
  std::uint64_t file_limit_bytes = icrep::writer_file_limit_bytes;
  std::uint32_t file_limit_keyframes = icrep::limits{}.keyframes;
  // Instead it goes on, and becomes NAME.icrep, NAME.2.icrep, ... when it ends. Each begins with a whole
  // keyframe, for which the game is asked in time, and can be read alone; who opens the first reads all of
  // them. Of container::icrep, without signatures, and for limits of 4 MiB and 1000 keyframes at least; a
  // match has up to 1000 files.
  bool split = false;

  // Signs the match with the Ed25519 key pair that comes from these 32 secret bytes: the state hash of the
  // first tick of each interval that has one, and at the end, each with everything recorded so far. What that
  // proves depends on who has the secret: a relay's key vouches for a match, a key in every copy of the game
  // for nothing.
  std::optional<std::array<std::byte, 32>> signing_key_seed = {};
  std::uint32_t signing_interval_ticks = 30;

  // Without this voice() takes nothing.
  bool record_voice = false;

  // Finds events that the game does not tell.
  std::optional<detection> detect = {};

  // own_thread: a writer thread. pumped: the game calls pump() from a job of its own.
  threading mode = threading::own_thread;
  // Where the reel's bytes go beside its file, for example reel::queued_sink. end() waits for those as long
  // as their options say; the reel is removed only when all of them have everything.
  reel::sink_factory sinks = {};
  // The seam to the operating system; must outlive the recorder.
  system_calls* calls = nullptr;
};

// Readable at any time from any thread. As of any recorder; ticks are what is counted there. `noted` are
// numbers that the game left out, `events` are voice packets too, `keyframes` are deltas too.
struct match_counters : recorder_counters {
  // Found no room, were given up by the game, too large, or not written. Not counted as lost ticks.
  std::uint64_t keyframes_lost = 0;
  std::uint64_t voice_lost = 0;  // of events_lost
  // What entered and could not stand as it was, so that every reader takes the file. Texts are in it with
  // U+FFFD for each byte that is no UTF-8, or cut: names, outcomes and the like at 1 KiB, others at 64 KiB;
  // interned texts after 1,000,000 or 16 MiB of them are U+FFFD.
  std::uint64_t texts_mended = 0;
  // Left out: the entity FFFF:FFFF, which is the world; bytes for a slot that the layout does not have, or of
  // another size; numbers that are none.
  std::uint64_t values_refused = 0;
};

// One file of a match that has several.
struct match_part {
  std::uint32_t number = 1;
  std::uint32_t of = 1;
  std::uint64_t first_tick = 0;
  std::uint64_t end_tick = ~std::uint64_t{0};  // not in it; of the last part, the match's end
};
inline constexpr std::uint32_t most_match_parts = 1000;
// Nothing for a match in one file.
[[nodiscard]] std::optional<match_part> part_of(const icrep::metadata& facts);
// Where part `number` is: match.icrep, match.2.icrep, match.3.icrep.
[[nodiscard]] file_path part_path(const file_path& first, std::uint32_t number);

// What the header of a file counts as lost frames in one, said apart by its metadata.
struct match_losses {
  std::uint64_t ticks = 0;
  std::uint64_t keyframes = 0;
  std::uint64_t events = 0;  // and voice packets
};
// Nothing where the metadata do not say.
[[nodiscard]] std::optional<match_losses> losses_of(const icrep::metadata& facts);

// match_counters::texts_mended and values_refused, as the metadata have them.
struct match_mending {
  std::uint64_t texts = 0;
  std::uint64_t values = 0;
};
[[nodiscard]] std::optional<match_mending> mending_of(const icrep::metadata& facts);

}  // namespace tickreel::game
