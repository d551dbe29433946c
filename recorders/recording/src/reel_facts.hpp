// What a reel says about itself, whatever its frames hold.
#pragma once

#include <vector>

#include "tickreel/recording/recording.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::recording {

// In a reel's metadata, with any value: written by `recover`.
inline constexpr const char* recovered_key = "recovered";

void describe_reel(const reel::reader& source, summary& out);
void inspect_reel(const reel::reader& source, std::vector<finding>& out);
// The part of it that is about how the reel ends.
void inspect_end(const reel::table_of_contents& contents, std::vector<finding>& out);

}  // namespace tickreel::recording
