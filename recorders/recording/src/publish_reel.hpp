// publish() for callers that may want to stop it.
#pragma once

#include "tickreel/recording/publish.hpp"
#include "tickreel/recording/recording.hpp"

namespace tickreel::recording {

result<publish_report> publish_reel(const std::filesystem::path& reel, const std::filesystem::path& output,
                                    const publish_options& options, const monitor& watch);

}  // namespace tickreel::recording
