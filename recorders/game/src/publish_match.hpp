// Publishes the reel of a match as .icrep, part by part. Memory does not grow with the match, except for 33
// bytes per keyframe.
#pragma once

#include <functional>
#include <span>

#include "tickreel/io/file.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

// In ticks, over all parts; false: stop with the error interrupted.
using publish_progress = std::function<bool(std::uint64_t, std::uint64_t)>;

struct published_match {
  std::uint64_t bytes = 0;
  std::uint64_t ticks = 0;
  std::uint64_t total_ticks = 0;
  std::uint64_t keyframes = 0;
  std::uint64_t events = 0;
  std::uint64_t voice_records = 0;
  std::uint64_t damaged_parts = 0;
  bool incomplete = false;
  std::uint32_t parts = 0;  // files

  void add(const published_match& part) noexcept;
};

// unsupported_operation for a reel of another encoder, unsupported_version for a later version. One file per
// part of the match, usually one (match_parts.hpp). over_limit for a match of more than 256 MiB and 4096
// times the reel: publish it to a file instead.
[[nodiscard]] result<published_match> publish_match(reel::reader& from, std::vector<byte_vector>& to,
                                                    const publish_progress& progress = {});
// The output appears complete or not at all: of several files the first, which names the others, comes last.
[[nodiscard]] result<published_match> publish_match(const file_path& reel_path, const file_path& output,
                                                    bool overwrite, system_calls& calls,
                                                    const publish_progress& progress = {});
// Writes only these of its files, beside the existing ones.
[[nodiscard]] result<published_match> publish_parts(const file_path& reel_path, const file_path& output,
                                                    std::span<const std::uint32_t> numbers,
                                                    system_calls& calls);

// The reel of a match while it is recorded, which becomes `path`.
[[nodiscard]] file_path reel_path_of(const file_path& path);
// Checks that the published file is readable, with all of its parts.
[[nodiscard]] result<void> check_published(const file_path& path, system_calls& calls);
// And reads the result.
[[nodiscard]] result<published_match> publish_beside_reel(const file_path& path, system_calls& calls);
// Removes the reel after the result could be opened.
[[nodiscard]] result<published_match> publish_and_remove_reel(const file_path& path, system_calls& calls);

[[nodiscard]] result<reel::reader> open_reel(const file_path& path, system_calls& calls);

}  // namespace tickreel::game
