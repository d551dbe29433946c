// The content of a cache. Values are kept as stored, so that writing produces the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/gamecache/text.hpp"
#include "tickreel/gamecache/version.hpp"

namespace tickreel::gamecache {

// Two unrelated layouts; docs/formats/gamecache.md specifies both.
enum class layout : std::uint8_t {
  flagged,  // 0.9x to 2.10: each item lists its fields
  flat,     // 3.00 and later: all fields, always
};
// "flagged", "flat".
[[nodiscard]] std::string_view name(layout value) noexcept;

// The fields of an item in the flagged layout.
namespace field {
inline constexpr std::uint32_t game_name = 0x00004;
inline constexpr std::uint32_t ratio = 0x00010;
inline constexpr std::uint32_t length = 0x00020;
inline constexpr std::uint32_t mode = 0x00040;
inline constexpr std::uint32_t player_count = 0x00080;
inline constexpr std::uint32_t map_version = 0x00100;
inline constexpr std::uint32_t warcraft_version = 0x00200;
inline constexpr std::uint32_t player_names = 0x00400;
inline constexpr std::uint32_t heroes = 0x00800;
inline constexpr std::uint32_t stats = 0x01000;
inline constexpr std::uint32_t leave_times = 0x02000;
inline constexpr std::uint32_t item_gold = 0x04000;
inline constexpr std::uint32_t levels = 0x08000;
inline constexpr std::uint32_t lanes = 0x10000;
inline constexpr std::uint32_t teams = 0x20000;
inline constexpr std::uint32_t winner = 0x40000;
inline constexpr std::uint32_t actions_per_minute = 0x80000;
inline constexpr std::uint32_t all = 0xFFFF4;
}  // namespace field

// Fields are wide enough for both layouts; writing fails with invalid_argument if one does not fit.
struct player {
  text name;
  std::uint8_t hero = 0;  // names.hpp; 0: none
  std::uint8_t level = 0;
  std::uint8_t lane = 0;
  std::uint8_t team = 0;
  // All five are -1 in the flagged layout if they were not recorded. 16 bits: signed there, unsigned in the
  // flat one.
  std::int32_t kills = 0;
  std::int32_t deaths = 0;
  std::int32_t creeps = 0;
  std::int32_t denies = 0;
  std::int32_t assists = 0;             // not before 2.05
  std::int32_t actions_per_minute = 0;  // 16 bits likewise
  std::uint32_t leave_ms = 0;           // when the player left, since the start of the game
  std::int64_t item_gold = 0;           // total price of the items; 32 bits, signed in the flagged layout
  std::uint16_t gold = 0;               // flat only
  std::uint16_t neutrals = 0;           // flat only

  bool operator==(const player&) const = default;
};

struct item {
  // In the code page of the machine that wrote it. The key of a cache, see store.hpp.
  std::string path;
  // The modification time of the replay, as stored; unix_seconds() converts it.
  std::int64_t modified = 0;
  // Flagged only. The present fields. With a bit outside of field::all, everything after the path is unknown
  // and in `tail`.
  std::uint32_t fields = 0;
  std::uint32_t age = 0;  // flagged only; lower means longer unused
  text name;              // of the game
  std::string ratio;      // flagged only: "5v5"; empty if it was not DotA
  std::uint32_t length_ms = 0;
  std::string mode;                    // flagged only: "-rdsp"
  std::uint64_t mode_bits = 0;         // flat only
  std::uint32_t map_version = 0;       // version.hpp; 0: not DotA
  std::uint32_t warcraft_version = 0;  // version.hpp
  std::int8_t winner = 0;              // names.hpp
  // Flat only: indices among all the replay's players, not among those below; -1: unknown.
  std::int8_t host = -1;
  std::int8_t saver = -1;
  bool has_host_and_saver = true;  // betas before September 2012 lack both
  // Flagged: the number of values in `stats` per player, 4 or 5; 0: determined by the program's version.
  std::uint8_t stats_per_player = 0;
  std::vector<player> players;
  byte_vector tail;  // bytes after the known fields
  // Flagged, below 1.05: the stored size of the item, which is usually wrong; empty: the correct one.
  std::optional<std::uint32_t> claimed_size = std::nullopt;

  // Whether the fields after the path are known.
  [[nodiscard]] bool understood() const noexcept { return (fields & ~field::all) == 0; }
  bool operator==(const item&) const = default;
};

struct contents {
  gamecache::layout layout = layout::flagged;
  // Flagged only: as in the header. normalised_version() makes it comparable.
  std::uint32_t stored_version = version_2_09;
  std::uint32_t next_age = 0;  // flagged only
  std::vector<item> items;
  // Flat only, detected when reading: the program died before it wrote the count, which is then 0. Items are
  // the whole ones. Writing produces a finished file.
  bool unfinished = false;
  std::uint64_t torn_bytes = 0;  // after the last whole item of an unfinished file

  bool operator==(const contents&) const = default;
};

}  // namespace tickreel::gamecache
