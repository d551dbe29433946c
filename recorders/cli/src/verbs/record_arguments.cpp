#include "record_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "console/checks.hpp"
#include "console/config_file.hpp"
#include "console/console.hpp"
#include "console/verb.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::cli {

namespace {

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

value_check idle_rate() {
  const auto run = [](const std::string& text) {
    double rate = 0;
    const bool good = read_number(text, rate) &&
                      (rate == 0 || (rate >= echo_vr::min_rate_hz && rate <= echo_vr::max_rate_hz));
    return good ? std::string()
                : fmt::format("{} is neither 0 nor from {} to {}", text, echo_vr::min_rate_hz,
                              echo_vr::max_rate_hz);
  };
  return {.run = run, .value_name = "NUMBER", .offers = completion::nothing};
}

// Fills options from the command line; wrong_usage if they are contradictory.
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
  if (!arguments.obs_address.empty()) {
    if (const std::string wrong = read_obs_address(arguments.obs_address, arguments.obs); !wrong.empty()) {
      return report_usage("--obs: " + wrong);
    }
    const std::string wrong_save =
        read_event_types("--obs-save", arguments.obs_save_types, arguments.obs.save_types);
    if (!wrong_save.empty()) return report_usage(wrong_save);
    if (!arguments.obs.record && arguments.obs.save_types.empty()) {
      return report_usage("--obs: needs --obs-record, --obs-save goal, or both");
    }
  }
  if (const std::string wrong = arguments.clips.complete(options.matches); !wrong.empty()) {
    return report_usage(wrong);
  }
  options.keep.max_age_ms = static_cast<std::uint64_t>(arguments.keep_s * 1000);
  if (!arguments.targets.empty()) options.targets.clear();
  for (const std::string& each : arguments.targets) {
    if (auto parsed = echo_vr::parse_targets(each, options.targets); !parsed) {
      const error& wrong = parsed.error();
      if (wrong.code != error_code::invalid_argument) {
        return report_usage(fmt::format("'{}': {}", each, describe(wrong)));
      }
      return report_usage(fmt::format("'{}': {} at offset {}; write HOST, HOST:PORT or HOST:PORT-PORT", each,
                                      wrong.detail, wrong.offset));
    }
  }
  const auto formats = parse_formats(arguments.formats);
  if (!formats || formats->empty()) {
    return report_usage(
        fmt::format("--format {}: not a list of butter, echoreplay, reel and tape", arguments.formats));
  }
  options.matches.formats = *formats;
  options.matches.folder = arguments.folder;
  const bool only_reels = *formats == std::vector{echo_vr::record_format::reel};
  options.matches.codec =
      arguments.codec.options(only_reels ? echo_vr::name(echo_vr::record_format::reel) : "");
  if (const std::string wrong = codec_arguments::wrong_level(options.matches.codec); !wrong.empty()) {
    return report_usage(wrong);
  }
  options.matches.hold = arguments.codec.hold().value_or(butter::tolerances{});
  if (const std::string wrong = arguments.codec.read_bone_error(); !wrong.empty()) return report_usage(wrong);
  options.matches.bone_errors = arguments.codec.bone_errors;
  options.matches.seal_interval_ms =
      static_cast<std::uint32_t>(std::lround(arguments.seal_interval_s * 1000));
  options.duration_ms = static_cast<std::uint64_t>(arguments.duration_s * 1000);
  const bool butter =
      std::find(formats->begin(), formats->end(), echo_vr::record_format::butter) != formats->end();
  if (!butter) return done;
  const files::format& output = *files::find_format(echo_vr::name(echo_vr::record_format::butter));
  const auto& codec = options.matches.codec;
  if (const auto wrong = codec_arguments::wrong_codec(codec, output); !wrong.empty())
    return report_usage(wrong);
  if (const auto rare = codec_arguments::rare_codec(codec, output); !rare.empty()) report_error(rare);
  return done;
}

