#include "frame_texts.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace tickreel::butter_model {

std::string map_name_of(std::uint8_t map_byte) {
  static constexpr std::array names{"uncoded",
                                    "mpl_lobby_b2",
                                    "mpl_arena_a",
                                    "mpl_combat_fission",
                                    "mpl_combat_combustion",
                                    "mpl_combat_dyson",
                                    "mpl_combat_gauss",
                                    "mpl_tutorial_arena"};
  const std::size_t code = map_byte >> 1;
  return code < names.size() ? names[code] : std::to_string(code);
}

game_mode mode_of_map(const std::string& map) {
  if (map == "mpl_arena_a") return game_mode::arena;
  if (map.starts_with("mpl_combat_")) return game_mode::combat;
  return game_mode::other;
}

std::string match_type_of(game_mode mode, bool private_match) {
  switch (mode) {
    case game_mode::arena:
      return private_match ? "Echo_Arena_Private" : "Echo_Arena";
    case game_mode::combat:
      return private_match ? "Echo_Combat_Private" : "Echo_Combat";
    case game_mode::other:
      break;
  }
  return "Unknown";
}

std::string clock_text(float seconds) {
  const float magnitude = std::fabs(seconds);
  if (!(magnitude < 9e13f)) return "";
  // Hundredths are computed from the fraction in single precision: 4.79 shows as 04.79, although the float is below it.
  const float whole_seconds = std::trunc(magnitude);
  const float hundredths = std::trunc((magnitude - whole_seconds) * 100.0f);
  const auto whole = static_cast<std::int64_t>(whole_seconds) * 100 + static_cast<std::int64_t>(hundredths);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%02d:%02d.%02d", static_cast<int>(whole / 6000 % 60),
                static_cast<int>(whole / 100 % 60), static_cast<int>(whole % 100));
  return text.data();
}

std::string status_text(std::uint8_t code) {
  static constexpr std::array texts{
      "NOT FOUND",  "",           "pre_match",        "round_start",  "playing",          "score",
      "round_over", "post_match", "pre_sudden_death", "sudden_death", "post_sudden_death"};
  return code < texts.size() ? texts[code] : "NOT FOUND";
}

std::string pause_text(std::uint8_t code) {
  static constexpr std::array texts{"unpaused", "paused", "unpausing", "pausing", "none"};
  return code < texts.size() ? texts[code] : "NOT FOUND";
}

std::string team_text(unsigned code) {
  static constexpr std::array texts{"blue", "orange", "spectator", "none"};
  return texts[code & 3u];
}

std::string goal_text(unsigned code) {
  static constexpr std::array texts{"unknown",          "BOUNCE SHOT", "INSIDE SHOT",
                                    "LONG BOUNCE SHOT", "LONG SHOT",   "SELF GOAL",
                                    "SLAM DUNK",        "BUMPER SHOT", "HEADBUTT"};
  return code < texts.size() ? texts[code] : "unknown";
}

std::optional<std::string> holding_text(std::uint8_t code) {
  switch (code) {
    case 255:
      return "none";
    case 254:
      return "geo";
    case 253:
      return "disc";
    case 252:
      return std::nullopt;
    default:
      return std::to_string(code);
  }
}

}  // namespace tickreel::butter_model
