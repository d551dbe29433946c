// The same match in the two containers: .icrep, and a reel whose encoder is called "icrep". Nothing is lost
// on the way: orders, keyframes as they were encoded, events, voice, metadata, signatures, embedded
// resources and what the source says it lacks are in both. docs/formats/icrep.md has the reel's layout.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

// How such a reel names its encoder, and the versions that can be read; the newest is written.
inline constexpr std::string_view match_reel_encoder = "icrep";
inline constexpr std::uint32_t oldest_match_reel_version = 1;
inline constexpr std::uint32_t match_reel_version = 3;

struct conversion_options {
  bool overwrite = false;
  // Of a reel's chunks. An .icrep has LZ4.
  codec_options codec = {};
  // Called now and then, in ticks. False gives up: error interrupted, and no output.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
  // The seam to the operating system.
  system_calls* calls = nullptr;
};

struct conversion_report {
  std::uint64_t ticks = 0;  // with orders, of total_ticks
  std::uint64_t total_ticks = 0;
  std::uint64_t keyframes = 0;
  std::uint64_t events = 0;
  std::uint64_t voice_records = 0;
  std::uint64_t bytes = 0;          // of the output
  std::uint32_t files = 1;          // of the output: part_path() names them
  std::uint32_t missing_parts = 0;  // files of the input
  // The source lacks something, and the output says so.
  bool incomplete = false;
  // Blocks and records that were damaged and are left out; then it is incomplete too.
  std::uint64_t damaged_parts = 0;
};

// Whether a reel is one of these. Others can't be converted: they do not say what their bytes are.
[[nodiscard]] bool is_match_reel(const reel::header& head) noexcept;

// A match in several files (match_options::split) becomes one reel, and such a reel several files again.
//
// Each output appears whole or not at all. already_exists unless `overwrite`; else what opening the input
// says. Also from a file that a recorder left behind or still writes: what is there so far.
result<conversion_report> convert_icrep_to_reel(const file_path& input, const file_path& output,
                                                const conversion_options& options = {});
// unsupported_operation for a reel of another encoder.
result<conversion_report> convert_reel_to_icrep(const file_path& input, const file_path& output,
                                                const conversion_options& options = {});

}  // namespace tickreel::game
