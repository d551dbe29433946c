// Copies .butter frames from one file to another without encoding them again.
#pragma once

#include "tickreel/files/convert.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// The same frames with another codec. Fails if the input is damaged inside.
result<convert_report> recompress_butter(const file_path& input, const file_path& output,
                                         const convert_options& options);

// Every valid frame. Complete chunks are copied unchanged.
result<recover_report> recover_butter(const file_path& input, const file_path& output,
                                      const recover_options& options);

}  // namespace tickreel::files
