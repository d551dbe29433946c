// The members of a format description that only Echo VR formats have.
#pragma once

#include <memory>
#include <string_view>

#include "describe_format.hpp"
#include "echo_input.hpp"
#include "echo_output.hpp"
#include "tickreel/files/convert.hpp"

namespace tickreel::files {

// format::title of formats with ticks of the game's API, and of captures.
inline constexpr std::string_view echo_title = "Echo VR recording";
inline constexpr std::string_view capture_title = "Echo VR capture";

struct echo_access {
  result<std::unique_ptr<echo_input>> (*open)(const byte_source& from, const echo_options& options) = nullptr;

  // As the output of convert(): writes one file from the feed's current tick on, until the file must end.
  result<void> (*write)(tick_feed& feed, const file_path& output, const convert_options& options,
                        convert_report& report) = nullptr;

  // Copies into the same format and keeps the frames: a whole recording, and a range. Null: ticks are encoded
  // again.
  result<convert_report> (*copy)(const file_path& input, const file_path& output,
                                 const convert_options& options) = nullptr;
  result<convert_report> (*cut)(const file_path& input, const file_path& output,
                                const convert_options& options) = nullptr;

  bool is_rounded = false;  // values are rounded and fields omitted as in a .butter
};

}  // namespace tickreel::files
