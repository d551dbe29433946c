// The metadata: a JSON object that describes the match, its players, and the versions. Unknown members are
// preserved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/schema.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct mod_entry {
  std::string id;
  std::string version;
  bool operator==(const mod_entry&) const = default;
};

struct player_entry {
  std::uint32_t slot = 0;
  std::string name;  // the display name, no other personal data
  std::string faction;
  std::string outcome;  // "won", "lost", ..., "unknown"
  double apm_avg = 0;
  bool operator==(const player_entry&) const = default;
};

// Unknown keys, each with its value as JSON text.
using other_members = std::vector<std::pair<std::string, std::string>>;

// "converted_from": the recording was imported from another format.
struct conversion {
  std::string source;
  std::string original_file;
  std::string original_mod;
  std::string original_version;
  std::string conversion_date;
  std::string translation_warnings_json = "[]";
  std::optional<std::uint64_t> diverged_at_tick;
  other_members others;
  bool operator==(const conversion&) const = default;
};

// "branch_from": the match was continued from the middle of another recording.
struct branch {
  std::string parent_replay_id;
  std::string parent_replay_file_sha256;
  std::uint64_t branch_tick = 0;
  std::string branch_state_hash;
  std::uint32_t original_player_slot = 0;
  std::string ai_assignments_json = "[]";
  other_members others;
  bool operator==(const branch&) const = default;
};

struct metadata {
  std::string replay_id;  // UUID
  std::string timestamp;  // RFC 3339
  std::string engine_version;
  std::uint32_t base_build = 1;
  std::string data_version;  // "sha256:" and hex
  std::string game_module;
  std::vector<mod_entry> active_mods;
  std::string map_name;
  std::string map_hash;    // "sha256:" and hex
  std::string game_speed;  // slowest, slower, normal, faster, fastest
  std::string balance_preset;
  std::uint64_t total_ticks = 0;
  double duration_seconds = 0;
  std::vector<player_entry> players;
  std::uint64_t initial_rng_seed = 0;
  bool is_signed = false;
  std::optional<std::string> relay_server;
  std::optional<conversion> converted_from;
  std::optional<branch> branch_from;
  std::optional<std::string> state_hash;  // "core-sha256": state hashes are core_hash()
  std::optional<std::string> tick_rate;   // ticks per second as a fraction, "15/1"
  std::optional<icrep::schema> schema;
  other_members others;
  bool operator==(const metadata&) const = default;

  [[nodiscard]] bool hashes_core() const noexcept { return state_hash == "core-sha256"; }
};

// The key under which a recorder lists the types of events that it derived from states.
inline constexpr std::string_view derived_types_key = "x_derived";
// The same as bits: bit n for events of type n.
[[nodiscard]] std::uint32_t derived_types(const metadata& facts) noexcept;

// Compact, keys in the order above, unknown ones last. The same metadata produce the same text. The output is
// JSON for any texts: bytes that are not UTF-8 become U+FFFD, and NaN and infinity 0.
[[nodiscard]] std::string to_json(const metadata& facts);

// over_limit, or bad_json: not an object in UTF-8, or a key above with a value of another type. Absent keys
// keep their defaults.
[[nodiscard]] result<metadata> read_metadata(std::string_view json, const limits& most = {});

// Replaces names by "Player 1", ... by their indices.
void anonymize(metadata& facts);

// Milliseconds per tick at a named speed (80, 67, 50, 35, 20); empty for other names.
[[nodiscard]] std::optional<std::uint32_t> tick_duration_ms(std::string_view game_speed) noexcept;

// The duration of a tick in seconds, by tick_rate, otherwise by game_speed; empty without either.
[[nodiscard]] std::optional<double> tick_seconds(const metadata& facts) noexcept;

}  // namespace tickreel::icrep
