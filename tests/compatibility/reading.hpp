// What the program reads out of one recording, small enough to be kept beside it for ever.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::test {

// What `cat` and `events` said: values in groups of lines, each group as one number. Keys that a later
// version adds are not in it, and the order of keys does not matter; a value that changed, moved or went
// does.
struct lines_read {
  std::uint64_t lines = 0;
  std::vector<std::string> sums;  // of 16 lines each, hexadecimal
};

struct reading {
  std::string file_hash;  // of the recording's own bytes
  std::string info;       // of `info --json`: the keys that are always there
  bool info_told = false;
  bool verified = false;
  lines_read ticks;
  lines_read events;
  // Of recordings that did not end: what `recover` made of them, else no lines.
  lines_read recovered;
};

// The keys that a released version printed, as `session.teams[].team`.
using known_keys = std::set<std::string, std::less<>>;

// Runs the program on `file`; its copies go to a folder of their own. With `learn` each key that is met is
// added to `keys`, otherwise others are passed over.
reading read_with_program(const std::filesystem::path& file, known_keys& keys, bool learn);

// As a line of expected.ndjson, and back.
std::string to_json(const std::string& name, const reading& from);
std::map<std::string, reading> readings_from(const std::filesystem::path& ndjson);

// Whether `actual` has everything that `expected` has, as it is there; both are JSON.
bool holds_all_of(std::string_view actual, std::string_view expected);

}  // namespace tickreel::test
