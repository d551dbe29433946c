// StarCraft II replays as .icrep: metadata, players, analysis events, and chat as orders.
#pragma once

#include "tickreel/recording/conversion.hpp"

namespace tickreel::recording {

result<conversion_report> convert_sc2replay_to_icrep(const std::filesystem::path& input,
                                                     const std::filesystem::path& output,
                                                     const conversion_options& options);

}  // namespace tickreel::recording
