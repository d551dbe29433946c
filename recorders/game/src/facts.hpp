// The metadata of a match: its descriptive facts.
#pragma once

#include "tickreel/game/world_recorder.hpp"

namespace tickreel::game {

// The start of the match, by its metadata, in microseconds since 1970 UTC; 0: unknown.
[[nodiscard]] std::int64_t start_time_us(const icrep::metadata& facts) noexcept;
// Under "x_lost": {"ticks", "keyframes", "events"}.
void add_losses(icrep::metadata& facts, const match_losses& lost);
// Under "x_mended": {"texts", "values"}.
void add_fixes(icrep::metadata& facts, const match_fixes& fixes);

// Invalid texts are fixed, and counted.
[[nodiscard]] icrep::metadata facts_of(const match& about, const world_layout& layout,
                                       const match_options& options, match_fixes& fixes);

// The bytes of outcomes for which metadata of the beginning still have space; empty if they are too long
// themselves.
[[nodiscard]] std::optional<std::size_t> room_for_outcomes(const icrep::metadata& facts);
// Outcomes, shortened to the available space. An outcome without space is empty.
[[nodiscard]] std::vector<std::string> fix_outcomes(std::vector<std::string> outcomes, std::size_t room,
                                                    match_fixes& fixes);

// The same at the end of a match of so many ticks.
void finish_facts(icrep::metadata& facts, const match& about, const match_result& how,
                  std::uint64_t total_ticks);

}  // namespace tickreel::game
