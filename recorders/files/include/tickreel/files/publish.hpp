// Publishes a reel: writes it in its final format.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct publish_options {
  // gzip is the only codec that every known .butter reader supports. Ignored by formats that do not support it.
  codec_options codec = {.codec = codec_id::gzip};
  bool overwrite = false;
  // Called periodically with bytes done and total bytes.
  std::function<void(std::uint64_t, std::uint64_t)> progress = {};
  // Called periodically; true: stop with the error interrupted.
  std::function<bool()> cancelled = {};
  // For an "echoreplay" reel that is still being written, so that little work remains when it ends. Called
  // whenever all of its current content is published; may block. False: the reel is closed and does not grow
  // further.
  std::function<bool()> wait_for_more = {};
  // Decodes lines that are otherwise copied unread. Those that no reader accepts are lost, as in other formats.
  bool checks_lines = false;
};

struct publish_report {
  std::uint64_t bytes = 0;
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;        // in gap records and beyond, as far as they can be counted
  std::vector<std::string> lost = {};  // each loss with its ticks, as sentences
  // Content that the output's format cannot store, as sentences; not a loss of this recording.
  std::vector<std::string> left_out = {};
  std::uint64_t torn_bytes = 0;  // after the last complete record; not published
  bool reel_was_closed = false;  // false: the recorder was killed
};

// Writes the reel's frames to `output`, whose format is the reel's own (a "butter" reel becomes .butter, an
// "echoreplay" reel a zipped .echoreplay, a reel of Echo VR rows the format that the output's name says). Uses
// bounded memory. The reel is only read. The output appears complete or not at all: it is deleted if it cannot
// be opened again (malformed). Dependent ticks of losses are left out and reported. Errors: missing_keyframe if
// no tick of the reel is readable; unsupported_version, with both versions, for frames of an unknown encoder
// version.
result<publish_report> publish(const file_path& reel, const file_path& output,
                               const publish_options& options = {});

}  // namespace tickreel::files
