// Creates the sinks of recordings whose reels are named by their recorder.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::reel {

// Called before the reel is created at that path; the sinks receive the reel from its header on. A sink that
// never receives a header belongs to a recording that could not begin.
using sink_factory = std::function<std::vector<std::unique_ptr<sink>>(const file_path& reel)>;

}  // namespace tickreel::reel
