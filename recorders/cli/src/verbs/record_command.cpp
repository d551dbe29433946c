// tickreel record echo: polls games and records their matches.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include "console/checks.hpp"
#include "console/codec_arguments.hpp"
#include "console/companions.hpp"
#include "console/config_file.hpp"
#include "console/console.hpp"
#include "console/duration.hpp"
#include "console/live_status.hpp"
#include "console/save_request.hpp"
#include "console/stop_signal.hpp"
#include "console/system_console.hpp"
#include "console/verb.hpp"
#include "fleet/record_publish.hpp"
#include "record_clips.hpp"
#include "record_live.hpp"
#include "record_view.hpp"
#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/echo_vr/find_games.hpp"
#include "tickreel/echo_vr/overlay_server.hpp"
#include "tickreel/echo_vr/record_session.hpp"
#include "tickreel/text/json.hpp"
#include "webhook.hpp"

namespace tickreel::cli {

namespace {

struct record_arguments {
  std::vector<std::string> targets;
  std::string folder = ".";
  std::string formats = "butter";
  codec_arguments codec;
  double duration_s = 0;
  double keep_s = 0;
  std::string config;
  bool no_config = false;
  std::uint16_t overlay_port = 0;
  std::uint16_t view_port = 0;
  std::string view_page;
  bool find = false;
  live_clip_arguments clips;
  webhook_options hook;
  std::string hook_types = "goal,match_started,match_ended";
  publish_arguments publish;
  bool json = false;
  echo_vr::record_options options;
};

std::optional<std::vector<echo_vr::record_format>> parse_formats(const std::string& text) {
  std::vector<echo_vr::record_format> formats;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto format = echo_vr::record_format_from_name(word);
    if (!format) return std::nullopt;
    if (std::find(formats.begin(), formats.end(), *format) == formats.end()) formats.push_back(*format);
  }
  return formats;
}

CLI::Validator idle_rate() {
  const auto check = [](const std::string& text) {
    double rate = 0;
    const bool good = CLI::detail::lexical_cast(text, rate) &&
                      (rate == 0 || (rate >= echo_vr::min_rate_hz && rate <= echo_vr::max_rate_hz));
    return good ? std::string()
                : fmt::format("{} is neither 0 nor from {} to {}", text, echo_vr::min_rate_hz,
                              echo_vr::max_rate_hz);
  };
  return {check, ""};
}

// The library takes -1 for the highest number.
CLI::Validator no_minus() {
  const auto check = [](const std::string& text) {
    if (text.starts_with('-')) return text + " is less than 0";
    // The library would take it for the highest number there is.
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc::result_out_of_range ? text + " is more than any disk holds" : std::string();
  };
  return {check, ""};
}

// Fills options from the words of the command line; wrong_usage when they make no sense.
int complete(record_arguments& arguments) {
  echo_vr::record_options& options = arguments.options;
  if (const std::string wrong = echo_vr::check_name_pattern(options.matches.name_pattern); !wrong.empty()) {
    return report_usage(fmt::format("--name {}: {}", options.matches.name_pattern, wrong));
  }
  if (const std::string& url = arguments.hook.url; !url.empty()) {
    if (const std::string wrong = wrong_address(url); !wrong.empty())
      return report_usage("--webhook: " + wrong);
  }
  const std::string wrong_hook =
      read_event_types("--webhook-events", arguments.hook_types, arguments.hook.types);
  if (!wrong_hook.empty()) return report_usage(wrong_hook);
  if (const std::string wrong = arguments.clips.complete(options.matches); !wrong.empty()) {
    return report_usage(wrong);
  }
  options.keep.max_age_ms = static_cast<std::uint64_t>(arguments.keep_s * 1000);
  if (!arguments.targets.empty()) options.targets.clear();
  for (const std::string& each : arguments.targets) {
    if (auto parsed = echo_vr::parse_targets(each, options.targets); !parsed) {
      return report_usage(fmt::format("{}: {}", each, describe(parsed.error())));
    }
  }
  const auto formats = parse_formats(arguments.formats);
  if (!formats || formats->empty()) {
    return report_usage(
        fmt::format("--format {}: not a list of butter, echoreplay and reel", arguments.formats));
  }
  options.matches.formats = *formats;
  options.matches.folder = arguments.folder;
  const bool only_reels = *formats == std::vector{echo_vr::record_format::reel};
  options.matches.codec = arguments.codec.options(only_reels ? "reel" : "");
  if (const std::string wrong = codec_arguments::wrong_level(options.matches.codec); !wrong.empty()) {
    return report_usage(wrong);
  }
  options.matches.hold = arguments.codec.hold().value_or(butter::tolerances{});
  options.duration_ms = static_cast<std::uint64_t>(arguments.duration_s * 1000);
  const bool butter =
      std::find(formats->begin(), formats->end(), echo_vr::record_format::butter) != formats->end();
  if (butter && arguments.codec.codec == "lz4") {
    return report_usage("--codec lz4: a .butter takes none, gzip and zstd");
  }
  if (butter && arguments.codec.codec == "zstd") {
    report_error("most readers of .butter cannot open zstd; gzip is safe");
  }
  return done;
}

void print_report(const echo_vr::session_report& report, const echo_vr::clip_counts& clips, bool as_json) {
  if (!as_json) {
    standard_output().write_line(fmt::format(
        "{} {}, {} ticks, {} polls lost, {} ticks dropped{}{}{}{}", report.files_finished,
        report.files_finished == 1 ? "file" : "files", report.frames, report.lost_polls, report.dropped_ticks,
        report.left_out == 0 ? "" : fmt::format(", {} values left out", report.left_out),
        report.files_failed == 0
            ? ""
            : fmt::format(", {} {} FAILED", report.files_failed, report.files_failed == 1 ? "file" : "files"),
        clips_text(clips),
        report.let_go_ticks == 0 ? "" : fmt::format(", {} ticks went with the buffer", report.let_go_ticks)));
    return;
  }
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("event", "finished").member("files_finished", report.files_finished);
  json.member("files_failed", report.files_failed).member("ticks", report.frames);
  json.member("lost_polls", report.lost_polls).member("dropped_ticks", report.dropped_ticks);
  json.member("left_out", report.left_out).member("let_go_ticks", report.let_go_ticks);
  json.member("clips_saved", clips.saved).member("clips_failed", clips.failed);
  json.member("clip_events_missed", clips.missed).end_object();
  standard_output().write_line(text);
}

// Told once, while something can still be done about it.
void tell_first_failure(webhook& hook, live_status& status, bool as_json) {
  const std::string why = hook.take_first_failure();
  if (why.empty()) return;
  status.clear();
  report_error("--webhook: an event could not be posted: " + why);
  if (!as_json) return;
  std::string text;
  text::json_writer(text)
      .begin_object()
      .member("event", "webhook_failed")
      .member("message", why)
      .end_object();
  status.line(text);
}

// That the broker is away, and that it is back: the recording goes on meanwhile.
void tell_deliveries(delivery_watch& watch, const std::string& url, live_status& status, bool as_json) {
  for (const delivery_watch::news& each : watch.take()) {
    status.clear();
    const std::string why = each.what ? describe(*each.what) : std::string();
    report_error(each.what ? fmt::format("--publish {}: {}; the recording goes on, and what is missing is "
                                         "delivered later",
                                         url, why)
                           : fmt::format("--publish {}: the broker takes what is recorded again", url));
    if (!as_json) continue;
    std::string text;
    text::json_writer json(text);
    json.begin_object().member("event", each.what ? "delivery_failed" : "delivery_back");
    json.member("file", each.reel.utf8());
    if (each.what) json.member("message", why);
    json.end_object();
    status.line(text);
  }
}

// Of the whole session; the reels are there.
void tell_undelivered(const delivery_watch& watch, const std::string& url) {
  for (const file_path& each : watch.undelivered()) {
    report_error(each, error{error_code::timed_out, error::no_offset, "the broker does not have all of it"},
                 false);
    report_advice(fmt::format("'tickreel publish FILE {}' delivers the rest of it", url));
  }
}

// Files may take a while to be laid out: shows that, and a second Ctrl-C leaves the reels instead.
echo_vr::session_report finish(echo_vr::record_session& session, echo_vr::clip_saver& clips,
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
    const echo_vr::session_report report = work();  // no thread to spare: unseen
    status.print_events();
    return report;
  }
  while (finished.wait_for(100ms) != std::future_status::ready) {
    status.print_events();
    if (stop_requests() > 1) {
      session.give_up_laying_out();
      clips.give_up();
    }
    status.show_finishing(session.status());
  }
  status.clear();
  const echo_vr::session_report report = finished.get();
  status.print_events();
  return report;
}

