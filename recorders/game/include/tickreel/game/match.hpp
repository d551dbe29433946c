// What a recorder is told about a match, and how it should record.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/chunk/codec.hpp"
#include "tickreel/game/detection.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/reel/file.hpp"

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

// Both hold the same; convert.hpp makes one of the other.
enum class container : std::uint8_t {
  icrep,  // what tools and viewers take
  reel,   // one file at all times, no spools; sealed chunks can be followed and sent while it is written
};

struct recording_options {
  container file = container::icrep;
  codec_options reel_codec = {};

  // Ticks between keyframes; 1 keeps the state of every tick, for games that can't be simulated again. Every
  // `full_keyframe_every`-th is whole, the others are deltas against it.
  std::uint32_t keyframe_interval_ticks = 300;
  std::uint32_t full_keyframe_every = 10;

  // Ticks, keyframes and events that wait for the writer. What comes when it is full is dropped and counted.
  std::uint32_t queue_items = 512;
  std::uint32_t queue_bytes = 64u << 20;
  std::uint32_t event_queue_items = 1024;
  // How long the game's thread may wait for room; 0 to 5. It never waits by default.
  std::uint32_t wait_limit_ms = 0;

  // What has been recorded is handed to the operating system, in blocks of its own, at least this often: a
  // crash of the process loses no more. Blocks are longer, so files smaller, when this is.
  std::uint32_t flush_interval_ms = 1000;
  // A power cut loses no more than this; 0 leaves it to the operating system.
  std::uint32_t sync_interval_ms = 10'000;

  // At this size the file is finished, marked as incomplete, and nothing more is recorded: tick() then
  // answers over_limit. The default is the format's own, below the 4 GiB that its offsets reach.
  std::uint64_t file_limit_bytes = icrep::writer_file_limit_bytes;

  // Signs the match with the Ed25519 key pair that comes from these 32 secret bytes: state hashes at the
  // first tick of each interval that has one, and at the end. What that proves depends on who has the secret:
  // a relay's key vouches for a match, a key in every copy of the game for nothing.
  std::optional<std::array<std::byte, 32>> signing_key_seed = {};
  std::uint32_t signing_interval_ticks = 30;

  // Without this voice() takes nothing.
  bool record_voice = false;
  std::uint32_t voice_queue_items = 256;

  // Finds events that the game does not tell.
  std::optional<detection> detect = {};

  // own_thread: a writer thread. pumped: the game calls pump() from a job of its own.
  threading mode = threading::own_thread;
  // The seam to the operating system; must outlive the recorder.
  system_calls* calls = nullptr;
};

// Readable at any time from any thread.
struct recording_counters {
  std::uint64_t ticks = 0;           // taken into the queue
  std::uint64_t keyframes = 0;       // taken into the queue
  std::uint64_t lost_ticks = 0;      // found no room, or could not be written
  std::uint64_t lost_keyframes = 0;  // the same
  std::uint64_t lost_events = 0;     // the same; not counted as lost frames
  std::uint64_t lost_voice = 0;      // the same
  std::uint64_t failed_writes = 0;
};

}  // namespace tickreel::game
