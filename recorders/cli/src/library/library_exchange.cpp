// tickreel library import and export: caches of the DotA replay manager.
#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "library_verbs.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct import_arguments {
  library_place place;
  std::vector<std::string> files;
  bool json = false;
};

struct export_arguments {
  library_place place;
  library_filter filter;
  std::string file;
  std::string layout;
  std::size_t max_items = 0;
  bool force = false;
  bool json = false;
};

int run_import(const import_arguments& arguments) {
  auto index = arguments.place.open(true);
  if (!index) return failed;
  int code = done;
  for (const std::string& file : arguments.files) {
    const auto report = index->import_cache(file);
    if (!report) {
      report_error(file, report.error());
      code = failed;
      continue;
    }
    if (arguments.json) {
      std::string text;
      text::json_writer(text)
          .begin_object()
          .member("file", file)
          .member("games", report->games)
          .member("incomplete", report->incomplete)
          .end_object();
      standard_output().write_line(text);
    } else {
      standard_output().write_line(fmt::format("{}: {}", printable(file), counted(report->games, "game")));
    }
    if (!report->incomplete) continue;
    report_note(file, "its writer did not finish it");
    if (code == done) code = done_with_loss;
  }
  return code;
}

void print(const std::string& file, const library::export_report& report, bool json) {
  const char* const layout = report.layout == library::cache_layout::flat ? "flat" : "flagged";
  if (!json) {
    standard_output().write_line(fmt::format("{}: {}, {}, layout {}", printable(file),
                                             counted(report.games, "game"), bytes_text(report.bytes),
                                             layout));
    return;
  }
  std::string text;
  text::json_writer out(text);
  out.begin_object().member("file", file).member("games", report.games).member("bytes", report.bytes);
  out.member("layout", layout).key("left_out").begin_object();
  for (const auto& [format, count] : report.left_out) out.member(format, count);
  out.end_object().member("duplicates", report.duplicates).member("evicted", report.evicted);
  out.member("lost_fields", report.lost_fields).end_object();
  standard_output().write_line(text);
}

int run_export(export_arguments& arguments) {
  if (!arguments.filter.complete()) return wrong_usage;
  const auto index = arguments.place.open(false);
  if (!index) return failed;
  library::export_options options;
  options.games = arguments.filter.what;
  if (!arguments.layout.empty()) {
    options.layout =
        arguments.layout == "flat" ? library::cache_layout::flat : library::cache_layout::flagged;
  }
  options.max_items = arguments.max_items;
  options.overwrite = arguments.force;
  const auto report = index->export_cache(arguments.file, options);
  if (!report) {
    report_error(arguments.file, report.error());
    return failed;
  }
  print(arguments.file, *report, arguments.json);
  bool lost = false;
  const auto say = [&](std::uint64_t count, const std::string& one, const std::string& many) {
    if (count == 0) return;
    lost = true;
    report_note(arguments.file, counted(count, one.c_str(), many.c_str()));
  };
  for (const auto& [format, count] : report->left_out) {
    say(count, fmt::format("game of {} has no counterpart in a cache and was omitted", format),
        fmt::format("games of {} have no counterpart in a cache and were omitted", format));
  }
  say(report->lost_fields, "field does not exist in this layout and was omitted",
      "fields do not exist in this layout and were omitted");
  say(report->evicted, "game was removed to make room", "games were removed to make room");
  if (report->duplicates != 0) {
    report_note(arguments.file,
                counted(report->duplicates, "game") + " came from several caches; the newest was taken");
  }
  return lost ? done_with_loss : done;
}

}  // namespace

void add_library_exchange(command& library) {
  {
    auto arguments = std::make_shared<import_arguments>();
    command& app = library.add_subcommand("import", "Imports caches of the DotA replay manager");
    app.add_option("FILE", arguments->files, "gamecache or gamecache.dat, of any version").required();
    arguments->place.add_to(app);
    app.add_flag("--json", arguments->json, "One JSON object per file and line");
    app.notes = "The games stay in the index if the file is deleted.";
    app.examples = {"tickreel library import gamecache.dat",
                    "tickreel library find --format gamecache --player Alice"};
    app.run = [arguments] { return run_import(*arguments); };
  }
  auto arguments = std::make_shared<export_arguments>();
  command& app = library.add_subcommand("export", "Writes a cache that the DotA replay manager opens");
  app.add_option("--gamecache", arguments->file, "Output file").required().check(file_to_write());
  app.add_option("--layout", arguments->layout,
                 "flat: for 3.00 and later; flagged: for older ones (default: the layout of the import)")
      .check(one_of({"flat", "flagged"}));
  app.add_option(
         "--max-items", arguments->max_items,
         "Maximum number of games in a flagged cache, the least recently used are omitted; 0: all (2048 for "
         "programs up to 2.04)")
      .check(whole_number());
  arguments->filter.add_to(app);
  app.add_flag("--force", arguments->force, "Overwrite an existing output");
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  arguments->place.add_to(app);
  app.notes =
      "Games of one imported cache are exported byte for byte. Games of other formats have no counterpart; "
      "they "
      "are\n"
      "counted, and the exit code is then 3.";
  app.examples = {"tickreel library export --gamecache gamecache.dat --format gamecache",
                  "tickreel library export --gamecache gamecache --layout flagged --max-items 2048"};
  app.run = [arguments] { return run_export(*arguments); };
}

}  // namespace tickreel::cli
