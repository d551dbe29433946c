// tickreel info: shows facts about a recording.
#include <fmt/format.h>

#include "console/console.hpp"
#include "console/file_batch.hpp"
#include "console/verb.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/structs.hpp"
#include "tickreel/files/trailing_bytes.hpp"

namespace tickreel::cli {

namespace {

struct info_options {
  std::vector<std::string> files;
  bool json = false;
};

// A cache of games names everyone who ever played.
constexpr std::size_t max_clip_players = 40;

std::string value_text(const files::fact& each) {
  struct visitor {
    std::string operator()(bool value) const { return value ? "yes" : "no"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return printable(value); }
  };
  return std::visit(visitor{}, each.value);
}

// "Rairden (2), number 2, race Zerg, ..."
std::string player_text(const files::player_summary& player) {
  std::string text =
      printable(player.team.empty() ? player.name : fmt::format("{} ({})", player.name, player.team));
  for (const files::fact& each : player.facts) text += fmt::format(", {} {}", each.key, value_text(each));
  return text;
}

std::string text_about(const std::string& file, const files::summary& what) {
  std::string text = printable(file) + "\n";
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("  {:<26}{}\n", key, value);
  };
  line("format", fmt::format("{}, version {}", what.format, what.format_version));
  line("health", std::string(files::name(what.health)));
  line("size", bytes_text(what.bytes));
  line("ticks",
       fmt::format("{}, {}", what.ticks, counted(what.keyframes, "of them a keyframe", "of them keyframes")));
  line("duration", duration_text(what.duration_ms));
  if (what.ticks > 0) {
    line("bytes per tick",
         fmt::format("{:.0f}", static_cast<double>(what.bytes) / static_cast<double>(what.ticks)));
  }
  for (const files::fact& each : what.facts) line(each.key, value_text(each));
  const std::size_t shown = std::min(what.players.size(), max_clip_players);
  for (std::size_t at = 0; at < shown; ++at) line("player", player_text(what.players[at]));
  if (shown < what.players.size()) {
    line("players", fmt::format("{} more; --json has all of them", what.players.size() - shown));
  }
  for (const std::string& each : what.left_out) line("left out", printable(each));
  return text;
}

file_outcome look_at(const std::string& file, const files::monitor& watch, bool json) {
  auto opened = files::open(file);
  if (!opened) return {{}, opened.error()};
  auto summary = (*opened)->summarise(watch);
  if (!summary) return {{}, summary.error()};
  file_outcome outcome;
  if (summary->ticks == 0 && summary->health == files::health::damaged) {
    outcome.failure = error{error_code::malformed, error::no_offset, "no tick can be read"};
  }
  const auto trailing = files::find_trailing_bytes(file_path(file));
  if (!trailing) return {{}, trailing.error()};
  if (*trailing) {
    summary->health = files::health::damaged;
    summary->left_out.push_back((*trailing)->sentence());
  }
  if (json) {
    files::append_summary(file, *summary, outcome.text, files::structs_json(file_path(file)));
    outcome.text += '\n';
  } else {
    outcome.text = text_about(file, *summary);
  }
  outcome.left_out = !summary->left_out.empty();
  return outcome;
}

int run(const info_options& options) {
  return run_batch(options.files, "reading",
                   [&options](const std::string& file, const files::monitor& watch) {
                     return look_at(file, watch, options.json);
                   });
}

}  // namespace

void add_info(command& program) {
  auto options = std::make_shared<info_options>();
  command& app = program.add_subcommand("info", "Shows facts about recordings");
  app.add_option("FILE", options->files, "Recordings of any format").required();
  app.add_flag("--json", options->json, "One JSON object per file and line");
  app.notes =
      "The health states whether a recording is complete. The exit code states whether it could be read.";
  app.examples = {"tickreel info rec_2022-07-16.butter",
                  "tickreel info --json *.echoreplay | jq -r '[.file, .ticks, .health] | @tsv'"};
  app.run = [options] { return run(*options); };
}

}  // namespace tickreel::cli
