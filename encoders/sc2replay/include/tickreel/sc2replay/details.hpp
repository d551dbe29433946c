// replay.details: the players as on the score screen, the map, and the end of the game. Versioned
// data; from 1.0 on.
//
//   0 players: optional array of player   1 title, the map's name in the recorder's language   2 difficulty
//   3 thumbnail {0 file}   4 map by Blizzard   5 end of the game   6 offset to local time   7 description
//   8 image file   9 map file   10 cache handles: optional array   11 mini save   12 game speed
//   13 default difficulty   14 mod paths: optional array   15 campaign   16 restarts as transition map: optional
//   17 recovering is disabled
//
//   player: 0 name   1 toon {0 region, 1 program, 2 realm, 3 name: never written, 4 id}
//   2 race, in the recorder's language   3 colour {0 a, 1 r, 2 g, 3 b}   4 control   5 team   6 handicap
//   7 observe   8 result   9 slot: optional   10 hero
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

// The identity of a player on the game's servers.
struct toon {
  std::uint32_t region = 0;
  std::uint32_t program = 0;  // a four-character code, two zeros and "S2"; 0 for computers
  std::uint32_t realm = 0;
  std::uint64_t id = 0;
  bool operator==(const toon&) const = default;
};
// "2-S2-1-278321"; "0--0-0" for computers.
[[nodiscard]] std::string handle_text(const toon& of);

enum class game_result : std::uint8_t { unknown, win, loss, tie };

struct player_color {
  std::uint8_t alpha = 0;
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  bool operator==(const player_color&) const = default;
};

struct details_player {
  std::string name;  // as stored; from 2.1 on it may begin with a clan tag, see split_name()
  sc2replay::toon toon;
  std::string race;
  player_color color;
  std::uint32_t control = 0;  // 0 open, 1 closed, 2 human, 3 computer; unreliable before 2.0
  std::uint32_t team = 0;     // likewise
  std::uint32_t handicap = 100;
  std::uint32_t observe = 0;
  std::uint32_t result = 0;  // a game_result; larger numbers are reserved
  // 2.0.3 and 2.5 on. The outer optional: whether the file has the field.
  std::optional<std::optional<std::uint32_t>> slot = std::nullopt;
  std::optional<std::string> hero = std::nullopt;
  bool operator==(const details_player&) const = default;
};

struct details {
  std::optional<std::vector<details_player>> players;  // in the order of slots
  std::string title;
  std::string difficulty;
  std::string thumbnail;
  bool map_by_blizzard = false;
  std::int64_t ended_utc = 0;     // Windows file time: 100 ns since 1601
  std::int64_t local_offset = 0;  // 100 ns; files of 2010 may contain the local time itself
  std::string description;
  std::string image_file;
  std::string map_file;
  std::optional<std::vector<std::string>> cache_handles;  // 40 bytes each: type, region, SHA-256
  bool mini_save = false;
  std::uint32_t game_speed = 4;  // 0 slower ... 2 normal ... 4 faster
  std::uint32_t default_difficulty = 0;
  // Absent in older files; the inner optional is the file's own.
  std::optional<std::optional<std::vector<std::string>>> mod_paths = std::nullopt;
  std::optional<std::uint32_t> campaign = std::nullopt;
  std::optional<std::optional<bool>> restarts_as_transition_map = std::nullopt;
  std::optional<bool> recovering_disabled = std::nullopt;
  bool operator==(const details&) const = default;
};

// Unknown fields are skipped. At most 16 players and 64 handles; more is over_limit.
result<details> read_details(byte_span bytes);

// In the order of field numbers, like the game; parses to an equal value.
[[nodiscard]] byte_vector write_details(const details& what);

// "&lt;CLAN&gt;<sp/>name" and its older forms "[CLAN]<sp/>name", "<CLAN><sp/>name", "[CLAN]name".
struct split_name_result {
  std::string clan_tag;  // without brackets; empty if there is none
  std::string name;
};
[[nodiscard]] split_name_result split_name(std::string_view stored);

// Milliseconds since 1970 of a Windows file time.
[[nodiscard]] constexpr std::int64_t unix_ms_of_file_time(std::int64_t file_time) noexcept {
  // Seconds from 1601 to 1970.
  return file_time / 10'000 - 11'644'473'600'000;
}

}  // namespace tickreel::sc2replay
