// The conversions of .icrep.
#pragma once

#include <functional>

#include "tickreel/files/conversion.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

result<conversion_report> convert_icrep_to_reel(const file_path& input, const file_path& output,
                                                const conversion_options& options);
result<conversion_report> cut_icrep(const file_path& input, const file_path& output,
                                    const conversion_options& options);
// For another format: `make` writes all of it as an .icrep, whose part `options.range` becomes the output.
result<conversion_report> cut_converted(
    const file_path& input, const file_path& output, const conversion_options& options,
    const std::function<result<conversion_report>(const file_path& whole)>& make);
// For a reel of a match.
result<conversion_report> cut_match_reel(const file_path& input, const file_path& output,
                                         const conversion_options& options);
result<conversion_report> convert_reel_to_icrep(const file_path& input, const file_path& output,
                                                const conversion_options& options);

result<recover_report> publish_match_reel(const file_path& reel, const file_path& output,
                                          const recover_options& options);

}  // namespace tickreel::files
