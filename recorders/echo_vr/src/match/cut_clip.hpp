// Cuts one clip out of one reel that may still be written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// The file name without its format, after it was chosen: common to all formats.
struct clip_name {
  file_path stem;
};

struct cut_result {
  file_path path;
  std::uint64_t ticks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t lost_ticks = 0;
};

// Whether ticks up to that time, UTC, are in the reel.
[[nodiscard]] bool is_sealed(const clip_source& from, std::int64_t to_ms);

// Saves the ticks between these times, UTC, as a file beside the recording, NAME_LABEL.butter; with -2, -3 if
// the name is taken. Frames are copied unchanged, so it begins at the preceding keyframe.
result<cut_result> cut_clip(const clip_source& from, std::int64_t from_ms, std::int64_t to_ms,
                            std::string_view label, clip_name& name, const files::monitor& watch = {});

[[nodiscard]] std::string name_of_clip(const file_path& path);

}  // namespace tickreel::echo_vr
