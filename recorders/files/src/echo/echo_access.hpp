// What a format of Echo VR offers beyond a format of other games.
#pragma once

#include <memory>

#include "describe_format.hpp"
#include "echo_input.hpp"
#include "echo_output.hpp"
#include "tickreel/files/convert.hpp"

namespace tickreel::files {

struct echo_access {
  result<std::unique_ptr<echo_input>> (*open)(const byte_source& from, const echo_options& options) = nullptr;

  // As a target of convert(): writes one file from the feed's current tick on, as far as one file can go.
  target written_as;
  result<void> (*write)(tick_feed& feed, const file_path& output, const convert_options& options,
                        convert_report& report) = nullptr;

  // Into the same format with its frames kept as they are: all of it, and a range. Null: ticks are encoded.
  result<convert_report> (*copy)(const file_path& input, const file_path& output,
                                 const convert_options& options) = nullptr;
  result<convert_report> (*cut)(const file_path& input, const file_path& output,
                                const convert_options& options) = nullptr;

  bool is_rounded = false;  // values are rounded and fields left out as in a .butter
};

}  // namespace tickreel::files
