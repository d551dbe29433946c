// How far recordings, played in the game and seen by a client, are off the ways that a script meant.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "tickreel/npc/script.hpp"
#include "tickreel/npc/timeline.hpp"
#include "tickreel/samp_rec/playback.hpp"

namespace tickreel::npc {

// Of one actor. Takes memory in proportion to its blocks, and the time of as many steps of a client.
[[nodiscard]] samp_rec::playback_report simulate_playback(const plan& part, const timeline& when,
                                                          const samp_rec::playback_options& options = {});

// Of each actor of a script, in their order; an error is one that building would give.
[[nodiscard]] tl::expected<std::vector<samp_rec::playback_report>, problem> simulate_playback(
    production& what, const samp_rec::playback_options& options = {});

}  // namespace tickreel::npc
