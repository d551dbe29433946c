// Detects a second recording after the first one in the same file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

struct concatenated_recording {
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> ticks;  // if they can be counted
};

// Searches for the format's magic bytes at which a second recording can be opened. Empty for a format without
// magic bytes.
result<std::optional<concatenated_recording>> find_concatenated(const file_path& input, const format& of,
                                                                const monitor& watch);
// Facts about the recording that begins at that offset.
concatenated_recording concatenated_at(const file_path& input, const format& of, std::uint64_t offset);

// The recording of any format that begins at that offset.
[[nodiscard]] std::optional<std::pair<const format*, concatenated_recording>> recording_at(
    const file_path& input, std::uint64_t offset);

// "another butter begins at offset 123, with 45 ticks: ..."
[[nodiscard]] std::string sentence_of(const concatenated_recording& what, const format& of);

}  // namespace tickreel::files
