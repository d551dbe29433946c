// Conversions between Echo VR formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/butter/encoder.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/bone_errors.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct convert_options {
  std::string_view to = {};  // the name of a format, see echo_outputs(); empty: from the output's name
  // Empty: gzip for .butter and .echoreplay (which has no other codec), zstd for a reel.
  std::optional<codec_options> codec = std::nullopt;
  // Empty: that of the source, else 300, or 60 in a reel. If this, `hold`, `repair` or `bones` is set,
  // .butter -> .butter encodes the frames again; otherwise it keeps them bit by bit and only compresses them
  // again.
  std::optional<std::uint32_t> keyframe_interval_ticks = std::nullopt;
  std::optional<butter::tolerances> hold = std::nullopt;
  bool bones = true;
  // To a reel: bones may be that far from those of the source. The reel then stores states alone, not the source's
  // text.
  std::optional<echo::bone_errors> bone_errors = std::nullopt;
  bool repair = false;
  // Copies only these ticks. If .butter frames are kept, the output begins with the keyframe at or before the
  // range. Damage in the range is skipped and reported; damage elsewhere is not read.
  tick_range range = {};
  // For a range of an open source: the origin that the clip records, if the output's format can store it.
  std::string cut_from = {};
  // Writes a NAME.extra.json beside each .butter, with what a .butter cannot store. When a whole .butter is
  // read, its NAME.extra.json is always used if it exists: what fits is restored into an .echoreplay or a
  // reel.
  bool extra = false;
  bool overwrite = false;
  monitor watch = {};
};

struct convert_report {
  std::uint64_t ticks = 0;
  std::uint64_t bytes = 0;
  // In reels: copied from the source, or derived from its ticks if it stores none.
  std::uint64_t events = 0;
  // More than one if the output is a .butter or a capture and the session or the map changed, or one file is full:
  // X.butter, X-2.butter, ...
  std::vector<file_path> files;
  std::uint64_t new_matches = 0;         // files begun because the session or the map changed
  std::uint64_t full_player_tables = 0;  // files begun because a .butter holds at most 255 players
  std::uint64_t full_captures = 0;       // files begun because a capture holds at most 1,000,000 ticks
  source_losses losses;
  // Content that a capture or a reel cannot store, as sentences; also the last ones of losses.places.
  std::vector<std::string> not_stored;
  // Content that .butter cannot store; all zero for other targets.
  butter::omissions left_out;
  std::optional<cut_place> cut = std::nullopt;  // of a range
  bool kept_frames = false;                     // .butter -> .butter without encoding again
  [[nodiscard]] bool lossy_source() const noexcept { return losses.any(); }
};

// Uses bounded memory. Each output appears complete or not at all. .echoreplay -> .echoreplay keeps the text
// of every readable line. Errors: out_of_range, with the existing ticks, if the range contains no tick;
// invalid_argument if no format of echo_outputs() is named; unsupported_codec if the format does not
// support the codec; truncated if the source has no tick.
result<convert_report> convert(const file_path& input, const file_path& output,
                               const convert_options& options = {});

// The same for all ticks of any source.
result<convert_report> convert(echo_source& input, const file_path& output,
                               const convert_options& options = {});

}  // namespace tickreel::files