// The file that was named, else the one of this folder, if there is one.
int configure(record_arguments& arguments, CLI::App& app) {
  if (arguments.no_config) return done;
  std::error_code unknown;
  if (arguments.config.empty() && !std::filesystem::exists(usual_config_name, unknown)) return done;
  const std::string file = arguments.config.empty() ? usual_config_name : arguments.config;
  if (const std::string wrong = apply_config(app, file); !wrong.empty()) return report_usage(wrong);
  if (arguments.config.empty()) report_note(file, "options are taken from it; --no-config leaves it alone");
  return done;
}

// Adds the games of the local network to the targets that were named.
int look_around(record_arguments& arguments) {
  if (!arguments.find) return done;
  const auto places = echo_vr::places_near(echo_vr::own_addresses());
  report_error(fmt::format("looking for games at {} addresses of the local network", places.size()));
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

// Options that mean nothing without another one. The other may stand in the file of options; what stands
// there itself may wait for it.
using needed_options = std::vector<std::pair<const CLI::Option*, const CLI::Option*>>;

needed_options needed_by(CLI::App& app) {
  constexpr std::pair<const char*, const char*> all[] = {{"--publish-replicas", "--publish"},
                                                         {"--publish-keep", "--publish"},
                                                         {"--publish-keep-bytes", "--publish"},
                                                         {"--publish-drop-oldest", "--publish"},
                                                         {"--webhook-events", "--webhook"},
                                                         {"--after", "--clips"},
                                                         {"--view-page", "--view"}};
  needed_options out;
  for (const auto& [option, other] : all) {
    const CLI::Option* const given = app.get_option(option);
    if (given->count() != 0) out.emplace_back(given, app.get_option(other));
  }
  return out;
}

int refuse_idle(const record_arguments& arguments, const needed_options& needed) {
  for (const auto& [option, other] : needed) {
    if (other->count() == 0) {
      return report_usage(
          fmt::format("{} changes nothing without {}", option->get_name(), other->get_name()));
    }
  }
  const auto& formats = arguments.options.matches.formats;
  const bool butter =
      std::find(formats.begin(), formats.end(), echo_vr::record_format::butter) != formats.end();
  if (butter) return done;
  if (!arguments.codec.profile.empty()) return report_usage("--profile is for a .butter");
  if (arguments.options.matches.extra) {
    return report_usage("--extra is for a .butter: the other formats have a place for all of it");
  }
  return done;
}

int run(record_arguments& arguments, CLI::App& app) {
  const needed_options needed = needed_by(app);
  if (const int problem = configure(arguments, app); problem != done) return problem;
  if (const int problem = complete(arguments); problem != done) return problem;
  if (const int problem = refuse_idle(arguments, needed); problem != done) return problem;
  catch_stop_signals(2);
  catch_save_requests();
  if (const int problem = look_around(arguments); problem != done) return problem;
  const fine_clock clock;
  live_status status(arguments.json);
  // Before the session, which writes into it until it ends.
  echo_vr::live_feed feed;
  live_lines lines(feed);
  echo_vr::clip_saver clips(feed, arguments.clips.options,
                            [&](const echo_vr::record_event& what) { status.event(what); });
  arguments.options.matches.live = &feed;
  arguments.options.matches.clips = &clips;
  delivery_watch deliveries;
  if (!arguments.publish.url.empty()) {
    if (arguments.options.matches.buffer_ms != 0) {
      return report_usage("--publish: a --buffer holds no whole matches");
    }
    auto sinks = published_matches(arguments.publish, arguments.options.matches.formats.front(), deliveries);
    if (!sinks) return wrong_usage;
    arguments.options.matches.sinks = std::move(*sinks);
  }
  if (arguments.view_port != 0 && arguments.options.matches.buffer_ms != 0) {
    return report_usage(
        "--view: a --buffer lets its reels go one after the other, so there is no match to show");
  }
  std::optional<echo_vr::overlay_server> overlay;
  const bool posts = !arguments.hook.url.empty();
  if (arguments.overlay_port != 0) {
    echo_vr::overlay_options serving;
    serving.port = arguments.overlay_port;
    serving.ask_for_clip = [&clips](std::function<void(const echo_vr::saved_clips&)> then) {
      clips.ask(std::move(then));
    };
    auto started = echo_vr::overlay_server::start(feed, serving);
    if (!started) {
      report_error(fmt::format("--overlay {}: {}", arguments.overlay_port, describe(started.error())));
      return failed;
    }
    overlay.emplace(std::move(*started));
  }
  std::unique_ptr<record_view> view;
  if (arguments.view_port != 0) {
    view = record_view::start(arguments.view_port, arguments.view_page);
    if (!view) return failed;
    report_error(fmt::format("the viewer is at http://127.0.0.1:{}/{}", view->port(),
                             arguments.options.targets.size() < 2
                                 ? ""
                                 : "; of several games it shows the first whose match begins, until that "
                                   "ends: tickreel view FILE --follow shows another"));
    // With the page's own half a second nobody is more than one behind.
    arguments.options.matches.seal_interval_ms = 400;
  }
  std::optional<webhook> hook;
  if (posts) hook.emplace(feed, arguments.hook);
  auto session = echo_vr::record_session::start(arguments.options, [&](const echo_vr::record_event& what) {
    if (view) view->event(what);
    status.event(what);
  });
  if (!session) {
    status.print_events();
    report_error(arguments.folder, session.error());
    return failed;
  }
  using namespace std::chrono_literals;
  if (can_be_typed()) report_error("type c and Enter to save what just happened");
  bool told = false;
  const auto tell = [&] {
    status.print_events();
    if (hook) tell_first_failure(*hook, status, arguments.json);
    tell_deliveries(deliveries, arguments.publish.url, status, arguments.json);
    if (!arguments.json) return;
    for (const std::string& each : lines.take()) status.line(each);
  };
  auto shown = std::chrono::steady_clock::now();
  while (!session->wait_for(50ms)) {
    if (take_save_request()) clips.ask();
    tell();
    if (stop_requested()) {
      session->stop();
      if (!std::exchange(told, true)) status.clear();
      continue;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - shown < 250ms) continue;
    shown = now;
    status.show(session->status());
  }
  tell();
  status.clear();
  const echo_vr::session_report report = finish(*session, clips, status);
  status.print_events();
  tell_deliveries(deliveries, arguments.publish.url, status, arguments.json);
  tell_undelivered(deliveries, arguments.publish.url);
  const echo_vr::clip_counts clipped = clips.counts();
  print_report(report, clipped, arguments.json);
  bool all_posted = true;
  if (hook) {
    const webhook_report posted = hook->finish(std::chrono::seconds(3));
    all_posted = posted.lost == 0;
    if (!all_posted) {
      report_error(fmt::format("--webhook: {} events were posted, {} were not{}{}", posted.posted,
                               posted.lost, posted.last_failure.empty() ? "" : ": ", posted.last_failure));
    }
  }
  if (report.files_failed + clipped.failed != 0) return failed;
  return report.loss() || clipped.missed != 0 || !all_posted ? done_with_loss : done;
}

}  // namespace

