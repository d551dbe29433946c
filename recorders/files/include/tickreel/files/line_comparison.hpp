// Whether the lines that a recording's ticks came in are those of another recording.
#pragma once

#include <cstdint>
#include <string>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct line_comparison {
  std::uint64_t ticks = 0;       // of both; paired by recorded time, as compare_echo() does
  std::uint64_t different = 0;   // ticks whose lines differ, or that only one of them has
  std::uint64_t first_tick = 0;  // counted from 0, of the first that differs
  // Lines of either recording that are longer than readers take, so that nobody can tell.
  std::uint64_t not_compared = 0;
  // For people: where the first one differs and how; empty when none does.
  std::string first;
};

// Byte by byte, with what ends the lines and those that hold no tick. Fails as open_echo() does, and with
// unsupported_operation where a recording has no lines, as a .butter and reels of it; `failed` then says
// which of the two it was, 0 or 1.
result<line_comparison> compare_lines(const file_path& recording, const file_path& against,
                                      const monitor& watch = {}, std::size_t* failed = nullptr);

}  // namespace tickreel::files
