// The lines of the conversion table that concern .icrep.
#pragma once

#include "tickreel/recording/conversion.hpp"

namespace tickreel::recording {

result<conversion_report> convert_icrep_to_reel(const std::filesystem::path& input,
                                                const std::filesystem::path& output,
                                                const conversion_options& options);
result<conversion_report> convert_reel_to_icrep(const std::filesystem::path& input,
                                                const std::filesystem::path& output,
                                                const conversion_options& options);

}  // namespace tickreel::recording
