// Statistics over many games.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tickreel::library {

struct player_statistics {
  std::string name;
  std::uint64_t games = 0;
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;  // games with an unknown winner are neither
  std::int64_t played_ms = 0;
};

struct group_statistics {
  std::string name;  // of a map or a format
  std::uint64_t games = 0;
  std::int64_t played_ms = 0;
  std::uint64_t bytes = 0;  // of files; formats only
};

struct statistics {
  std::uint64_t games = 0;
  std::uint64_t files = 0;
  std::uint64_t damaged_files = 0;
  std::uint64_t players = 0;  // different ones
  std::int64_t played_ms = 0;
  std::vector<player_statistics> by_player;  // the most games first
  std::vector<group_statistics> by_map;      // the most time first
  std::vector<group_statistics> by_format;   // the most games first
};

// A self-contained HTML page: tables, and charts as SVG. The first `rows` of each list.
[[nodiscard]] std::string html_page(const statistics& from, std::size_t rows = 30);
// The charts alone, as one SVG document.
[[nodiscard]] std::string svg_charts(const statistics& from, std::size_t rows = 30);

}  // namespace tickreel::library
