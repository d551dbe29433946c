// The metadata of a match: what the file says about it in words.
#pragma once

#include "tickreel/game/world_recorder.hpp"

namespace tickreel::game {

// When the match was, by its metadata, in microseconds since 1970 UTC; 0: they do not say.
[[nodiscard]] std::int64_t start_time_us(const icrep::metadata& facts) noexcept;
// Under "x_lost": {"ticks", "keyframes", "events"}.
void add_losses(icrep::metadata& facts, const match_losses& lost);
// Under "x_mended": {"texts", "values"}.
void add_mending(icrep::metadata& facts, const match_mending& mended);

// Texts are mended, and counted.
[[nodiscard]] icrep::metadata facts_of(const match& about, const world_layout& layout,
                                       const match_options& options, match_mending& mended);

// The bytes of outcomes that metadata as they were at the start still have room for; nothing when they are
// too long themselves.
[[nodiscard]] std::optional<std::size_t> room_for_outcomes(const icrep::metadata& facts);
// Outcomes as they can be written in so much room. What has none is empty.
[[nodiscard]] std::vector<std::string> mend_outcomes(std::vector<std::string> outcomes, std::size_t room,
                                                     match_mending& mended);

// The same at the end of a match of so many ticks.
void finish_facts(icrep::metadata& facts, const match& about, const match_result& how,
                  std::uint64_t total_ticks);

}  // namespace tickreel::game
