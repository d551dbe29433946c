// tickreel verify: whether recordings are sound.
#include <fmt/format.h>

#include "console.hpp"
#include "tickreel/recording/json_writer.hpp"
#include "tickreel/recording/recording.hpp"
#include "verb.hpp"

namespace tickreel::cli {

namespace {

struct verify_options {
  std::vector<std::string> files;
  bool json = false;
};

void print_json(const std::string& file, std::string_view format, const recording::verification& outcome) {
  std::string text;
  recording::json_writer json(text);
  json.begin_object().member("file", file).member("format", format).member("ok", outcome.ok());
  json.member("ticks", outcome.ticks).key("findings").begin_array();
  for (const recording::finding& each : outcome.findings) {
    json.begin_object().member("severity", recording::name(each.level)).key("offset");
    each.offset == error::no_offset ? json.null() : json.value(each.offset);
    json.member("message", each.message).end_object();
  }
  json.end_array().end_object();
  standard_output().write_line(text);
}

void print_text(const std::string& file, const recording::verification& outcome) {
  std::string text = fmt::format("{}: {}, {} ticks\n", file, outcome.ok() ? "ok" : "NOT OK", outcome.ticks);
  for (const recording::finding& each : outcome.findings) {
    text += fmt::format("  {:<8} ", recording::name(each.level));
    if (each.offset != error::no_offset) text += fmt::format("at offset {}: ", each.offset);
    text += each.message + "\n";
  }
  standard_output().write(text);
}

// A file that cannot even be opened has one finding.
recording::verification unopened(const error& what) {
  error without_offset = what;
  without_offset.offset = error::no_offset;
  return {.ticks = 0, .findings = {{recording::severity::error, what.offset, describe(without_offset)}}};
}

int run(const verify_options& options) {
  int code = done;
  for (const std::string& file : options.files) {
    auto opened = recording::open(file);
    if (!opened) {
      report_error(file, opened.error());
      if (options.json) print_json(file, "", unopened(opened.error()));
      code = failed;
      continue;
    }
    progress_bar bar("verifying " + file);
    auto outcome = (*opened)->verify(bar.monitor());
    bar.clear();
    if (!outcome) {
      report_error(file, outcome.error());
      code = failed;
      continue;
    }
    if (!outcome->ok()) code = failed;
    options.json ? print_json(file, (*opened)->format(), *outcome) : print_text(file, *outcome);
    if (!standard_output().ok()) break;
  }
  return code;
}

}  // namespace

void add_verify(CLI::App& program, verb_list& verbs) {
  auto options = std::make_shared<verify_options>();
  CLI::App* app = program.add_subcommand("verify", "Checks whether recordings are sound");
  app->add_option("FILE", options->files, "Recordings of any format")->required();
  app->add_flag("--json", options->json, "One JSON object for each file, one a line");
  app->footer(
      "Looks at hashes, structure, keyframe cadence, value ranges and the order of times. Errors make the "
      "exit\n"
      "code 1; warnings and notes do not.\n"
      "Examples:\n"
      "  tickreel verify match.butter\n"
      "  tickreel verify --json *.reel | jq -r 'select(.ok | not) | .file'");
  verbs.push_back({app, [options] { return run(*options); }});
}

}  // namespace tickreel::cli
