// --publish of the verbs that record.
#pragma once

#include <optional>

#include "delivery_watch.hpp"
#include "publish_arguments.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"

namespace tickreel::cli {

// The publishers of a match, beside its reel. Only `first` is published: the other formats hold the same
// match. Reports, and returns no result, for an invalid address or environment. `watch` must outlive it.
[[nodiscard]] std::optional<echo_vr::match_sinks> published_matches(const publish_arguments& arguments,
                                                                    echo_vr::record_format first,
                                                                    delivery_watch& watch);

}  // namespace tickreel::cli
