// The program's output for one recording, condensed so that it can be stored beside it permanently.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::test {

// The output of `cat` and `events`: values in groups of lines, each group as one number. Added keys and the order of keys have no
// effect; a changed, moved or missing value does.
struct lines_read {
  std::uint64_t lines = 0;
  std::vector<std::string> sums;  // of 16 lines each, hexadecimal
};

struct reading {
  std::string file_hash;  // of the recording's own bytes
  std::string info;       // of `info --json`: the keys that always exist
  bool has_info = false;
  bool verified = false;
  lines_read ticks;
  lines_read events;
  // For recordings without an end: the output of `recover`, otherwise no lines.
  lines_read recovered;
};

// The keys that a released version printed, as `session.teams[].team`.
using known_keys = std::set<std::string, std::less<>>;

// Runs the program on `file`; its copies go to a separate folder. With `learn` each key is added to `keys`, otherwise unknown
// keys are skipped.
reading read_with_program(const std::filesystem::path& file, known_keys& keys, bool learn);

// To and from a line of expected.ndjson.
std::string to_json(const std::string& name, const reading& from);
std::map<std::string, reading> readings_from(const std::filesystem::path& ndjson);

// Whether `actual` contains everything of `expected`, unchanged; both are JSON.
bool holds_all_of(std::string_view actual, std::string_view expected);

}  // namespace tickreel::test
