// replay.initData, and replay.info of the 2010 beta: the lobby at the start of the game. Bit-packed; its
// layout depends on the base build.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

// The data of each client. The index is the user number of game events and messages; most are empty.
struct lobby_user {
  std::string name;
  std::optional<std::string> clan_tag = std::nullopt;
  std::uint32_t random_seed = 0;
  std::optional<std::uint32_t> race = std::nullopt;  // see lobby_slot
  std::optional<std::uint32_t> team = std::nullopt;
  std::uint32_t observe = 0;
  std::optional<std::uint32_t> highest_league = std::nullopt;
  std::optional<std::uint32_t> combined_race_levels = std::nullopt;
  std::optional<std::int32_t> scaled_rating = std::nullopt;
  std::string toon_handle;  // "2-S2-1-278321"; 2.5 on, often empty
  bool operator==(const lobby_user&) const = default;
};

enum class slot_control : std::uint8_t { open = 0, closed = 1, human = 2, computer = 3 };

struct lobby_slot {
  std::uint32_t control = 0;  // a slot_control
  std::optional<std::uint32_t> user_id = std::nullopt;
  std::uint32_t team_id = 0;
  std::optional<std::uint32_t> color = std::nullopt;
  std::optional<std::uint32_t> race = std::nullopt;  // 0 Terran, 1 Zerg, 2 Protoss; empty: random
  std::uint32_t difficulty = 0;
  std::uint32_t ai_build = 0;
  std::uint32_t handicap = 100;
  std::uint32_t observe = 0;  // 0 plays, 1 spectates, 2 referees
  std::optional<std::uint32_t> working_set_slot_id = std::nullopt;
  std::string toon_handle;
  std::string commander;  // of cooperative missions
  std::uint32_t commander_level = 0;
  bool operator==(const lobby_slot&) const = default;
};

// "lock_teams", "amm" (matched by the game's servers), "competitive", "fog" ...; the build determines which
// exist. Names are in static storage.
struct game_option {
  std::string_view name;
  std::uint64_t value = 0;
  bool operator==(const game_option&) const = default;
};

// The player list at the end of replay.info. Its index is the player number; entry 0 is empty.
struct beta_player {
  std::string name;
  std::string race;
  std::string color;  // "a,r,g,b" in decimal
  bool operator==(const beta_player&) const = default;
};

struct lobby {
  std::vector<lobby_user> users;
  std::vector<lobby_slot> slots;
  std::vector<game_option> options;

  std::string game_cache_name;
  std::string map_file_name;
  std::string map_author_name;
  std::vector<std::string> cache_handles;  // 40 bytes each
  std::uint32_t random_value = 0;
  std::uint32_t game_speed = 0;  // 0 slower ... 4 faster
  std::uint32_t game_type = 0;
  std::uint32_t max_players = 0;
  std::uint32_t map_size_x = 0;
  std::uint32_t map_size_y = 0;
  bool is_blizzard_map = false;
  bool is_coop_mode = false;

  std::uint32_t random_seed = 0;
  std::optional<std::uint32_t> host_user_id = std::nullopt;
  bool is_single_player = false;
  std::uint32_t default_difficulty = 0;

  // Of replay.info.
  std::string title;
  std::string difficulty;
  std::vector<beta_player> players;
  bool operator==(const lobby&) const = default;
};

// From the bytes of replay.initData, or of replay.info if the base build is of the beta. They must end with
// the last field. A base build newer than the layouts is read as the newest one; if that fails, the lobby is
// unknown, and the rest of the replay is not affected.
result<lobby> read_lobby(byte_span bytes, std::uint32_t base_build);

// The inverse. Values that a lobby lacks (rewards, licences, allowed choices) are written as 0 or empty.
// invalid_argument if a value does not fit the build's fields.
result<byte_vector> write_lobby(const lobby& what, std::uint32_t base_build);

// A text in a lobby: `list` is its array ("user_initial_data", "slots", "players"; otherwise empty), `index`
// the index there, `field` the name.
struct lobby_text {
  std::string_view list;
  std::size_t index = 0;
  std::string_view field;
  std::string_view text;
};

// The same lobby with other texts; everything else stays, including fields that this library does not expose.
// `replace` is called for every non-empty text, and for values of a fixed number of bytes, such as a clan's
// logo; an empty optional keeps it. A text that does not fit its field fails with invalid_argument.
result<byte_vector> rewrite_lobby(
    byte_span bytes, std::uint32_t base_build,
    const std::function<std::optional<std::string>(const lobby_text&)>& replace);

}  // namespace tickreel::sc2replay