// The named file, or the one of this folder, if there is one.
int configure(record_arguments& arguments, command& app) {
  if (arguments.no_config) return done;
  if (arguments.config.empty() && !path_exists(usual_config_name)) return done;
  const std::string file = arguments.config.empty() ? usual_config_name : arguments.config;
  if (const std::string wrong = apply_config(app, file); !wrong.empty()) return report_usage(wrong);
  if (arguments.config.empty()) report_note(file, "options come from this file; --no-config ignores it");
  return done;
}

// Options that have no effect without another one. The other one may be in the options file; an option of
// that file is not reported.
using needed_options = std::vector<std::pair<const option*, const option*>>;

needed_options needed_by(command& app) {
  constexpr std::pair<const char*, const char*> all[] = {{"--publish-replicas", "--publish"},
                                                         {"--publish-keep", "--publish"},
                                                         {"--publish-keep-bytes", "--publish"},
                                                         {"--publish-drop-oldest", "--publish"},
                                                         {"--webhook-events", "--webhook"},
                                                         {"--obs-password", "--obs"},
                                                         {"--obs-record", "--obs"},
                                                         {"--obs-save", "--obs"},
                                                         {"--after", "--clips"},
                                                         {"--clips-player", "--clips"},
                                                         {"--prometheus-listen", "--prometheus"},
                                                         {"--view-page", "--view"}};
  needed_options out;
  for (const auto& [name, other] : all) {
    const option* const given = app.find_option(name);
    if (given->count != 0) out.emplace_back(given, app.find_option(other));
  }
  return out;
}

// Options of the command line that have an effect on one format alone. Everyday options of the file may be for a format
// that is not written now.
struct format_options {
  bool of_butter = false;
  bool of_reel = false;
};

int refuse_idle(const record_arguments& arguments, const needed_options& needed,
                const format_options& given_for) {
  for (const auto& [given, other] : needed) {
    if (other->count == 0) {
      return report_usage(fmt::format("{} has no effect without {}", given->name(), other->name()));
    }
  }
  const auto& formats = arguments.options.matches.formats;
  const auto writes = [&formats](echo_vr::record_format format) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  if (given_for.of_reel) {
    if (!writes(echo_vr::record_format::reel)) return report_usage("--bone-error is for --format reel");
    if (!arguments.options.polls.bones) return report_usage("--bone-error has no effect with --no-bones");
  }
  if (writes(echo_vr::record_format::butter) || !given_for.of_butter) return done;
  if (!arguments.codec.profile.empty()) return report_usage("--profile is for a .butter");
  if (arguments.options.matches.extra) {
    return report_usage("--extra is for a .butter: the other formats hold all values");
  }
  return done;
}

// Destinations besides the files.
void add_destinations(command& app, record_arguments& arguments) {
  app.add_option("--webhook", arguments.hook.url,
                 "Post events to this address as JSON, in a form that Discord accepts");
  app.add_option("--webhook-events", arguments.hook_types,
                 "Event types to post, comma-separated (goal,match_started,match_ended)");
  app.add_option("--obs", arguments.obs_address,
                 "Control OBS Studio through its WebSocket server: host or host:port (port 4455)");
  app.add_option("--obs-password", arguments.obs.password, "Password of OBS; safer in tickreel.toml");
  app.add_flag("--obs-record", arguments.obs.record,
               "Start a recording in OBS with each match, and stop it at its end");
  app.add_option("--obs-save", arguments.obs_save_types,
                 "Save OBS's replay buffer after these events, comma-separated: goal,save");
  app.add_option("--publish", arguments.publish.url,
                 "Deliver each match while it is recorded: nats://host:4222[/league]");
  arguments.publish.add_stream_options(app, "--publish-");
  app.add_option("--overlay", arguments.overlay_port,
                 "Serve a page for casters on this port of 127.0.0.1: score, clock, possession, last goal")
      .check(between(1, 65535));
  app.add_option("--view", arguments.view_port,
                 "Serve the viewer on this port of 127.0.0.1, which shows the match live")
      .check(between(1, 65535));
  app.add_option("--view-page", arguments.view_page).hidden();
  app.add_option("--prometheus", arguments.prometheus_port,
                 "Serve metrics for Prometheus on this port: polls, losses, deliveries, disk space (0: any "
                 "free port)")
      .check(between(0, 65535));
  add_listen_address(app, "--prometheus-listen", arguments.prometheus_listen);
}

}  // namespace

