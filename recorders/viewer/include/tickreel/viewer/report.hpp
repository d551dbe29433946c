// An HTML report about recorded matches: score, players, possession, heat maps, curves, events. It needs no
// scripts and no network, and can be printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::viewer {

struct report_limits {
  // in one recording; the page reports the number of further matches
  std::size_t matches = 50;
  std::size_t page_bytes = 64u * 1024 * 1024;  // above it, over_limit
};

// The part of the page for one recording, a section per match. Texts of the recording are escaped.
struct report_part {
  struct match {
    std::string title;
    std::string html;
    std::string line = {};  // date, result and length, for the list of matches
  };
  std::vector<match> matches;
  // Missing parts of the recording, as sentences; the page shows them, too.
  std::vector<std::string> losses;
};

// Any recording: specific sections for Echo VR and StarCraft II, a table of games for a gamecache, and
// numeric fields, places, events and facts for everything else. Memory grows with the number of matches, not
// with their length. Reads the recording several times.
result<report_part> report_of(const file_path& recording, const report_limits& limits = {},
                              const files::monitor& watch = {});

// The complete page around the parts: one match each, preceded by a list if there are several.
result<std::string> report_page(const std::vector<report_part>& parts, const report_limits& limits = {});

}  // namespace tickreel::viewer
