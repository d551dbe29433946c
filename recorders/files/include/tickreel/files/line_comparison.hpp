// Compares the source lines of a recording's ticks with those of another recording.
#pragma once

#include <cstdint>
#include <string>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct line_comparison {
  std::uint64_t ticks = 0;       // of both; aligned by recorded time, as in compare_echo()
  std::uint64_t different = 0;   // ticks whose lines differ, or that only one of them has
  std::uint64_t first_tick = 0;  // counted from 0, the first that differs
  // Lines of either recording that exceed the readers' limit and cannot be compared.
  std::uint64_t not_compared = 0;
  // The first difference and its position, for users; empty without differences.
  std::string first;
};

// Compares byte by byte, including line ends and lines without a tick. Fails as open_echo() does, and with
// unsupported_operation if a recording has no lines, such as a .butter or a reel of it; `failed` is then its
// index, 0 or 1.
result<line_comparison> compare_lines(const file_path& recording, const file_path& against,
                                      const monitor& watch = {}, std::size_t* failed = nullptr);

}  // namespace tickreel::files
