// One clip out of one reel that may still be written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// The file's name without its format, once it was chosen: the same in all of them.
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

// The ticks from and to these times, UTC, as a file beside the recording, NAME_LABEL.butter; with -2, -3
// where that is taken. Frames stay as they are, so it begins with the keyframe before.
result<cut_result> cut_clip(const clip_source& from, std::int64_t from_ms, std::int64_t to_ms,
                            std::string_view label, clip_name& name, const files::monitor& watch = {});

[[nodiscard]] std::string name_of_clip(const file_path& path);

}  // namespace tickreel::echo_vr
