// tickreel record echo: polls games and records their matches.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "console/console.hpp"
#include "console/live_status.hpp"
#include "console/metrics_page.hpp"
#include "console/save_request.hpp"
#include "console/stop_signal.hpp"
#include "console/system_console.hpp"
#include "console/verb.hpp"
#include "fleet/record_publish.hpp"
#include "obs_control.hpp"
#include "record_arguments.hpp"
#include "record_clips.hpp"
#include "record_live.hpp"
#include "record_metrics.hpp"
#include "record_report.hpp"
#include "record_view.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/echo_vr/find_games.hpp"
#include "tickreel/echo_vr/overlay_server.hpp"
#include "tickreel/echo_vr/record_session.hpp"
#include "webhook.hpp"

namespace tickreel::cli {

namespace {

// Publishing the files may take a while: shows that; a second Ctrl-C leaves the reels instead.
echo_vr::session_report finish_files(echo_vr::record_session& session, echo_vr::clip_saver& clips,
                                     live_status& status) {
  using namespace std::chrono_literals;
  const auto work = [&] {
    echo_vr::session_report report = session.finish();
    clips.finish();
    return report;
  };
  std::future<echo_vr::session_report> finished;
  try {
    finished = std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    const echo_vr::session_report report = work();  // no free thread: progress is not shown
    status.print_events();
    return report;
  }
  while (finished.wait_for(100ms) != std::future_status::ready) {
    status.print_events();
    if (stop_requests() > 1) {
      session.cancel_publishing();
      clips.give_up();
    }
    status.show_finishing(session.status());
  }
  status.clear();
  const echo_vr::session_report report = finished.get();
  status.print_events();
  return report;
}

// Adds the games of the local network to the targets that were named.
int look_around(record_arguments& arguments) {
  if (!arguments.find) return done;
  const auto places = echo_vr::places_near(echo_vr::own_addresses());
  report_error(fmt::format("looking for games at {} of the local network",
                           counted(places.size(), "address", "addresses")));
  echo_vr::find_options options;
  progress_bar bar("looking for games");
  options.progress = [&](std::size_t looked_at, std::size_t all) {
    bar.show(looked_at, all);
    return !stop_requested();
  };
  const auto found = echo_vr::find_games(places, options);
  bar.clear();
  auto& targets = arguments.options.targets;
  if (arguments.targets.empty()) targets.clear();
  for (const echo_vr::found_game& each : found) {
    report_error(fmt::format("found {}: {}", echo_vr::to_text(each.where), echo_vr::sentence(each.state)));
    const bool known = std::find(targets.begin(), targets.end(), each.where) != targets.end();
    if (!known && targets.size() < echo_vr::max_targets) targets.push_back(each.where);
  }
  if (!targets.empty()) return done;
  report_error("found no game");
  report_advice("switch the API on in the game's settings, or give the headset's address");
  return failed;
}

// A session, and what serves or follows it.
class running_recorder {
 public:
  explicit running_recorder(record_arguments& arguments)
      : arguments_(arguments),
        status_(arguments.json),
        lines_(feed_),
        clips_(feed_, arguments.clips.options,
               [this](const echo_vr::record_event& what) { status_.event(what); }) {
    arguments_.options.matches.live = &feed_;
    arguments_.options.matches.clips = &clips_;
  }
  running_recorder(const running_recorder&) = delete;
  running_recorder& operator=(const running_recorder&) = delete;

  // An exit code other than `done` was reported.
  [[nodiscard]] int start() {
    for (const auto step : {&running_recorder::check_buffer, &running_recorder::start_deliveries,
                            &running_recorder::start_overlay, &running_recorder::start_view,
                            &running_recorder::start_metrics}) {
      if (const int problem = (this->*step)(); problem != done) return problem;
    }
    if (!arguments_.hook.url.empty()) hook_.emplace(feed_, arguments_.hook);
    if (!arguments_.obs_address.empty()) obs_.emplace(feed_, arguments_.obs);
    auto session = echo_vr::record_session::start(arguments_.options, [&](const echo_vr::record_event& what) {
      if (view_) view_->event(what);
      status_.event(what);
    });
    if (!session) {
      status_.print_events();
      report_error(arguments_.folder, session.error());
      return failed;
    }
    session_.emplace(std::move(*session));
    return done;
  }

