// Options of convert and clip, and the work that they share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "console/codec_arguments.hpp"
#include "console/shard.hpp"
#include "tickreel/files/range.hpp"

namespace tickreel::cli {

struct convert_arguments {
  std::string input;
  std::string output;
  std::string to;  // a format's name; empty: from the output's extension
  codec_arguments codec;
  std::optional<std::uint32_t> keyframe_interval_ticks;
  files::tick_range range;
  shard part;
  bool bones = true;
  bool repair = false;
  bool extra = false;
  bool attach = false;
  bool force = false;
  bool json = false;
};

// Converts, reports the result, and returns the exit code.
int run_conversion(const convert_arguments& arguments);

}  // namespace tickreel::cli
