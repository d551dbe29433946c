// .butter frames from one file to another without decoding and encoding them anew.
#pragma once

#include <optional>

#include "tickreel/files/convert.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// The same frames, compressed as the options say. Fails where the input is damaged inside.
result<convert_report> recompress_butter(const file_path& input, const file_path& output,
                                         const convert_options& options);

// Every frame that can be trusted (butter/salvage.hpp), in chunks kept as they are where they are whole.
result<recover_report> recover_butter(const file_path& input, const file_path& output,
                                      const recover_options& options);

}  // namespace tickreel::files
