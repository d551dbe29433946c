// The deviation of a recording's playback, as clients of the game see it, from the path of the script.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "tickreel/npc/script.hpp"
#include "tickreel/npc/timeline.hpp"
#include "tickreel/samp_rec/playback.hpp"

namespace tickreel::npc {

// For one actor. Memory is proportional to its blocks; simulates each step of a client.
[[nodiscard]] samp_rec::playback_report simulate_playback(const plan& part, const timeline& when,
                                                          const samp_rec::playback_options& options = {});

// For each actor of a script, in order; errors are those of building.
[[nodiscard]] tl::expected<std::vector<samp_rec::playback_report>, problem> simulate_playback(
    production& what, const samp_rec::playback_options& options = {});

}  // namespace tickreel::npc
