// Files of recorders before version 0.2 that died: a live .icrep with its spools NAME.icrep.kf, .ev and .vo
// beside it. They remain readable and recoverable, and are never written.
#pragma once

#include <cstdint>

#include "tickreel/io/file.hpp"

namespace tickreel::game {

// Offsets in the format have 32 bits; a longer file is not of this format.
inline constexpr std::uint64_t max_file_bytes = UINT32_MAX;

[[nodiscard]] file_path keyframe_spool_path(const file_path& path);
[[nodiscard]] file_path event_spool_path(const file_path& path);
[[nodiscard]] file_path voice_spool_path(const file_path& path);

// A whole file; empty if it does not exist.
result<byte_vector> read_whole_or_nothing(const file_path& path, system_calls& calls);

result<void> remove_spools(const file_path& path, system_calls& calls);

}  // namespace tickreel::game
