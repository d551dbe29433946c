// tickreel stats: a row per player and match, and their sums.

#include "console/console.hpp"
#include "console/shard.hpp"
#include "console/verb.hpp"
#include "statistics/statistics_output.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::cli {

namespace {

struct stats_arguments {
  std::vector<std::string> files;
  shard part;
  bool csv = false;
  bool json = false;
  bool html = false;
  bool sums = false;
};

// A user who expects that --html takes a file name would get the page on the terminal, and an error for that
// name.
bool is_intended_output(const stats_arguments& arguments, const std::string& name) {
  const bool is_named_so = (arguments.html && name.ends_with(".html")) ||
                           (arguments.csv && name.ends_with(".csv")) ||
                           (arguments.json && name.ends_with(".json"));
  return is_named_so && !path_exists(name);
}

int run(const stats_arguments& arguments) {
  for (const std::string& each : arguments.files) {
    if (!is_intended_output(arguments, each)) continue;
    return report_usage(printable(each) + " does not exist; the verb writes to the standard output: " +
                        "'tickreel stats ... > FILE'");
  }
  std::vector<named_file> inputs;
  const bool whole = add_named_files(arguments.files, inputs);
  if (!inputs.empty()) {
    std::erase_if(inputs, [&](const named_file& each) { return !arguments.part.takes(each.file); });
    if (inputs.empty() && whole) {
      report_note("--shard", "none of the files");
      return done;
    }
  }
  const auto style = arguments.csv    ? statistics_style::csv
                     : arguments.json ? statistics_style::json
                     : arguments.html ? statistics_style::page
                                      : statistics_style::tables;
  const int code = print_statistics(inputs, style, arguments.sums);
  return whole ? code : failed;
}

}  // namespace

void add_stats(command& program) {
  auto arguments = std::make_shared<stats_arguments>();
  command& app = program.add_subcommand("stats", "Counts the actions of each player, in one match or many");
  app.add_option("FILE", arguments->files, "Recordings, and folders or s3://bucket/prefix with recordings")
      .required();
  arguments->part.add_to(app);
  app.add_flag("--csv", arguments->csv, "Comma-separated, with the same header for all formats");
  app.add_flag("--json", arguments->json, "One JSON object, also with build orders");
  app.add_flag("--html", arguments->html, "A page of tables without scripts");
  app.never_with("--json", {"--csv"});
  app.never_with("--html", {"--csv", "--json"});
  app.add_flag("--sums", arguments->sums, "Only the sums of all files, one row per player");
  app.notes =
      "Echo VR recordings, .SC2Replay, .icrep and gamecache. docs/statistics.md defines each column.\n"
      "Values that depend on lost ticks are marked, and the exit code is then 3. Of several recordings of\n"
      "one match only the most complete one counts; clips never count. Skipped files are reported. With\n"
      "--shard, only files of the same part are compared.";
  app.examples = {"tickreel stats match.butter", "tickreel stats season/ --csv --sums > season.csv",
                  "tickreel stats game.SC2Replay --json | jq '.matches[0].players[].build_order'",
                  "tickreel stats season/ --html > season.html"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
