// From the reel of a match to the .icrep of it, a part after the other: what is in memory does not grow with
// the match, but for 33 bytes a keyframe.
#pragma once

#include <functional>
#include <span>

#include "tickreel/io/file.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

// In ticks, of all of them; false gives up with interrupted.
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

// unsupported_operation for a reel of another encoder, unsupported_version for one of a later version. A file
// for each part of the match, most of the time one (match_parts.hpp). over_limit for one of more than 256 MiB
// and 4096 times the reel: a file takes it.
[[nodiscard]] result<published_match> publish_match(reel::reader& from, std::vector<byte_vector>& to,
                                                    const publish_progress& progress = {});
// The output appears whole or not at all: of several files the first, which names the others, comes last.
[[nodiscard]] result<published_match> publish_match(const file_path& reel_path, const file_path& output,
                                                    bool overwrite, system_calls& calls,
                                                    const publish_progress& progress = {});
// Only these of its files, beside those that are there.
[[nodiscard]] result<published_match> publish_parts(const file_path& reel_path, const file_path& output,
                                                    std::span<const std::uint32_t> numbers,
                                                    system_calls& calls);

// Where a match that becomes `path` is while it is recorded.
[[nodiscard]] file_path reel_path_of(const file_path& path);
// Whether what was published can be read, with all of its parts.
[[nodiscard]] result<void> check_published(const file_path& path, system_calls& calls);
// And reads what came of it.
[[nodiscard]] result<published_match> publish_beside_reel(const file_path& path, system_calls& calls);
// The reel goes when what came of it can be opened.
[[nodiscard]] result<published_match> publish_and_remove_reel(const file_path& path, system_calls& calls);

[[nodiscard]] result<reel::reader> open_reel(const file_path& path, system_calls& calls);

}  // namespace tickreel::game
