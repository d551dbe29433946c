// --publish of the verbs that record.
#pragma once

#include <memory>
#include <vector>

#include "publish_arguments.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"

namespace tickreel::cli {

// Where a match's bytes go beside its reel. `first` is the only format that is published: the others hold the
// same match. Reported, and no result, when the address or the environment is wrong.
[[nodiscard]] std::optional<echo_vr::match_sinks> published_matches(const publish_arguments& arguments,
                                                                    echo_vr::record_format first);

}  // namespace tickreel::cli
