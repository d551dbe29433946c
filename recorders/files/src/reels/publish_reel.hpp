// publish() with cancellation.
#pragma once

#include "tickreel/files/publish.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

result<publish_report> publish_reel(const file_path& reel, const file_path& output,
                                    const publish_options& options, const monitor& watch);

}  // namespace tickreel::files
