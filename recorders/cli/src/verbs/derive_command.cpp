// tickreel derive: detects events again and stores them in the recording.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/file_batch.hpp"
#include "console/format_lists.hpp"
#include "console/verb.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct derive_arguments {
  std::vector<std::string> files;
  std::string output;
  bool in_place = false;
  bool force = false;
  bool json = false;
};

std::int64_t number_in(const files::edit_report& report, std::string_view key) {
  for (const files::fact& each : report.facts) {
    const auto* const value = std::get_if<std::int64_t>(&each.value);
    if (each.key == key && value != nullptr) return *value;
  }
  return 0;
}

std::string as_json(const std::string& file, const std::string& output, const files::edit_report& report) {
  std::string text;
  text::json_writer json(text);
  json.begin_object();
  files::add_file_member(file, json);
  json.member("output", output).member("bytes", report.bytes);
  for (const char* key : {"ticks", "events", "events_before"}) json.member(key, number_in(report, key));
  json.key("lost").array(report.lost);
  if (!report.notes.empty()) {
    json.key("notes").array(report.notes);
  }
  json.end_object();
  return text + "\n";
}

std::string as_text(const std::string& output, const files::edit_report& report) {
  std::string text = fmt::format("{}: {}, before {}, {}\n", output,
                                 counted(static_cast<std::uint64_t>(number_in(report, "events")), "event"),
                                 number_in(report, "events_before"), bytes_text(report.bytes));
  for (const std::string& each : report.lost) text += fmt::format("  lost: {}\n", each);
  for (const std::string& each : report.notes) text += fmt::format("  {}\n", each);
  return text;
}

// Each file once, even if several links name it: two threads would replace it at the same time.
std::vector<std::string> each_once(const std::vector<std::string>& named) {
  std::vector<std::string> out;
  std::set<std::filesystem::path> seen;
  for (const std::string& each : named) {
    std::error_code unknown;
    std::filesystem::path itself = std::filesystem::canonical(filesystem_path(each), unknown);
    if (unknown && path_exists(each)) {
      // MinGW's canonical() fails for paths of more than 260 characters.
      itself = std::filesystem::absolute(filesystem_path(each), unknown).lexically_normal();
    }
    if (unknown || seen.insert(itself).second) {
      out.push_back(each);
    } else {
      report_note(each, "named more than once; processed once");
    }
  }
  return out;
}

int run(const derive_arguments& arguments) {
  if (arguments.in_place == !arguments.output.empty()) {
    return report_usage("derive needs either -o OUT.reel or --in-place");
  }
  if (!arguments.output.empty() && arguments.files.size() > 1) {
    return report_usage("-o is for one file; use --in-place for several");
  }
  if (arguments.in_place && arguments.force) return report_usage("--force is for -o");
  const std::vector<std::string> files = arguments.in_place ? each_once(arguments.files) : arguments.files;
  return run_batch(files, "deriving",
                   [&](const std::string& file, const files::monitor& watch) -> file_outcome {
                     const std::string& output = arguments.in_place ? file : arguments.output;
                     files::edit_options options;
                     options.overwrite = arguments.force || arguments.in_place;
                     options.watch = watch;
                     const auto done = files::derive(file, output, options);
                     file_outcome outcome;
                     if (!done) {
                       outcome.failure = done.error();
                       const file_path about = file_of(done.error(), file_path(file), file_path(output));
                       if (about.utf8() != file) outcome.failed_file = about.utf8();
                       return outcome;
                     }
                     outcome.text = arguments.json ? as_json(file, output, *done) : as_text(output, *done);
                     outcome.left_out = !done->lost.empty();
                     return outcome;
                   });
}

}  // namespace

void add_derive(command& program) {
  auto arguments = std::make_shared<derive_arguments>();
  command& app = program.add_subcommand("derive", "Detects events again and stores them in the recording");
  app.add_option("FILES", arguments->files, "Recordings of Echo VR: " + formats_with(&files::format::derive))
      .required();
  app.add_option("-o,--output", arguments->output, "Output reel; the input is only read")
      .check(file_to_write());
  app.add_flag("--in-place", arguments->in_place,
               "Reels: store the events in the files themselves, each replaced atomically");
  app.add_flag("--force", arguments->force, "Overwrite an existing output");
  app.add_flag("--json", arguments->json, "One JSON object per file instead of text");
  app.notes =
      "Adds events to recordings without them, and replaces those that an older version detected;\n"
      "ticks and all other data stay unchanged. Only reels can store events: another\n"
      "recording becomes a reel with -o, and 'tickreel events' shows events without storing them.";
  app.examples = {"tickreel derive --in-place season/*.reel", "tickreel derive match.butter -o match.reel"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
