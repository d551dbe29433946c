// Codes of a frame and their texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tickreel::butter_model {

enum class game_mode : std::uint8_t { other, arena, combat };

std::string map_name_of(std::uint8_t map_byte);
game_mode mode_of_map(const std::string& map);
std::string match_type_of(game_mode mode, bool private_match);
// "mm:ss.cc", truncated and not rounded.
std::string clock_text(float seconds);
std::string status_text(std::uint8_t code);
std::string pause_text(std::uint8_t code);
// The lowest two bits.
std::string team_text(unsigned code);
std::string goal_text(unsigned code);
std::optional<std::string> holding_text(std::uint8_t code);

}  // namespace tickreel::butter_model
