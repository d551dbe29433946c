// What lies beside a .butter, given back with its ticks.
#pragma once

#include <memory>

#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/extra.hpp"

namespace tickreel::files {

// The source with what its file has no place for, where a file of that lies beside it. One of another
// recording, and one that cannot be read, is left alone and told as one of the losses.
std::unique_ptr<echo_source> with_extra(std::unique_ptr<echo_source> source, const file_path& butter);

}  // namespace tickreel::files
