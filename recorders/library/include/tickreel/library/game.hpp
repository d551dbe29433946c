// A game in the index, and queries for games.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/io/path.hpp"

namespace tickreel::files {
struct summary;
}

namespace tickreel::library {

// Whether files of that format contain many games, each identified by its place in the file.
[[nodiscard]] bool is_collection(std::string_view format) noexcept;

struct player {
  std::string name;
  std::string team;  // as in the format; empty if unknown
  std::optional<std::uint64_t> userid = std::nullopt;
  std::optional<bool> won = std::nullopt;  // empty if unknown
  std::string statistics = "{}";           // a JSON object with the format's facts
};

struct game {
  std::int64_t id = 0;  // in the index
  // The file that contains it.
  file_path file;
  std::string format;
  std::uint32_t format_version = 0;
  std::uint64_t bytes = 0;
  std::string health;  // whole, incomplete, recovered, damaged
  std::string reason;  // why it is not whole; empty if it is
  bool vanished = false;
  std::uint64_t place = 0;  // which game of the file
  // The game. Texts are empty and times missing if the format does not contain them.
  std::string name;
  std::string session;  // the id of this match in the game or its server
  std::string map;
  std::string cut_from;  // of a clip: its recorded origin
  std::string mode;
  std::string result;                                     // the team that won
  std::optional<std::int64_t> started_ms = std::nullopt;  // since 1970, by the recording's clock
  std::int64_t duration_ms = 0;
  std::uint64_t ticks = 0;
  std::vector<player> players;
};

// The game of a recording, without facts of its file.
[[nodiscard]] game game_of(const files::summary& from);

// Empty members do not restrict. Texts are compared without regard to the case of ASCII letters; "*" matches
// any text, "?" one letter.
struct query {
  std::string player = {};
  std::string map = {};
  std::string mode = {};
  std::string format = {};
  std::string session = {};
  // The team that won; or "won" or "lost", for `player`.
  std::string result = {};
  std::optional<std::int64_t> after_ms = std::nullopt;   // since 1970, inclusive
  std::optional<std::int64_t> before_ms = std::nullopt;  // exclusive
  std::optional<std::int64_t> min_length_ms = std::nullopt;
  std::optional<std::int64_t> max_length_ms = std::nullopt;
  bool damaged = false;     // only files that are not whole
  bool vanished = false;    // also files that no longer exist
  std::uint64_t limit = 0;  // 0: none
};

}  // namespace tickreel::library
