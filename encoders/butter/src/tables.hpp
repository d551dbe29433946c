// The codes that .butter stores instead of names.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

inline constexpr std::uint16_t keyframe_magic = 0xFEFC;
inline constexpr std::uint16_t delta_magic = 0xFEFE;

// Names are read up to this many bytes, including the 0.
inline constexpr std::size_t name_limit = 1023;

inline constexpr std::array<std::string_view, 8> map_names = {"uncoded",
                                                              "mpl_lobby_b2",
                                                              "mpl_arena_a",
                                                              "mpl_combat_fission",
                                                              "mpl_combat_combustion",
                                                              "mpl_combat_dyson",
                                                              "mpl_combat_gauss",
                                                              "mpl_tutorial_arena"};

// Code 0 stands for names without a code.
inline constexpr std::string_view not_found = "NOT FOUND";
inline constexpr std::array<std::string_view, 11> game_statuses = {
    not_found,    "",           "pre_match",        "round_start",  "playing",          "score",
    "round_over", "post_match", "pre_sudden_death", "sudden_death", "post_sudden_death"};

inline constexpr std::array<std::string_view, 4> team_codes = {"blue", "orange", "spectator", "none"};
inline constexpr std::uint8_t team_code_none = 3;

// Code 5 stands for names without a code, in version 3.
inline constexpr std::array<std::string_view, 5> pause_states = {"unpaused", "paused", "unpausing", "pausing",
                                                                 "none"};
inline constexpr std::uint8_t pause_state_other = 5;

inline constexpr std::array<std::string_view, 9> goal_types = {
    "unknown",   "BOUNCE SHOT", "INSIDE SHOT", "LONG BOUNCE SHOT", "LONG SHOT",
    "SELF GOAL", "SLAM DUNK",   "BUMPER SHOT", "HEADBUTT"};

inline constexpr std::array<std::string_view, 4> weapons = {"rocket", "blaster", "scout", "assault"};
inline constexpr std::array<std::string_view, 4> ordnances = {"stun", "det", "burst", "arc"};
inline constexpr std::array<std::string_view, 4> tac_mods = {"sensor", "wraith", "heal", "shield"};
inline constexpr std::array<std::string_view, 2> arms = {"Left", "Right"};

inline constexpr std::uint8_t holding_none = 255;
inline constexpr std::uint8_t holding_geo = 254;
inline constexpr std::uint8_t holding_disc = 253;
inline constexpr std::uint8_t holding_absent = 252;

// The name of player index 0.
inline constexpr std::string_view invalid_player = "[INVALID]";

// Bit 7 of a keyframe's team mask, which has no meaning in the format and is ignored by its readers. Our
// encoder sets it, so that a repairing reader knows that nothing needs repair.
inline constexpr std::uint8_t closed_loop_mark = 0x80;

// The index of `word` in `words`, or `otherwise`.
template <std::size_t Count>
[[nodiscard]] constexpr std::uint8_t code_of(const std::array<std::string_view, Count>& words,
                                             std::string_view word, std::uint8_t otherwise) noexcept {
  for (std::size_t i = 0; i < Count; ++i) {
    if (words[i] == word) return static_cast<std::uint8_t>(i);
  }
  return otherwise;
}

}  // namespace tickreel::butter
