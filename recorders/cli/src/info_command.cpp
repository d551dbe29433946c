// tickreel info: what is in a recording.
#include <fmt/format.h>

#include "console.hpp"
#include "tickreel/recording/json_writer.hpp"
#include "tickreel/recording/recording.hpp"
#include "verb.hpp"

namespace tickreel::cli {

namespace {

struct info_options {
  std::vector<std::string> files;
  bool json = false;
};

std::string value_text(const recording::fact& each) {
  struct visitor {
    std::string operator()(bool value) const { return value ? "yes" : "no"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return value; }
  };
  return std::visit(visitor{}, each.value);
}

void print_json(const std::string& file, const recording::summary& what) {
  std::string text;
  recording::json_writer json(text);
  json.begin_object();
  json.member("file", file).member("format", what.format).member("format_version", what.format_version);
  json.member("bytes", what.bytes).member("ticks", what.ticks).member("keyframes", what.keyframes);
  json.member("duration_ms", what.duration_ms);
  json.key("players").begin_array();
  for (const recording::player_summary& player : what.players) {
    json.begin_object().member("name", player.name);
    if (!player.team.empty()) json.member("team", player.team);
    if (player.userid) json.member("userid", *player.userid);
    json.end_object();
  }
  json.end_array().member("health", recording::name(what.health));
  for (const recording::fact& each : what.facts) {
    std::visit([&](const auto& value) { json.member(each.key, value); }, each.value);
  }
  json.end_object();
  standard_output().write_line(text);
}

void print_text(const std::string& file, const recording::summary& what) {
  std::string text = file + "\n";
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("  {:<26}{}\n", key, value);
  };
  line("format", fmt::format("{}, version {}", what.format, what.format_version));
  line("health", std::string(recording::name(what.health)));
  line("size", bytes_text(what.bytes));
  line("ticks", fmt::format("{}, {} of them keyframes", what.ticks, what.keyframes));
  line("duration", duration_text(what.duration_ms));
  if (what.ticks > 0) {
    line("bytes per tick",
         fmt::format("{:.0f}", static_cast<double>(what.bytes) / static_cast<double>(what.ticks)));
  }
  for (const recording::fact& each : what.facts) line(each.key, value_text(each));
  for (const recording::player_summary& player : what.players) {
    line("player", player.team.empty() ? player.name : fmt::format("{} ({})", player.name, player.team));
  }
  standard_output().write(text);
}

int run(const info_options& options) {
  int code = done;
  for (const std::string& file : options.files) {
    auto opened = recording::open(file);
    if (!opened) {
      report_error(file, opened.error());
      code = failed;
      continue;
    }
    progress_bar bar("reading " + file);
    auto summary = (*opened)->summarise(bar.monitor());
    bar.clear();
    if (!summary) {
      report_error(file, summary.error());
      code = failed;
      continue;
    }
    options.json ? print_json(file, *summary) : print_text(file, *summary);
    if (!standard_output().ok()) break;
  }
  return code;
}

}  // namespace

void add_info(CLI::App& program, verb_list& verbs) {
  auto options = std::make_shared<info_options>();
  CLI::App* app = program.add_subcommand("info", "Shows what is in recordings");
  app->add_option("FILE", options->files, "Recordings of any format")->required();
  app->add_flag("--json", options->json, "One JSON object for each file, one a line");
  app->footer(
      "Examples:\n"
      "  tickreel info rec_2022-07-16.butter\n"
      "  tickreel info --json *.echoreplay | jq -r '[.file, .ticks, .health] | @tsv'");
  verbs.push_back({app, [options] { return run(*options); }});
}

}  // namespace tickreel::cli
