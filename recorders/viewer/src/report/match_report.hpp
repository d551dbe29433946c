// One match as a report shows it, for all formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawing.hpp"
#include "events.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/statistics.hpp"
#include "tickreel/viewer/report.hpp"

namespace tickreel::viewer {

struct score_side {
  std::string name;
  std::string_view style;
  std::string points;
  bool won = false;
};

struct share_of_time {
  std::string name;
  std::string_view style;
  double seconds = 0;
};

struct chart {
  struct series {
    std::string name;
    std::string_view style;
    curve line;
  };
  std::string title;
  std::string unit;
  std::vector<series> lines;
};

struct heat_group {
  struct map {
    std::string name;
    std::string_view style;
    density cells;
  };
  std::string title;
  std::string under;
  std::string unit;
  std::vector<map> maps;
  bool in_arena = false;  // of Echo VR, whose outline is drawn
};

struct match_report {
  std::string title;
  std::string under;  // when, where, how long
  std::optional<std::int64_t> started_ms;
  std::vector<score_side> score;
  std::string score_note;
  std::vector<std::string> losses;
  files::match_rows rows;
  double seconds = 0;
  std::vector<share_of_time> possession;
  std::optional<strip> possession_strip;
  std::vector<heat_group> heat;
  std::vector<chart> charts;
  std::string fields_left_out;  // a sentence
  event_log events;
  std::vector<std::pair<std::string, std::string>> facts;
};

// The CSS class of a team's colours; teams without own colours are numbered.
[[nodiscard]] std::string_view team_style(std::string_view team, std::size_t number) noexcept;

// A part of the page.
[[nodiscard]] std::string html_of(const match_report& match);
// What distinguishes a match from others in a list: "24 Apr 2016, Ada beat Bo, 12:31".
[[nodiscard]] std::string contents_line(const match_report& match);

// "2022-07-16 19:30 UTC"
[[nodiscard]] std::string when_text(std::int64_t unix_ms);
// Facts about the file, for the end of the part.
void add_facts(const files::summary& from, match_report& to);

// Reports by kind of recording; `rows` is the result of statistics().
struct recording_facts {
  std::string name;  // of the file, without its folder
  files::summary summary;
  std::vector<files::match_rows> rows;
};
result<std::vector<match_report>> echo_matches(const file_path& file, const recording_facts& facts,
                                               const report_limits& limits, const files::monitor& watch);
result<match_report> general_match(files::recording& from, const recording_facts& facts,
                                   const files::monitor& watch);
// The games of a cache are a table.
[[nodiscard]] report_part::match games_table(const recording_facts& facts);

// Rows of cells; the first is the head. `wide`: can be scrolled horizontally. Cells are already escaped.
using html_rows = std::vector<std::vector<std::string>>;
void append_table(const html_rows& rows, std::string_view kind, std::string& html);

}  // namespace tickreel::viewer
