// tickreel view: recordings in the browser.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "console/browser.hpp"
#include "console/checks.hpp"
#include "console/confine.hpp"
#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/viewer/server.hpp"
#include "view_map.hpp"
#include "view_page.hpp"

namespace tickreel::cli {

namespace {

struct view_arguments {
  std::vector<std::string> files;
  std::string page;
  std::string html;
  map_arguments map;
  std::uint16_t port = 0;
  bool follow = false;
  bool spoiler_free = false;
  bool no_open = false;
  bool force = false;
};

// The maximum number of SA-MP paths that the page draws into one picture; each has its own reader there.
constexpr std::size_t max_paths = 12;

// A file that is not a recording is reported here, not in the browser; a reel that is being written may be
// empty.
bool can_be_shown(const std::string& name, bool grows) {
  // Not opened, because a pipe would wait for a writer.
  const auto there = status_of(name);
  if (!there) {
    report_error(name, there.error());
    return false;
  }
  if (grows && there->kind == entry_kind::file && there->bytes == 0) return true;
  const auto format = files::detect(name);
  if (!format) report_error(name, format.error());
  return format.has_value();
}

bool are_paths(const std::vector<std::string>& files) {
  return files.size() <= max_paths && std::ranges::all_of(files, [](const std::string& each) {
           const auto format = files::detect(each);
           return format && (*format)->shown.stage == files::stage::path;
         });
}

// For the whole recording, as its page shows it.
std::vector<std::string> losses_of_page(const std::string& file, files::recording& shown) {
  auto more = shown.next();
  while (more && *more && !stop_requested()) more = shown.next();
  std::vector<std::string> losses = shown.losses();
  if (!more) losses.push_back("it cannot be read to its end: " + describe(more.error()));
  if (const auto checked = files::add_trailing_bytes(file, losses); !checked && more) {
    losses.push_back("it cannot be read to its end: " + describe(checked.error()));
  }
  return losses;
}

int write_html(const view_arguments& arguments, const viewer::page& page, const viewer::page_map* map) {
  if (arguments.files.size() != 1 || arguments.follow) {
    return report_usage("--html takes one FILE and excludes --follow");
  }
  if (const int problem = refuse_existing({arguments.html}, arguments.force); problem != done) {
    return problem;
  }
  // A page in which nothing can be read is no page.
  const auto shown = files::open(arguments.files.front());
  if (!shown) {
    report_error(arguments.files.front(), shown.error());
    return failed;
  }
  const auto bytes = viewer::write_single_file(
      page, arguments.files.front(), arguments.html,
      {.overwrite = arguments.force, .spoiler_free = arguments.spoiler_free, .map = map});
  if (!bytes) {
    report_error(file_of(bytes.error(), arguments.files.front(), arguments.html), bytes.error(), false);
    if (bytes.error().code == error_code::over_limit) {
      report_advice(
          "'tickreel view FILE' shows it without writing a page; 'tickreel clip' writes a part of it");
    }
    return failed;
  }
  standard_output().write_line(fmt::format("{}: {}", printable(arguments.html), bytes_text(*bytes)));
  return report_losses(arguments.files.front(), losses_of_page(arguments.files.front(), **shown));
}

int run(const view_arguments& arguments) {
  if (arguments.follow && arguments.files.size() != 1) return report_usage("--follow takes one FILE");
  if (const int problem = refuse_edges(arguments.map); problem != done) return problem;
  if (!arguments.map.file.empty() && arguments.files.size() == 2)
    return report_usage("--map takes one FILE, or three or more paths (.rec) in one picture");
  const auto page = viewer_page(arguments.page);
  if (!page) return failed;
  for (const std::string& each : arguments.files) {
    if (!can_be_shown(each, arguments.follow)) return failed;
  }
  if (arguments.files.size() > 2 && !are_paths(arguments.files)) {
    return report_usage(fmt::format(
        "view shows one FILE, two FILES side by side, or up to {} paths (.rec) in one picture", max_paths));
  }
  std::optional<viewer::page_map> map;
  if (!arguments.map.file.empty()) {
    map = read_view_map(arguments.map, arguments.files.front());
    if (!map) return failed;
  }
  if (!arguments.html.empty()) return write_html(arguments, *page, map ? &*map : nullptr);
  auto server = viewer::page_server::listen(*page, {.port = arguments.port});
  if (!server) {
    return report_port(fmt::format("127.0.0.1:{}", arguments.port), server.error(), "--port");
  }
  if (map) server->set_map(std::move(*map));
  std::vector<viewer::shown_recording> shown;
  for (const std::string& each : arguments.files) {
    shown.push_back({each, file_path(filesystem_path(each).filename()).utf8()});
  }
  server->show(std::move(shown), arguments.follow);
  const std::string address =
      fmt::format("http://127.0.0.1:{}/{}", server->port(), arguments.spoiler_free ? "#spoiler-free" : "");
  standard_output().write_line(fmt::format("{} at {}", arguments.follow ? "following" : "showing", address));
  standard_output().write_line("only this machine can open it; Ctrl-C stops it");
  standard_output().flush();
  if (!arguments.no_open && !open_in_browser(address)) {
    report_error("no browser could be started; open the address yourself");
  }
  // A reel that is followed is published beside itself.
  confine_to_folders_of(arguments.files);
  if (const auto answering = server->answer(); !answering) {
    report_error(address, answering.error());
    return failed;
  }
  while (!stop_requested() && standard_output().ok()) {
    using namespace std::chrono_literals;
    std::this_thread::sleep_for(50ms);
  }
  server->stop();
  return done;
}

}  // namespace

void add_view(command& program) {
  auto arguments = std::make_shared<view_arguments>();
  command& app = program.add_subcommand("view", "Shows recordings in the browser");
  app.add_option("FILE", arguments->files,
                 "A recording of any format, two side by side, or up to 12 .rec in one picture")
      .required();
  app.add_flag("--follow", arguments->follow, "Show a live reel while it grows");
  app.add_flag("--spoiler-free", arguments->spoiler_free,
               "Hide data after the cursor: events, score, curves, outcome");
  app.add_option("--html", arguments->html, "Write one page that contains the recording")
      .check(file_to_write());
  app.add_flag("--force", arguments->force, "Overwrite an existing page");
  add_map_options(app, arguments->map,
                  "A map below the recording: a picture (PNG, JPEG, WebP), or StarCraft II's file of the map",
                  "WEST SOUTH EAST NORTH: the edges of a picture in the game (the page's field)");
  app.add_option("--port", arguments->port, "Port to listen on (0: any free port)").check(between(0, 65535));
  app.add_flag("--no-open", arguments->no_open, "Only print the address; do not start a browser");
  app.only_with("--html", {"--force"});
  app.never_with("--html", {"--port", "--follow"});
  // For development of the page.
  app.add_option("--page", arguments->page).hidden();
  app.notes =
      "The recording stays on this machine: a page at 127.0.0.1 reads it with this program's reader.\n"
      "Ctrl-C stops the program.";
  app.examples = {"tickreel view match.butter",
                  "tickreel view mine.echoreplay theirs.echoreplay",
                  "tickreel view mission_1.rec mission_2.rec mission_3.rec",
                  "tickreel view --spoiler-free final.SC2Replay",
                  "tickreel view match.SC2Replay --map Antiga.SC2Map",
                  "tickreel view match.reel --follow",
                  "tickreel view --html match.html match.butter"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
