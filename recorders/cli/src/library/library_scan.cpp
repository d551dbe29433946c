// tickreel library scan and watch: put the recordings of folders into the index.
#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "library_verbs.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/store/object_store.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct scan_arguments {
  library_place place;
  std::vector<std::string> folders;
  unsigned threads = 0;
  bool everything = false;
  bool thorough = false;
  bool json = false;
  double poll_s = 5;
  bool always_poll = false;
};

void print(const library::scan_report& report, bool json) {
  if (json) {
    std::string text;
    text::json_writer(text)
        .begin_object()
        .member("seen", report.seen)
        .member("unchanged", report.unchanged)
        .member("added", report.added)
        .member("changed", report.changed)
        .member("moved", report.moved)
        .member("vanished", report.vanished)
        .member("damaged", report.damaged)
        .member("ignored", report.ignored)
        .member("unreadable_folders", report.unreadable_folders)
        .member("unreadable_objects", report.unreadable_objects)
        .member("interrupted", report.interrupted)
        .end_object();
    standard_output().write_line(text);
    (void)standard_output().flush();
    return;
  }
  std::string text =
      fmt::format("{}: {} new, {} changed, {} moved, {} vanished, {} unchanged", counted(report.seen, "file"),
                  report.added, report.changed, report.moved, report.vanished, report.unchanged);
  if (report.ignored != 0) text += fmt::format(", {} not recordings", report.ignored);
  if (report.damaged != 0)
    text += fmt::format("; {} damaged ('find --damaged' shows the reasons)", report.damaged);
  standard_output().write_line(text);
  (void)standard_output().flush();
}

std::vector<file_path> folders_of(const scan_arguments& arguments) {
  return {arguments.folders.begin(), arguments.folders.end()};
}

// A folder that never existed is an error; one that vanished is not.
bool folders_exist(const scan_arguments& arguments) {
  bool all = true;
  for (const std::string& each : arguments.folders) {
    if (store::is_s3_url(each)) continue;
    if (path_exists(each)) continue;
    report_error(fmt::format("{}: there is no such file or folder", printable(each)));
    all = false;
  }
  return all;
}

int run_scan(const scan_arguments& arguments) {
  for (const std::string& each : arguments.folders) {
    if (!store::is_s3_url(each) && path_exists(each)) continue;
    if (const auto sound = store::check_place(each); !sound) {
      return report_usage(fmt::format("{}: {}", printable(each), describe(sound.error())));
    }
  }
  auto index = arguments.place.open(true);
  if (!index) return failed;
  const bool all_there = folders_exist(arguments);
  progress_bar bar("scanning");
  const auto report = index->scan(folders_of(arguments), {.threads = arguments.threads,
                                                          .everything = arguments.everything,
                                                          .thorough = arguments.thorough,
                                                          .watch = bar.monitor()});
  bar.clear();
  if (!report) {
    report_error(index->path(), report.error(), false);
    return failed;
  }
  print(*report, arguments.json);
  if (report->interrupted) {
    report_error(index->path(), error{error_code::interrupted, error::no_offset,
                                      "files already read are in the index, and the next scan continues"});
    return failed;
  }
  if (report->unreadable_folders != 0) {
    for (const auto& each : report->unreadable) {
      report_error(each, error{error_code::permission_denied, error::no_offset, "this folder cannot be read"},
                   false);
    }
    if (report->unreadable_folders > report->unreadable.size()) {
      report_error(counted(report->unreadable_folders, "folder") + " cannot be read");
    }
  }
  for (const library::unread_object& each : report->unread) report_error(each.url, each.why, false);
  if (report->unreadable_objects > report->unread.size()) {
    report_error(counted(report->unreadable_objects,
                         "file or object could not be read; its entry in the index stays",
                         "files and objects could not be read; their entries in the index stay"));
  }
  if (!all_there || report->unlisted != 0) return failed;
  return report->unreadable_folders + report->unreadable_objects != 0 ? done_with_loss : done;
}

int run_watch(const scan_arguments& arguments) {
  auto index = arguments.place.open(true);
  if (!index) return failed;
  for (const std::string& each : arguments.folders) {
    if (store::is_s3_url(each)) {
      return report_usage(printable(each) + ": a store cannot be watched: run 'library scan' again");
    }
  }
  if (!folders_exist(arguments)) return failed;
  library::watch_options options;
  options.scan.threads = arguments.threads;
  options.scan.watch.cancelled = stop_requested;
  options.poll_ms = static_cast<std::uint32_t>(arguments.poll_s * 1000);
  options.always_poll = arguments.always_poll;
  options.updated = [&](const library::scan_report& report) { print(report, arguments.json); };
  const auto report = index->watch(folders_of(arguments), options);
  if (!report) {
    report_error(index->path(), report.error(), false);
    return failed;
  }
  return done;
}

}  // namespace

void add_library_scan(command& library) {
  {
    auto arguments = std::make_shared<scan_arguments>();
    command& app = library.add_subcommand("scan", "Indexes every recording in folders or in a store");
    app.add_option("DIR", arguments->folders, "Folders, files, or s3://bucket/prefix").required();
    arguments->place.add_to(app);
    app.add_option("--threads", arguments->threads, "Number of files that are read in parallel (all cores)")
        .check(whole_number());
    app.add_flag("--everything", arguments->everything, "Also read unchanged files");
    app.add_flag("--thorough", arguments->thorough, "Read every tick and check every hash");
    app.add_flag("--json", arguments->json, "One JSON object instead of text");
    app.notes =
        "Files with unchanged time, size and inode are not read again. Moved and renamed files are\n"
        "recognised by their content; missing files are marked. Can be interrupted, and run in parallel.\n"
        "From a store, only the index of a recording is downloaded, or parts of a recording without an "
        "index.\n"
        "Credentials come from the environment, see docs/archive.md.";
    app.examples = {"tickreel library scan ~/replays /mnt/league", "tickreel library scan s3://league/2026",
                    "tickreel library scan ~/replays --json | jq .added",
                    "tickreel library scan ~/replays --everything --thorough"};
    app.run = [arguments] { return run_scan(*arguments); };
  }
  auto arguments = std::make_shared<scan_arguments>();
  command& app = library.add_subcommand("watch", "Keeps the index current until Ctrl-C");
  app.add_option("DIR", arguments->folders, "Folders").required();
  arguments->place.add_to(app);
  app.add_option("--poll", arguments->poll_s, "Polling interval if the system reports no changes (5s)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.1, 86400.0));
  app.add_flag("--always-poll", arguments->always_poll, "Always poll, for network folders");
  app.add_option("--threads", arguments->threads, "Number of files that are read in parallel (all cores)")
      .check(whole_number());
  app.add_flag("--json", arguments->json, "One JSON object per change and line");
  app.examples = {"tickreel library watch ~/replays",
                  "tickreel library watch /mnt/nas/replays --always-poll --poll 1m"};
  app.run = [arguments] { return run_watch(*arguments); };
}

}  // namespace tickreel::cli
