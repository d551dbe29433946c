// What a stream has let go of: a full one that drops its oldest messages, or one that keeps them for a time.
#pragma once

#include "tickreel/fleet/broker.hpp"

namespace tickreel::fleet {

// How many records of a reel that were confirmed the stream no longer has, but for those that an archiver has
// taken: all below `archived`. `first_kept`: stream_facts::first_sequence. Reads the heads of what is left of
// the match, where something may be missing.
[[nodiscard]] result<std::uint64_t> dropped_records(broker& from, const match_subjects& subjects,
                                                    const match_status& told, std::uint64_t archived,
                                                    std::uint64_t first_kept);

}  // namespace tickreel::fleet
