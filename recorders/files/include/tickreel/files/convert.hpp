// From one Echo VR format to another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/butter/encoder.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

enum class target : std::uint8_t { butter, echoreplay, reel };
// "butter", "echoreplay", "reel" and back.
[[nodiscard]] std::string_view name(target value) noexcept;
[[nodiscard]] std::optional<target> target_from_name(std::string_view name) noexcept;
// From a file name's extension.
[[nodiscard]] std::optional<target> target_of(const file_path& path);

struct convert_options {
  std::optional<target> to = std::nullopt;  // empty: from the output's name
  // Empty: gzip for .butter and .echoreplay (which has no other), zstd for a reel.
  std::optional<codec_options> codec = std::nullopt;
  // Empty: as the source has it, or 300, or 60 in a reel. Setting it, `hold`, `repair` or `bones` makes
  // .butter -> .butter encode anew; without any of them the frames are kept bit for bit and only compressed
  // again.
  std::optional<std::uint32_t> keyframe_interval_ticks = std::nullopt;
  std::optional<butter::tolerances> hold = std::nullopt;
  bool bones = true;
  bool repair = false;
  // Only the ticks in it. Where .butter frames are kept they begin with the keyframe at or before it, else
  // with its first tick. Damage in it is passed over and told, and damage elsewhere is not looked at.
  tick_range range = {};
  // With a range of a source that is opened already: what its clip says that it was cut from, where the
  // format holds that.
  std::string cut_from = {};
  // Beside each .butter that is written a NAME.extra.json with what it has no place for. That of a .butter
  // that is read is looked for by itself, for all of it: what fits becomes part of an .echoreplay or a reel
  // again.
  bool extra = false;
  bool overwrite = false;
  monitor watch = {};
};

struct convert_report {
  std::uint64_t ticks = 0;
  std::uint64_t bytes = 0;
  // In reels: kept as the source had them, or found in its ticks where it kept none.
  std::uint64_t events = 0;
  // More than one when the session or the map changed, or the 256th player came, and the output is .butter:
  // X.butter, X-2.butter, ...
  std::vector<file_path> files;
  std::uint64_t new_matches = 0;         // files begun because the session or the map changed
  std::uint64_t full_player_tables = 0;  // because one .butter tells 255 players apart
  source_losses losses;
  // What .butter has no place for; all zero for other targets.
  butter::omissions left_out;
  std::optional<cut_place> cut = std::nullopt;  // with a range
  bool kept_frames = false;                     // .butter -> .butter without encoding anew
  [[nodiscard]] bool lossy_source() const noexcept { return losses.any(); }
};

// Bounded memory. Each output appears whole or not at all. .echoreplay -> .echoreplay keeps the text of every
// line that can be read. out_of_range, with what is there instead, when no tick lies in the range;
// invalid_argument when the output's format cannot be told; unsupported_codec when the
// format has no such compression; truncated when the source has no tick.
result<convert_report> convert(const file_path& input, const file_path& output,
                               const convert_options& options = {});

// The same from any source of ticks, all of them.
result<convert_report> convert(echo_source& input, const file_path& output,
                               const convert_options& options = {});

}  // namespace tickreel::files
