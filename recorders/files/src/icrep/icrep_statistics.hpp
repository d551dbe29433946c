// What an .icrep's events say about its players, as rows.
#pragma once

#include "icrep_clock.hpp"
#include "tickreel/analysis/statistics.hpp"
#include "tickreel/files/statistics.hpp"
#include "tickreel/icrep/metadata.hpp"

namespace tickreel::files {

// `lossy`: events are missing, and so every value may be otherwise.
[[nodiscard]] match_rows statistics_of(const icrep::metadata& facts, std::uint64_t ticks,
                                       const icrep_clock& clock, const analysis::statistics& counted,
                                       bool lossy);

}  // namespace tickreel::files
