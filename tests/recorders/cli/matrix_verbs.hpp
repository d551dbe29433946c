// The verbs of the damage matrix, and what each says about a reel.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lines.hpp"
#include "matrix_reels.hpp"
#include "run_program.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/files/recording.hpp"

namespace cli_matrix_tests {

using tick_texts = std::map<std::uint64_t, std::set<std::string>>;

// Of a copy whose values or names differ from its source: only the parts that every format stores exactly.
inline std::string exact_part(const echo::state& tick) {
  std::string text = std::to_string(tick.match.game_clock) + ' ' + std::string(tick.match.game_status.view());
  text += ' ' + std::to_string(tick.match.player_count);
  for (std::size_t each = 0; each < tick.match.player_count; ++each) {
    text += ' ' + std::to_string(tick.players[each].stats.points);
    text += tick.players[each].stunned ? 's' : '-';
  }
  return text;
}

// Of Echo VR by the recorded time, since formats number ticks differently.
inline void add_ticks(const std::string& path, bool exact_only, tick_texts& to) {
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened, path << (opened ? "" : describe(opened.error())));
  std::string text;
  for (;;) {
    const auto more = (*opened)->next();
    BOOST_REQUIRE_MESSAGE(more, path << (more ? "" : describe(more.error())));
    if (!*more) return;
    text.clear();
    if (const echo::state* const tick = (*opened)->echo_state(); tick == nullptr) {
      (*opened)->append_state(text);
      to[(*opened)->position().tick].insert(text);
    } else {
      if (exact_only) {
        text = exact_part(*tick);
      } else {
        echo::append_session_json(*tick, echo::json_shape::api, echo::number_style::shortest, text);
      }
      to[static_cast<std::uint64_t>(tick->recorded_time_ms)].insert(text);
    }
  }
}

enum class output_of : std::uint8_t { ticks, events, text };

struct verb {
  const char* name;
  std::vector<std::string> words;   // INPUT and OUTPUT stand for the paths
  const char* extension = nullptr;  // of its output file
  output_of what = output_of::text;
  bool exact_only = false;  // values or names differ
  bool needs_lines = true;  // a missing line counts as its loss
  bool (*applies)(const reel_kind&) = [](const reel_kind&) { return true; };
};

inline bool is_echo(const reel_kind& kind) {
  return kind.is_echo;
}

inline const verb verbs[] = {
    {.name = "cat", .words = {"cat", "INPUT"}, .what = output_of::ticks},
    {.name = "verify", .words = {"verify", "INPUT"}},
    {.name = "info", .words = {"info", "INPUT"}},
    {.name = "seek", .words = {"seek", "--time", "1", "INPUT"}},
    {.name = "events",
     .words = {"events", "INPUT"},
     .what = output_of::events,
     .needs_lines = false,
     .applies = [](const reel_kind& kind) { return kind.keeps_events; }},
    {.name = "stats", .words = {"stats", "INPUT"}, .needs_lines = false, .applies = is_echo},
    {.name = "report",
     .words = {"report", "INPUT", "-o", "OUTPUT"},
     .extension = ".html",
     .needs_lines = false,
     .applies = is_echo},
    {.name = "view --html", .words = {"view", "--html", "OUTPUT", "INPUT"}, .extension = ".html"},
    {.name = "diff with itself", .words = {"diff", "INPUT", "INPUT"}},
    {.name = "serve", .words = {"serve", "INPUT", "--port", "0", "--speed", "1000"}, .applies = is_echo},
    {.name = "convert to .echoreplay",
     .words = {"convert", "INPUT", "OUTPUT"},
     .extension = ".echoreplay",
     .what = output_of::ticks,
     .applies = is_echo},
    {.name = "convert to .butter",
     .words = {"convert", "INPUT", "OUTPUT"},
     .extension = ".butter",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = is_echo},
    {.name = "convert to .tape",
     .words = {"convert", "INPUT", "OUTPUT"},
     .extension = ".tape",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = is_echo},
    {.name = "convert to .reel",
     .words = {"convert", "INPUT", "OUTPUT"},
     .extension = ".reel",
     .what = output_of::ticks,
     .applies = is_echo},
    {.name = "convert to .icrep",
     .words = {"convert", "INPUT", "OUTPUT"},
     .extension = ".icrep",
     .what = output_of::ticks,
     .applies = [](const reel_kind& kind) { return kind.published == ".icrep"; }},
    {.name = "convert to .ndjson",
     .words = {"convert", "INPUT", "OUTPUT"},
     .extension = ".ndjson",
     .applies = [](const reel_kind& kind) { return kind.make == record_tokens; }},
    {.name = "clip",
     .words = {"clip", "INPUT", "--from", "1s", "-o", "OUTPUT"},
     .extension = ".reel",
     .what = output_of::ticks},
    {.name = "recover to a reel",
     .words = {"recover", "INPUT", "-o", "OUTPUT"},
     .extension = ".reel",
     .what = output_of::ticks,
     .applies = [](const reel_kind& kind) { return kind.keeps_events; }},
    {.name = "recover to .butter",
     .words = {"recover", "INPUT", "-o", "OUTPUT"},
     .extension = ".butter",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = [](const reel_kind& kind) { return kind.published == ".butter"; }},
    {.name = "recover to .echoreplay",
     .words = {"recover", "INPUT", "-o", "OUTPUT"},
     .extension = ".echoreplay",
     .what = output_of::ticks,
     .applies = [](const reel_kind& kind) { return kind.published == ".echoreplay"; }},
    {.name = "compact",
     .words = {"compact", "INPUT", "-o", "OUTPUT"},
     .extension = ".reel",
     .what = output_of::ticks},
    {.name = "anonymise",
     .words = {"anonymise", "INPUT", "-o", "OUTPUT", "--salt", "x"},
     .extension = ".reel",
     .what = output_of::ticks,
     .exact_only = true,
     .needs_lines = false,
     .applies = is_echo},
    {.name = "derive",
     .words = {"derive", "INPUT", "-o", "OUTPUT"},
     .extension = ".reel",
     .what = output_of::ticks,
     .applies = is_echo},
};

// The messages and output of a verb.
struct answer {
  outcome said;
  bool wrote = false;
  tick_texts ticks;
  std::set<std::string> lines;  // printed ticks or events
};

inline std::uint64_t tick_of_line(const std::string& line) {
  constexpr std::string_view begin = "{\"tick\":";
  return line.starts_with(begin) ? std::strtoull(line.c_str() + begin.size(), nullptr, 10) : 0;
}

// Without paths, so that reports about different files can be compared.
inline answer answer_of(const verb& what, const scratch_folder& folder, const std::string& input) {
  answer out;
  const std::string output = folder / "out" + (what.extension == nullptr ? "" : what.extension);
  std::vector<std::string> words = what.words;
  std::ranges::replace(words, "INPUT", input);
  std::ranges::replace(words, "OUTPUT", output);
  out.said = run(words);
  for (std::string* const text : {&out.said.out, &out.said.err}) {
    replace_all(*text, input, "INPUT");
    replace_all(*text, output, "OUTPUT");
  }
  if (what.extension == nullptr) {
    for (const std::string& line : lines_of(out.said.out)) {
      if (what.what == output_of::ticks) out.ticks[tick_of_line(line)].insert(line);
      if (what.what == output_of::events) out.lines.insert(line);
    }
    return out;
  }
  out.wrote = std::filesystem::exists(output);
  if (out.wrote && what.what == output_of::ticks) add_ticks(output, what.exact_only, out.ticks);
  std::filesystem::remove(output);
  return out;
}

}  // namespace cli_matrix_tests
