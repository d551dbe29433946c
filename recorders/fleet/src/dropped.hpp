// Records that were confirmed and that the stream does not have.
#pragma once

#include "tickreel/fleet/broker.hpp"

namespace tickreel::fleet {

struct missing_counts {
  std::uint64_t expired = 0;  // the stream let go of them, by its limits
  std::uint64_t holes = 0;    // somebody removed them
};

// Without those that an archiver has: all below `archived`. `facts` of the stream, with the match's subject;
// null where there is no stream. Reads the heads of the match's messages where something may be missing.
[[nodiscard]] result<missing_counts> missing_records(broker& from, const match_subjects& subjects,
                                                     const match_status& told, std::uint64_t archived,
                                                     const stream_facts* facts);
// Always reads them.
[[nodiscard]] result<missing_counts> count_missing(broker& from, const match_subjects& subjects,
                                                   const match_status& told, std::uint64_t archived,
                                                   const stream_facts* facts);

}  // namespace tickreel::fleet