  // Until the session ends or the user stops it.
  void run() {
    using namespace std::chrono_literals;
    if (can_be_typed()) report_error("type c and Enter to save what just happened");
    bool reported = false;
    show_metrics();
    auto shown = std::chrono::steady_clock::now();
    while (!session_->wait_for(50ms)) {
      if (take_save_request()) clips_.ask();
      report_status();
      if (stop_requested()) {
        session_->stop();
        if (!std::exchange(reported, true)) status_.clear();
        continue;
      }
      const auto now = std::chrono::steady_clock::now();
      if (now - shown < 250ms) continue;
      shown = now;
      show_metrics();
      status_.show(session_->status());
    }
    report_status();
    status_.clear();
  }

  // Finishes the files and everything beside them. Returns the exit code.
  [[nodiscard]] int finish() {
    const echo_vr::session_report report = finish_files(*session_, clips_, status_);
    status_.print_events();
    report_deliveries(deliveries_, arguments_.publish.url, status_, arguments_.json);
    report_undelivered(deliveries_, arguments_.publish.url);
    const echo_vr::clip_counts clipped = clips_.counts();
    print_report(report, clipped, arguments_.options.matches.formats.size(), arguments_.json);
    bool all_posted = true;
    if (hook_) {
      const webhook_report posted = hook_->finish(std::chrono::seconds(3));
      all_posted = posted.lost == 0;
      if (!all_posted) {
        report_error(fmt::format("--webhook: {} posted, {}{}{}",
                                 counted(posted.posted, "event was", "events were"),
                                 counted(posted.lost, "was not", "were not"),
                                 posted.last_failure.empty() ? "" : ": ", posted.last_failure));
      }
    }
    if (obs_) {
      const obs_report asked = obs_->finish(std::chrono::seconds(5));
      if (asked.failed != 0) {
        report_error(fmt::format("--obs: {} done, {}: {}",
                                 counted(asked.done, "request was", "requests were"),
                                 counted(asked.failed, "was not", "were not"), asked.last_failure));
        all_posted = false;
      }
    }
    if (report.files_failed + clipped.failed != 0) {
      // Standard output contains all of them, if it still has a reader.
      report_error(printable(status_.last_failure()));
      return failed;
    }
    return report.loss() || clipped.missed != 0 || !all_posted ? done_with_loss : done;
  }

 private:
  [[nodiscard]] auto& matches() noexcept { return arguments_.options.matches; }

  int check_buffer() {
    if (matches().buffer_ms == 0) return done;
    if (!arguments_.publish.url.empty()) {
      return report_usage("--publish: a --buffer holds no complete matches");
    }
    if (arguments_.view_port == 0) return done;
    return report_usage(
        "--view: a --buffer discards its reels one after the other, so there is no match to show");
  }

  int start_deliveries() {
    if (arguments_.publish.url.empty()) return done;
    auto sinks = published_matches(arguments_.publish, matches().formats.front(), deliveries_);
    if (!sinks) return wrong_usage;
    matches().sinks = std::move(*sinks);
    return done;
  }

  int start_overlay() {
    if (arguments_.overlay_port == 0) return done;
    echo_vr::overlay_options serving;
    serving.port = arguments_.overlay_port;
    serving.ask_for_clip = [this](std::function<void(const echo_vr::saved_clips&)> then) {
      clips_.ask(std::move(then));
    };
    auto started = echo_vr::overlay_server::start(feed_, serving);
    if (!started) {
      return report_port(fmt::format("--overlay {}", arguments_.overlay_port), started.error(), "--overlay");
    }
    overlay_.emplace(std::move(*started));
    report_error(fmt::format("the overlay is at http://127.0.0.1:{}/", arguments_.overlay_port));
    return done;
  }

  int start_view() {
    if (arguments_.view_port == 0) return done;
    std::vector<std::string> targets;
    for (const echo_vr::target& each : arguments_.options.targets) targets.push_back(echo_vr::to_text(each));
    view_ = record_view::start(arguments_.view_port, arguments_.view_page, std::move(targets));
    if (!view_) return failed;
    report_error(
        fmt::format("the viewer is at http://127.0.0.1:{}/{}", view_->port(),
                    arguments_.options.targets.size() < 2
                        ? ""
                        : "; it lists the games, and shows the first match that begins until another game is "
                          "chosen"));
    // The delay is this interval plus half of it for transport: less than a second in total.
    auto& seal_interval_ms = matches().seal_interval_ms;
    seal_interval_ms = std::min<std::uint32_t>(seal_interval_ms, 250);
    return done;
  }

