// From a reel to the file its audience opens.
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
  // gzip is the only compression that every known .butter reader opens. Ignored for .echoreplay.
  codec_options codec = {.codec = codec_id::gzip};
  bool overwrite = false;
  // Called now and then with bytes done and bytes in all.
  std::function<void(std::uint64_t, std::uint64_t)> progress = {};
  // Now and then; true: give up, error interrupted.
  std::function<bool()> cancelled = {};
  // For an "echoreplay" reel that is still being written, so that little is left to do when it ends. Called
  // whenever all of it so far is laid out; waits as long as it likes. False: the reel is closed, and what it
  // holds now is all.
  std::function<bool()> wait_for_more = {};
};

struct publish_report {
  std::uint64_t bytes = 0;
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;        // in gap records and beyond them, as far as they can be counted
  std::vector<std::string> lost = {};  // each loss with its ticks, as sentences
  std::uint64_t torn_bytes = 0;        // behind the last whole record; not published
  bool reel_was_closed = false;        // false: the recorder died
};

// Lays the reel's frames out as `output`, whose format is the reel's own (a "butter" reel becomes .butter, an
// "echoreplay" reel a zipped .echoreplay). Bounded memory. The reel is left alone; the output appears whole
// or not at all: what cannot be opened again is not kept, which is malformed. A tick that stands on something
// that is lost is left out, and told. missing_keyframe when the reel holds no tick that could be shown;
// unsupported_version, with both versions, for frames of an encoder's version that is not known here.
result<publish_report> publish(const file_path& reel, const file_path& output,
                               const publish_options& options = {});

}  // namespace tickreel::files
