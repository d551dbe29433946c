// .butter frames from one file to another without decoding and encoding them anew.
#pragma once

#include <filesystem>
#include <optional>

#include "tickreel/recording/convert.hpp"
#include "tickreel/recording/recover.hpp"

namespace tickreel::recording {

// The same frames, compressed as the options say. Fails where the input is damaged inside.
result<convert_report> recompress_butter(const std::filesystem::path& input,
                                         const std::filesystem::path& output, const convert_options& options);

// Every frame that can be decoded, in chunks kept as they are where they are whole.
result<recover_report> salvage_butter(const std::filesystem::path& input, const std::filesystem::path& output,
                                      const recover_options& options);

}  // namespace tickreel::recording
