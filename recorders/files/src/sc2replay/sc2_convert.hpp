// Converts StarCraft II replays to .icrep: metadata, players, analysis events, and chat as orders.
#pragma once

#include "tickreel/files/conversion.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

result<conversion_report> convert_sc2replay_to_icrep(const file_path& input, const file_path& output,
                                                     const conversion_options& options);

}  // namespace tickreel::files
