// Computes rows of player statistics from the events of an .icrep.
#pragma once

#include "icrep_clock.hpp"
#include "tickreel/analysis/statistics.hpp"
#include "tickreel/files/statistics.hpp"
#include "tickreel/icrep/metadata.hpp"

namespace tickreel::files {

// `lossy`: events are missing, so every value is uncertain.
[[nodiscard]] match_rows statistics_of(const icrep::metadata& facts, std::uint64_t ticks,
                                       const icrep_clock& clock, const analysis::statistics& counted,
                                       bool lossy);

}  // namespace tickreel::files