void add_record(CLI::App& program, verb_list& verbs) {
  auto arguments = std::make_shared<record_arguments>();
  CLI::App* record = program.add_subcommand("record", "Records live games");
  record->require_subcommand(1);
  CLI::App* app = record->add_subcommand("echo", "Records Echo VR through its HTTP API");
  echo_vr::record_options& options = arguments->options;
  options.polls.rate_hz = 60;
  app->add_option("TARGET", arguments->targets,
                  "host, host:port or host:from-to; without one this machine, port 6721");
  app->add_flag("--find", arguments->find,
                "Look for games at port 6721 of the local network, and record those too");
  app->add_option("--rate", options.polls.rate_hz, "Polls per second in a match (60)")
      ->check(finite_number())
      ->check(CLI::Range(echo_vr::min_rate_hz, echo_vr::max_rate_hz));
  app->add_option("--idle-rate", options.matches.idle_rate_hz,
                  "Polls per second without a match and after it; 0: one a second without a match")
      ->check(idle_rate());
  app->add_option("--out", arguments->folder, "The folder for the files; made when it is not there (.)");
  app->add_option("--format", arguments->formats,
                  "butter, echoreplay, reel, or several with commas (butter)");
  app->add_flag("--bones,!--no-bones", options.polls.bones, "Ask for the skeletons too (default) or not");
  app->add_flag("--extra", options.matches.extra,
                "Beside each .butter a NAME.extra.json with what it has no place for");
  app->add_flag("--active-only", options.matches.active_only, "Leave out the ticks in which nobody plays");
  arguments->codec.add_to(*app);
  arguments->codec.add_profile_to(*app);
  app->add_option("--keyframe-interval", options.matches.keyframe_interval_ticks,
                  "A keyframe every so many ticks (300)")
      ->check(CLI::Range(1, 65535));
  app->add_option("--duration", arguments->duration_s, "End after so long: 90, 90s, 15m or 2h; 0: never")
      ->transform(seconds_with_unit())
      ->check(finite_number())
      ->check(CLI::Range(0.0, 1e9));
  app->add_option(
      "--name", options.matches.name_pattern,
      "What files are called: {date} {time} {map} {session} {type} {blue} {orange} {client} {host} "
      "{round} {n} ({date}_{time}_{map}_{session})");
  app->add_flag("--split-rounds", options.matches.file_per_round, "A file for each round");
  app->add_option("--keep", arguments->keep_s, "Remove recordings of this recorder that are older: 12h, 30d")
      ->transform(CLI::AsNumberWithUnit(
          std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}},
          CLI::AsNumberWithUnit::UNIT_REQUIRED, "TIME"))
      ->check(finite_number())
      ->check(CLI::Range(0.0, 1e11));
  app->add_option("--keep-bytes", options.keep.max_bytes,
                  "Remove the oldest recordings of this recorder when all take more: 800M, 50G")
      ->transform(CLI::AsSizeValue(true))
      ->transform(no_minus());  // comes first
  arguments->clips.add_to(*app);
  app->add_option("--webhook", arguments->hook.url,
                  "Post what happens to this address as JSON; Discord takes it");
  app->add_option("--webhook-events", arguments->hook_types,
                  "Which events, with commas (goal,match_started,match_ended)");
  app->add_option("--publish", arguments->publish.url,
                  "Deliver each match while it is recorded: nats://host:4222[/league]");
  arguments->publish.add_stream_options(*app, "--publish-");
  app->add_option("--overlay", arguments->overlay_port,
                  "A page for casters on this port of 127.0.0.1: score, clock, possession, last goal")
      ->check(CLI::Range(1, 65535));
  app->add_option("--view", arguments->view_port,
                  "The viewer on this port of 127.0.0.1, which shows the match while it is recorded")
      ->check(CLI::Range(1, 65535));
  app->add_option("--view-page", arguments->view_page)->group("");
  app->add_option("--config", arguments->config,
                  "Options from this file instead of tickreel.toml in the current folder");
  app->add_flag("--no-config", arguments->no_config, "Read no file of options");
  never_with(*app, "--config", {"--no-config"});
  app->add_flag("--json", arguments->json, "Events, scores and the clock as JSON, one object a line");
  app->footer(
      "One file per match, named by its time, map and session. Ctrl-C finishes the file that is being "
      "written;\n"
      "a second one leaves its reel instead, which 'tickreel recover' finishes.\n"
      "c and Enter on a terminal, SIGUSR1, and POST /clip at the overlay's port save what just happened: "
      "the\n"
      "last 20 seconds, those of --before, or the whole --buffer.\n"
      "Examples:\n"
      "  tickreel record echo\n"
      "  tickreel record echo 192.168.1.20 --rate 30 --out replays --format butter,echoreplay\n"
      "  tickreel record echo server.example:6721-6730 --no-bones --active-only\n"
      "  tickreel record echo --name '{date}_{map}_{blue}-{orange}_{n}' --split-rounds\n"
      "  tickreel record echo --keep 30d --keep-bytes 50G\n"
      "  tickreel record echo --find\n"
      "  tickreel record echo --clips goals,saves --before 20s --after 5s\n"
      "  tickreel record echo --buffer 5m --clips goals    (no whole matches)\n"
      "  tickreel record echo --webhook https://discord.com/api/webhooks/ID/TOKEN --webhook-events goal\n"
      "  tickreel record echo --publish nats://broker.example:4222/league\n"
      "  tickreel record echo --overlay 8081    (then add http://127.0.0.1:8081 to OBS)\n"
      "  tickreel record echo --view 8080       (then open http://127.0.0.1:8080)");
  verbs.push_back({app, [arguments, app] { return run(*arguments, *app); }});
}

}  // namespace tickreel::cli