int complete_record_arguments(record_arguments& arguments, command& app) {
  const needed_options needed = needed_by(app);
  const format_options given_for{
      .of_butter = app.find_option("--profile")->count + app.find_option("--extra")->count != 0,
      .of_reel = app.find_option("--bone-error")->count != 0};
  if (const int problem = configure(arguments, app); problem != done) return problem;
  if (const int problem = complete(arguments); problem != done) return problem;
  return refuse_idle(arguments, needed, given_for);
}

void add_record_arguments(command& app, record_arguments& arguments) {
  echo_vr::record_options& options = arguments.options;
  options.polls.rate_hz = 60;
  app.add_option("TARGET", arguments.targets,
                 "host, host:port or host:from-to (default: this machine, port 6721)");
  app.add_flag("--find", arguments.find,
               "Also find games at port 6721 of the local network, and record them");
  app.add_option("--rate", options.polls.rate_hz, "Polls per second in a match (60)")
      .check(finite_number())
      .check(between(echo_vr::min_rate_hz, echo_vr::max_rate_hz));
  app.add_option(
         "--idle-rate", options.matches.idle_rate_hz,
         "Polls per second without a match and after its end; 0: one without a match, --rate after its end")
      .check(idle_rate());
  app.add_option("--out", arguments.folder, "Folder for the files; created if missing (.)")
      .check(folder_to_write());
  app.add_option("--format", arguments.formats,
                 "butter, echoreplay, reel, tape, or several, comma-separated (butter)");
  app.add_flag("--bones,!--no-bones", options.polls.bones, "Request skeletons, too (default), or not");
  app.add_flag("--extra", options.matches.extra,
               "Write NAME.extra.json beside each .butter, with values that it cannot hold");
  app.add_flag("--active-only", options.matches.active_only, "Omit ticks without active play");
  arguments.codec.add_to(app);
  arguments.codec.add_profile_to(app);
  arguments.codec.add_bone_error_to(app);
  app.add_option("--keyframe-interval", options.matches.keyframe_interval_ticks,
                 "Ticks between keyframes (300)")
      .check(between(1, 65535));
  app.add_option(
         "--seal-interval", arguments.seal_interval_s,
         "Maximum delay until ticks are on disk and visible to readers of the reel: 100ms to 10s (1s)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.1, 10.0));
  app.add_option("--duration", arguments.duration_s, "Stop after this time: 90, 90s, 15m or 2h; 0: never")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.0, 1e9));
  app.add_option(
      "--name", options.matches.name_pattern,
      "Pattern of file names: {date} {time} {map} {session} {type} {blue} {orange} {client} {host} "
      "{round} {n} ({date}_{time}_{map}_{session})");
  app.add_flag("--split-rounds", options.matches.file_per_round, "Write one file per round");
  app.add_option("--keep", arguments.keep_s,
                 "Delete recordings of this recorder that are older than this: 12h, 30d")
      .check(age_with_unit())
      .check(finite_number())
      .check(between(0.0, 1e11));
  app.add_option("--keep-bytes", options.keep.max_bytes,
                 "Delete the oldest recordings of this recorder if all together are larger: 800M, 50G")
      .check(bytes_with_unit());
  arguments.clips.add_to(app);
  add_destinations(app, arguments);
  app.add_option("--config", arguments.config,
                 "Read options from this file instead of tickreel.toml in the current folder")
      .check(file_to_read());
  app.add_flag("--no-config", arguments.no_config, "Do not read an options file");
  app.add_flag("--json", arguments.json, "Events, scores and the clock as JSON, one object per line");
}

}  // namespace tickreel::cli
