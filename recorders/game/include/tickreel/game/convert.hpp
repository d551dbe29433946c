// Converts a match between its two containers: .icrep, and a reel whose encoder is "icrep". Both contain
// everything: orders, encoded keyframes, events, voice, metadata, signatures, embedded resources and the
// source's own list of losses. docs/formats/icrep.md has the reel's layout.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

// The encoder's name in such a reel, and the supported versions; the newest is written.
inline constexpr std::string_view match_reel_encoder = "icrep";
inline constexpr std::uint32_t oldest_match_reel_version = 1;
inline constexpr std::uint32_t match_reel_version = 3;

struct conversion_options {
  bool overwrite = false;
  // For a reel's chunks. An .icrep has LZ4.
  codec_options codec = {};
  // Called periodically, in ticks. False: stop with the error interrupted and without output.
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
  // The source lacks something, and the output is marked as incomplete.
  bool incomplete = false;
  // Damaged blocks and records that were left out; the output is then incomplete too.
  std::uint64_t damaged_parts = 0;
};

// Whether a reel contains such a match. Other reels cannot be converted, because their frames are not
// described.
[[nodiscard]] bool is_match_reel(const reel::header& head) noexcept;

// Whether readers of an .icrep accept all content of a frame of that reel, for copies.
result<reel::frame_check> check_match_frames(reel::reader& from);

// A match in several files (match_options::split) becomes one reel, and such a reel becomes several files
// again.
// Each output appears complete or not at all. Errors: already_exists unless `overwrite`; errors of opening
// the input. A file that a recorder left or is still writing is converted up to its current end.
result<conversion_report> convert_icrep_to_reel(const file_path& input, const file_path& output,
                                                const conversion_options& options = {});
// unsupported_operation for a reel of another encoder.
result<conversion_report> convert_reel_to_icrep(const file_path& input, const file_path& output,
                                                const conversion_options& options = {});

}  // namespace tickreel::game
