// replay.gamemetadata.json, from 3.4 on: results that the game computed at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

struct metadata_player {
  std::uint8_t number = 0;                      // as in tracker events
  std::optional<double> rating = std::nullopt;  // "MMR", of ranked games
  std::optional<double> actions_per_minute = std::nullopt;
  std::string result;         // "Win", "Loss", "Tie", "Undecided"
  std::string selected_race;  // "Terr", "Zerg", "Prot", "Rand"
  std::string assigned_race;
  bool operator==(const metadata_player&) const = default;
};

struct game_metadata {
  std::string title;         // of the map
  std::string game_version;  // "5.0.0.80949"
  std::string data_build;
  std::string data_version;
  std::string base_build;                                 // "Base80949"
  std::optional<double> duration_seconds = std::nullopt;  // 16 loops each, whatever the speed
  std::vector<metadata_player> players;
  bool operator==(const game_metadata&) const = default;
};

// Unknown members are skipped, and so are values of another type. bad_json if it is not a JSON object,
// over_limit beyond 1 MiB.
result<game_metadata> read_game_metadata(byte_span json);

// Parses to an equal value.
[[nodiscard]] byte_vector write_game_metadata(const game_metadata& what);

}  // namespace tickreel::sc2replay
