// Restores the side data beside a .butter when its ticks are read.
#pragma once

#include <memory>

#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/extra.hpp"

namespace tickreel::files {

// The source with the side data of its NAME.extra.json, if that exists. A file that belongs to another
// recording or is unreadable is ignored and reported as a loss.
std::unique_ptr<echo_source> with_extra(std::unique_ptr<echo_source> source, const file_path& butter);

}  // namespace tickreel::files
