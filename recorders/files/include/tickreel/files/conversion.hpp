// Conversions between formats, one function per pair. convert.hpp has those between Echo VR formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct conversion_options {
  // Empty: the default of the output's format.
  std::optional<codec_options> codec = std::nullopt;
  // Empty: that of the source, or the default of the output's format.
  std::optional<std::uint32_t> keyframe_interval_ticks = std::nullopt;
  // Copies only these ticks, from the keyframe at or before the first one if they depend on it.
  // unsupported_operation if the conversion cannot copy a part; out_of_range, with the existing ticks, if the
  // range contains none.
  tick_range range = {};
  // Also stores the input itself in the output; see conversion::can_attach.
  bool attach = false;
  bool overwrite = false;
  monitor watch = {};
};

struct conversion_report {
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;  // of a reel, as far as they can be counted
  std::uint64_t bytes = 0;
  std::vector<file_path> files;
  // Losses of the source, as sentences. If not empty, the exit code is 3.
  std::vector<std::string> lost;
  // Content that the output's format cannot store, as counted sentences. Does not change the exit code.
  std::vector<std::string> left_out;
  std::optional<cut_place> cut = std::nullopt;  // of a range
};

// conversion::from of a conversion that reads every recording that open() opens.
inline constexpr std::string_view any_recording = "";

struct conversion {
  // A format's name, any_recording, or for a text without format the extension of its name: "csv".
  std::string_view from;
  std::string_view to;  // a format's name or an extension
  result<conversion_report> (*run)(const file_path& input, const file_path& output,
                                   const conversion_options& options);
  bool only_ranges = false;  // from a format to itself: only for a part of a recording
  bool can_attach = false;
};

// The conversions of all formats; see format::conversions.
[[nodiscard]] std::vector<conversion> conversions();

// The conversion of the file `input` into the format `to`, or null. The input's format is detected by
// content, and by name if no format claims the content. `of_range`: includes conversions that only copy
// parts. A conversion of the input's own format comes before one of any_recording.
result<const conversion*> find_conversion(const file_path& input, std::string_view to, bool of_range = false);

// The format's name that a file name's extension implies: "icrep" for "X.icrep", "sc2replay" for
// "X.SC2Replay". Empty without an extension. The format may be unknown.
[[nodiscard]] std::string format_of_name(const file_path& path);
// Whether the extension is that of a format that is written record by record: "X.reel".
[[nodiscard]] bool is_reel_name(const file_path& path);

}  // namespace tickreel::files
