// What recorders before version 0.2 left when they died: a live .icrep with its spools NAME.icrep.kf, .ev and
// .vo beside it. Read and finished for ever, never written.
#pragma once

#include <cstdint>

#include "tickreel/icrep/layout.hpp"
#include "tickreel/io/file.hpp"

namespace tickreel::game {

// Offsets in the format are 32 bits wide; a longer file is none of ours.
inline constexpr std::uint64_t most_file_bytes = UINT32_MAX;

[[nodiscard]] file_path keyframe_spool_path(const file_path& path);
[[nodiscard]] file_path event_spool_path(const file_path& path);
[[nodiscard]] file_path voice_spool_path(const file_path& path);

// A whole file; empty when there is none.
result<byte_vector> read_whole_or_nothing(const file_path& path, system_calls& calls);

result<void> remove_spools(const file_path& path, system_calls& calls);

}  // namespace tickreel::game