  int start_metrics() {
    if (!arguments_.prometheus_port) return done;
    metrics_ = metrics_page::start(*arguments_.prometheus_port, arguments_.prometheus_listen);
    if (!metrics_) return failed;
    report_error("metrics are at " + metrics_->address());
    return done;
  }

  void report_status() {
    status_.print_events();
    if (hook_) {
      report_first_failure({"--webhook: an event could not be posted: ", "webhook_failed"},
                           hook_->take_first_failure(), status_, arguments_.json);
    }
    if (obs_) {
      report_first_failure({"--obs: ", "obs_failed"}, obs_->take_first_failure(), status_, arguments_.json);
    }
    report_deliveries(deliveries_, arguments_.publish.url, status_, arguments_.json);
    if (!arguments_.json) return;
    for (const std::string& each : lines_.take()) status_.line(each);
  }

  void show_metrics() {
    if (metrics_) metrics_->show(record_metrics(session_->status(), deliveries_.totals(), arguments_.folder));
  }

  record_arguments& arguments_;
  const fine_clock clock_;
  live_status status_;
  // The session writes into it until it ends, so the session is destroyed first.
  echo_vr::live_feed feed_;
  live_lines lines_;
  echo_vr::clip_saver clips_;
  delivery_watch deliveries_;
  std::optional<echo_vr::overlay_server> overlay_;
  std::unique_ptr<record_view> view_;
  std::optional<metrics_page> metrics_;
  std::optional<webhook> hook_;
  std::optional<obs_control> obs_;
  std::optional<echo_vr::record_session> session_;
};

int run(record_arguments& arguments, command& app) {
  if (const int problem = complete_record_arguments(arguments, app); problem != done) return problem;
  catch_stop_signals(2);
  catch_save_requests();
  if (const int problem = look_around(arguments); problem != done) return problem;
  running_recorder recorder(arguments);
  if (const int problem = recorder.start(); problem != done) return problem;
  recorder.run();
  return recorder.finish();
}

}  // namespace

void add_record(command& program) {
  auto arguments = std::make_shared<record_arguments>();
  command& record = program.add_subcommand("record", "Records live games");
  command& app = record.add_subcommand("echo", "Records Echo VR through its HTTP API");
  add_record_arguments(app, *arguments);
  app.notes =
      "One file per match, named by its time, map and session. Ctrl-C finishes the file that is being "
      "written;\n"
      "a second one leaves its reel instead, which 'tickreel recover' finishes.\n"
      "Each of these saves a clip: c and Enter on a terminal, SIGUSR1, POST /clip at the overlay's port.\n"
      "The clip has the last 20 seconds, or the time of --before, or the whole --buffer.";
  app.examples = {
      "tickreel record echo",
      "tickreel record echo 192.168.1.20 --rate 30 --out replays --format butter,echoreplay",
      "tickreel record echo server.example:6721-6730 --no-bones --active-only",
      "tickreel record echo --name '{date}_{map}_{blue}-{orange}_{n}' --split-rounds",
      "tickreel record echo --keep 30d --keep-bytes 50G",
      "tickreel record echo --find",
      "tickreel record echo --clips goals,saves --before 20s --after 5s",
      "tickreel record echo --buffer 5m --clips goals    (no whole matches)",
      "tickreel record echo --webhook https://discord.com/api/webhooks/ID/TOKEN --webhook-events goal",
      "tickreel record echo --obs 127.0.0.1 --obs-record --obs-save goal",
      "tickreel record echo --publish nats://broker.example:4222/league",
      "tickreel record echo --overlay 8081    (then add http://127.0.0.1:8081 to OBS)",
      "tickreel record echo --view 8080       (then open http://127.0.0.1:8080)"};
  app.run = [arguments, &app] { return run(*arguments, app); };
}

}  // namespace tickreel::cli
