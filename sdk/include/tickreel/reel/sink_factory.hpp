// Sinks of recordings whose reels are named by their recorder.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::reel {

// Called before the reel is created, which then lies at that path; what it makes gets the reel from its
// header on. One that never gets a header belongs to a recording that could not begin.
using sink_factory = std::function<std::vector<std::unique_ptr<sink>>(const file_path& reel)>;

}  // namespace tickreel::reel
