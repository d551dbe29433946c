// From what a crash, a full disk or a bad sector left to a reel with an end.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/reel/file.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

// What was found and done. `found` is the reel as it was.
struct recovery {
  table_of_contents found;
  std::uint64_t cut_bytes = 0;      // behind the last whole record
  std::uint64_t damaged_bytes = 0;  // between whole records
  std::uint64_t cut_ticks = 0;      // in a chunk that was being written, where its head tells
  bool changed = false;             // false: it had its end; nothing was written in place
  std::uint64_t bytes = 0;          // of the recovered reel
};

// Cuts the torn tail off and appends a gap record (gap_reason::recorder_died), index and end. A closed reel
// is left alone, so doing it twice is doing it once; being killed on the way leaves a reel that can be
// recovered. Whole records never change. in_use while a living recorder holds the reel. Every hash is
// checked.
result<recovery> recover_in_place(std::string_view path, system_calls& calls = system_calls::real());

// The same into a new file, which appears whole or not at all and has no damaged parts any more; the input is
// only read. already_exists when `output` is there and `overwrite` is false. A whole closed reel is copied.
result<recovery> recover_into(std::string_view path, std::string_view output, bool overwrite = false,
                              system_calls& calls = system_calls::real());

}  // namespace tickreel::reel
