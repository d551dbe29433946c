// --publish of the verbs that record.
#pragma once

#include <optional>

#include "delivery_watch.hpp"
#include "publish_arguments.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"

namespace tickreel::cli {

// Where a match's bytes go beside its reel. `first` is the only format that is published: the others hold the
// same match. Reported, and no result, when the address or the environment is wrong. `watch` outlives it.
[[nodiscard]] std::optional<echo_vr::match_sinks> published_matches(const publish_arguments& arguments,
                                                                    echo_vr::record_format first,
                                                                    delivery_watch& watch);

}  // namespace tickreel::cli
