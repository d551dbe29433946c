// From a reel to the file its audience opens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "tickreel/chunk/codec.hpp"
#include "tickreel/result.hpp"

namespace tickreel::recording {

struct publish_options {
  // gzip is the only compression that every known .butter reader opens. Ignored for .echoreplay.
  codec_options codec = {.codec = codec_id::gzip};
  bool overwrite = false;
  // Called now and then with bytes done and bytes in all.
  std::function<void(std::uint64_t, std::uint64_t)> progress = {};
};

struct publish_report {
  std::uint64_t bytes = 0;
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;  // counted by the reel's gap records
  std::uint64_t torn_bytes = 0;  // behind the last whole record; not published
  bool reel_was_closed = false;  // false: the recorder died
};

// Lays the reel's frames out as `output`, whose format is the reel's own (a "butter" reel becomes .butter, an
// "echoreplay" reel a zipped .echoreplay). Bounded memory. The reel is left alone; the output appears whole
// or not at all. missing_keyframe when the reel holds no tick that could be shown.
result<publish_report> publish(const std::filesystem::path& reel, const std::filesystem::path& output,
                               const publish_options& options = {});

}  // namespace tickreel::recording
