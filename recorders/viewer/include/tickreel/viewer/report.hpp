// A page for people about recorded matches: score, players, possession, heat maps, curves, events. It needs
// neither scripts nor a network, and can be printed.
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
  std::size_t matches = 50;                    // in one recording; what is more is told on the page
  std::size_t page_bytes = 64u * 1024 * 1024;  // over_limit beyond
};

// What a recording has to say, a piece of the page for each match. Texts of the recording are escaped.
struct report_part {
  struct match {
    std::string title;
    std::string html;
  };
  std::vector<match> matches;
  // What is missing in the recording, as sentences; they stand on the page, too.
  std::vector<std::string> losses;
};

// Any recording: Echo VR and StarCraft II as such, a gamecache as its table of games, everything else by its
// numeric fields, places, events and facts. Memory grows with the matches, not with their length. The
// recording is read several times.
result<report_part> report_of(const file_path& recording, const report_limits& limits = {},
                              const files::monitor& watch = {});

// The whole page around the parts: a match each, with a list of them in front where there are several.
result<std::string> report_page(const std::vector<report_part>& parts, const report_limits& limits = {});

}  // namespace tickreel::viewer
