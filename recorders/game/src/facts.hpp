// The metadata of a match: what the file says about it in words.
#pragma once

#include "tickreel/game/recording.hpp"

namespace tickreel::game {

// The key under which tools find the single values of a component: {"components": [{"slot", "values":
// [{"name", "kind", "offset", "size"}]}], "player_fields": ..., "world": ...}.
inline constexpr std::string_view values_key = "x_values";

[[nodiscard]] icrep::metadata facts_of(const match& about, const world_layout& layout,
                                       const recording_options& options);

// The same at the end of a match of so many ticks.
void finish_facts(icrep::metadata& facts, const match& about, const match_result& how,
                  std::uint64_t total_ticks);

}  // namespace tickreel::game
