// tickreel recover: makes a valid file from the remains of a crash.
#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/format_lists.hpp"
#include "console/verb.hpp"
#include "edit_arguments.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

int run(const edit_arguments& arguments) {
  file_path to = arguments.output;
  if (to.empty()) {
    auto chosen = files::recovered_name(arguments.file);
    if (!chosen) {
      report_error(arguments.file, chosen.error());
      return failed;
    }
    to = std::move(*chosen);
  }
  progress_bar bar("recovering " + arguments.file);
  auto report = files::recover(arguments.file, to, {.overwrite = arguments.force, .watch = bar.monitor()});
  bar.clear();
  if (!report) {
    const file_path about = file_of(report.error(), arguments.file, to);
    // The hint to run `recover` is redundant here.
    const error_code code = report.error().code;
    report_error(about, report.error(),
                 about == to || code == error_code::interrupted || code == error_code::in_use);
    return failed;
  }
  if (arguments.json) {
    std::string text;
    text::json_writer json(text);
    json.begin_object();
    files::add_file_member(arguments.file, json);
    json.member("output", report->output.utf8());
    json.member("ticks", report->ticks).member("bytes", report->bytes);
    json.key("lost").array(report->lost).key("left_out").array(report->left_out).end_object();
    standard_output().write_line(text);
  } else {
    standard_output().write(fmt::format("{}: {}, {}\n", printable(report->output.utf8()),
                                        counted(report->ticks, "tick"), bytes_text(report->bytes)));
    for (const std::string& each : report->lost)
      standard_output().write(fmt::format("  lost: {}\n", printable(each)));
  }
  for (const std::string& each : report->left_out) report_note(report->output, each);
  return report->lost.empty() ? done : done_with_loss;
}

}  // namespace

void add_recover(command& program) {
  auto arguments = std::make_shared<edit_arguments>();
  command& app =
      program.add_subcommand("recover", "Makes a valid file from a damaged or unfinished recording");
  app.add_option("FILE", arguments->file,
                 "One of " + formats_with(&files::format::recover) + "; FILE is only read")
      .required();
  app.add_option("-o,--output", arguments->output, "Output file (default: a new name beside FILE)")
      .check(file_to_write());
  app.add_flag("--force", arguments->force, "Overwrite an existing output");
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.notes = "The exit code is 3 if there is a loss, which is reported.";
  app.examples = {"tickreel recover match.butter.reel",
                  "tickreel recover cut.echoreplay -o whole.echoreplay"};
  app.run = [arguments, kept = std::shared_ptr<kept_temporary_files>()]() mutable {
    // They may be its next input.
    kept = std::make_shared<kept_temporary_files>(arguments->output);
    return run(*arguments);
  };
}

}  // namespace tickreel::cli
