// Confirmed records that the stream does not have.
#pragma once

#include "tickreel/fleet/broker.hpp"

namespace tickreel::fleet {

struct missing_counts {
  std::uint64_t expired = 0;  // discarded by the stream's limits
  std::uint64_t holes = 0;    // deleted by a client
};

// Without archived records: all below `archived`. `facts`: of the stream, with the match's subject; null if
// the stream does not exist. Reads the headers of the match's messages if records may be missing.
[[nodiscard]] result<missing_counts> missing_records(broker& from, const match_subjects& subjects,
                                                     const match_status& reported, std::uint64_t archived,
                                                     const stream_facts* facts);
// Always reads the headers.
[[nodiscard]] result<missing_counts> count_missing(broker& from, const match_subjects& subjects,
                                                   const match_status& reported, std::uint64_t archived,
                                                   const stream_facts* facts);

}  // namespace tickreel::fleet
