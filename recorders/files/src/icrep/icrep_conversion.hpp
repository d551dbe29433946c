// The lines of the conversion table that concern .icrep.
#pragma once

#include <functional>

#include "tickreel/files/conversion.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

result<conversion_report> convert_icrep_to_reel(const file_path& input, const file_path& output,
                                                const conversion_options& options);
result<conversion_report> cut_icrep(const file_path& input, const file_path& output,
                                    const conversion_options& options);
// Of another format: `make` writes the whole as an .icrep, of which `options.range` becomes the output.
result<conversion_report> cut_converted(
    const file_path& input, const file_path& output, const conversion_options& options,
    const std::function<result<conversion_report>(const file_path& whole)>& make);
// Of a reel of a match.
result<conversion_report> cut_match_reel(const file_path& input, const file_path& output,
                                         const conversion_options& options);
result<conversion_report> convert_reel_to_icrep(const file_path& input, const file_path& output,
                                                const conversion_options& options);

}  // namespace tickreel::files
