// What can become what, beyond the Echo VR formats of convert.hpp: one function for each pair.
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
  // Empty: what suits the output's format.
  std::optional<codec_options> codec = std::nullopt;
  // Empty: as the source has it, or the output's usual one.
  std::optional<std::uint32_t> keyframe_interval_ticks = std::nullopt;
  // Only the ticks in it, from the keyframe at or before its first one where those that it stands on are
  // needed. unsupported_operation where a conversion has no such thing; out_of_range, with what is there
  // instead, when it holds no tick.
  tick_range range = {};
  bool overwrite = false;
  monitor watch = {};
};

struct conversion_report {
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;  // of a reel, as far as they can be counted
  std::uint64_t bytes = 0;
  std::vector<file_path> files;
  // What the source could not give, as sentences; not empty means exit code 3.
  std::vector<std::string> lost;
  // What the output's format has no place for, as sentences: counted, and no fault.
  std::vector<std::string> left_out;
  std::optional<cut_place> cut = std::nullopt;  // with a range
};

struct conversion {
  std::string_view from;  // a format's name, or of a text without one its file name's extension: "csv"
  std::string_view to;    // likewise
  result<conversion_report> (*run)(const file_path& input, const file_path& output,
                                   const conversion_options& options);
  bool only_ranges = false;  // the same format again: nothing but a part of it
};

// Those of all formats; see format::conversions.
[[nodiscard]] std::vector<conversion> conversions();

// The conversion of the file `input` into `to`, a format's name. Null when there is none. The input's format
// is told by content, and where no format claims it, by its name. `of_range`: those of parts, too.
result<const conversion*> find_conversion(const file_path& input, std::string_view to, bool of_range = false);

// A format's name from a file name's extension: "icrep" of "X.icrep", "sc2replay" of "X.SC2Replay". Empty
// when there is no extension. Says nothing about whether such a format is known.
[[nodiscard]] std::string format_of_name(const file_path& path);
// Whether the name is that of a format that is written record by record: "X.reel".
[[nodiscard]] bool is_reel_name(const file_path& path);

}  // namespace tickreel::files
