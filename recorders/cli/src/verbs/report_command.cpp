// tickreel report: writes a page about recorded matches.
#include <fmt/format.h>

#include <memory>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/shard.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/viewer/report.hpp"

namespace tickreel::cli {

namespace {

struct report_arguments {
  std::vector<std::string> files;
  std::string out;
  shard part;
  bool force = false;
};

int run(report_arguments& arguments) {
  if (!arguments.part.keep_own(arguments.files)) return done;
  if (const int problem = refuse_existing({arguments.out}, arguments.force); problem != done) {
    return problem;
  }
  std::vector<viewer::report_part> parts;
  int code = done;
  for (const std::string& file : arguments.files) {
    progress_bar bar(fmt::format("reading {}", file));
    auto part = viewer::report_of(file, {}, bar.monitor());
    bar.clear();
    if (!part) {
      report_error(file, part.error());
      return failed;
    }
    if (report_losses(file, part->losses) != done) code = done_with_loss;
    parts.push_back(std::move(*part));
  }
  const auto page = viewer::report_page(parts);
  if (!page) {
    report_error(arguments.out, page.error());
    return failed;
  }
  if (!write_file(arguments.out, *page, arguments.force)) return failed;
  std::size_t matches = 0;
  for (const viewer::report_part& each : parts) matches += each.matches.size();
  standard_output().write_line(fmt::format("{}: {}, {}", printable(arguments.out),
                                           counted(matches, "match", "matches"), bytes_text(page->size())));
  return code;
}

}  // namespace

void add_report(command& program) {
  auto arguments = std::make_shared<report_arguments>();
  command& app = program.add_subcommand("report", "Writes a page about matches, to read, print and send");
  app.add_option("FILE", arguments->files, "Recordings of any format").required();
  arguments->part.add_to(app);
  app.add_option("-o,--out", arguments->out, "The page").required().check(file_to_write());
  app.add_flag("--force", arguments->force, "Overwrite an existing page");
  app.notes =
      "Score, players, possession, heat maps, passes, curves and events. A recording without a known game\n"
      "gets its fields as curves, its places and its events. The page needs no scripts and no network.";
  app.examples = {"tickreel report match.butter -o match.html",
                  "tickreel report evening/*.echoreplay -o evening.html",
                  "tickreel report game.SC2Replay -o game.html --force"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
