// Poses, players and skeletons in the frames of version 2.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tape_tables.hpp"

namespace tickreel::tape {

// False, and counted, if a number is not finite.
bool read_vector(byte_span message, echo::vec3& to, reading& with);
void read_pose(byte_span message, echo::pose& to, reading& with);

// The players of a frame, by team, with the states of their slots from events; then the values of teams that follow from
// them. `holder`: the slot that holds the disc, if the frame has one.
void read_players(std::span<const byte_span> messages, const std::vector<slot_memory>& slots,
                  std::optional<std::int32_t> holder, echo::state& out, reading& with);

// Lengths are checked also if no skeleton is wanted: that must not affect which ticks there are.
void read_skeletons(std::span<const byte_span> messages, bool are_wanted, echo::state& out, reading& with);

}  // namespace tickreel::tape
