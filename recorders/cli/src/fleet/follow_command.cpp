// tickreel follow: a match that is recorded on another machine. tickreel relay: the same for browsers.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/listen_arguments.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "match_table.hpp"
#include "publish_arguments.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/follow.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/metrics.hpp"
#include "tickreel/viewer/server.hpp"
#include "verbs/tick_line.hpp"
#include "verbs/view_page.hpp"

namespace tickreel::cli {

namespace {

using namespace std::chrono_literals;

struct follow_arguments {
  std::string url;
  std::string output;
  std::string page;
  bool from_start = false;
  bool json = false;
  double idle_s = 0;
  std::uint16_t port = 0;
  listen_arguments listen;
};

// Prints the ticks of a growing reel, each once.
class tick_printer {
 public:
  explicit tick_printer(file_path reel) : reel_(std::move(reel)) {}

  // Prints the new ticks. Returns false when the output is closed.
  bool print() {
    if (!should_continue()) return true;
    if (!last_ && !standard_output().write(opened_->lines_before())) return false;
    // Reopened in a state that has a last tick but no next one to continue from.
    auto more = last_ && is_new_ ? opened_->go_to(*last_ + 1) : opened_->next();
    is_new_ = false;
    for (; more && *more; more = opened_->next()) {
      last_ = opened_->position().tick;
      if (!write_tick(*opened_, line_)) return false;
    }
    if (!more) {
      report_error(reel_, more.error());
      opened_.reset();
    }
    return standard_output().flush();
  }
  [[nodiscard]] bool any() const noexcept { return last_.has_value(); }
  // Range of the printed ticks. The caller requested its begin, and its end if the match goes on.
  [[nodiscard]] std::vector<std::string> losses() const {
    std::vector<std::string> all = opened_ ? opened_->losses() : std::vector<std::string>();
    std::erase_if(all, [](const std::string& each) {
      return each.starts_with("begins at tick ") || each.starts_with("it is being recorded: ");
    });
    return all;
  }

 private:
  // Opens the reel with the records received. Returns false while its first tick is missing.
  bool should_continue() {
    if (opened_) {
      const auto grew = opened_->extend();
      if (grew && *grew != files::growth::other) return true;
    }
    auto opened = files::open(reel_, {.live = true});
    if (!opened) return false;
    opened_ = std::move(*opened);
    is_new_ = true;
    return true;
  }

  file_path reel_;
  std::unique_ptr<files::recording> opened_;
  bool is_new_ = false;
  std::optional<std::uint64_t> last_;
  std::string line_;
};

int list_matches(const fleet::nats_url& url, const fleet::broker_options& login) {
  auto connected = fleet::broker::connect(url, login);
  if (!connected) {
    report_error(to_text(url), connected.error());
    return failed;
  }
  const auto matches = fleet::read_fleet(*connected, url.league, fleet::system_time_us());
  if (!matches) {
    report_error(to_text(url), matches.error());
    return failed;
  }
  standard_output().write(table_of(*matches));
  return done;
}

// Reported once per trouble, and once at its end.
void report_trouble(const fleet::follow_counters& counters, const std::string& url,
                    std::optional<error>& reported) {
  if (counters.connected) {
    if (reported) report_note(url, "connected");
    reported.reset();
  } else if (counters.last_error && (!reported || reported->code != counters.last_error->code)) {
    report_error(url, *counters.last_error);
    reported = counters.last_error;
  }
}

int report_end(const fleet::follower& from, const std::string& url, bool silent) {
  const fleet::follow_counters counters = from.counters();
  if (counters.reel.lost_records != 0) {
    report_note(url, counted(counters.reel.lost_records, "record") + " never arrived");
  }
  if (const std::uint64_t ignored = counters.reel.refused + counters.reel.malformed; ignored != 0) {
    report_note(url, counted(ignored, "message") + " of the stream ignored: no valid records of the match");
  }
  // Records that wait are stored, and were not printed.
  const bool waits = counters.reel.missing && (silent || counters.reel.waiting_records != 0);
  if (waits) {
    report_note(
        url, fmt::format("record {} does not arrive, and {} for it; the copy of the match has no end",
                         *counters.reel.missing,
                         counted(counters.reel.waiting_records, "later record waits", "later records wait")));
  } else if (silent) {
    report_note(url, "no more records arrived; the match has no end yet");
  }
  return counters.reel.lost_records != 0 || silent || waits ? done_with_loss : done;
}

// Receives records until the match ends, the user stops it, or the timeout passes. Calls `came` when the
// spool has new records, which returns whether to continue, and `print_status` regularly.
template <class Came, class Print>
int pump_all(fleet::follower& from, const std::string& url, double idle_s, const Came& came,
             const Print& print_status, const std::string& spool = "the folder for temporary files") {
  std::optional<error> reported;
  auto since = std::chrono::steady_clock::now();
  while (!stop_requested() && standard_output().ok()) {
    const auto written = from.pump(200ms);
    if (!written) {
      report_error(from.counters().refused ? url : spool, written.error());
      return failed;
    }
    if (!stop_requested()) report_trouble(from.counters(), url, reported);
    if (*written > 0) {
      since = std::chrono::steady_clock::now();
      if (!came()) return done;
    }
    print_status();
    if (from.ended()) return report_end(from, url, false);
    if (idle_s > 0 && std::chrono::steady_clock::now() - since > std::chrono::duration<double>(idle_s)) {
      return from.begun() ? report_end(from, url, true) : failed;
    }
  }
  return report_end(from, url, false);
}

std::optional<fleet::follower> start(const follow_arguments& arguments, const fleet::nats_url& url,
                                     const fleet::broker_options& login, const file_path& spool,
                                     reel::sink* also = nullptr) {
  fleet::follow_options options;
  options.assembling.also = also;
  options.broker = login;
  options.from_start = arguments.from_start;
  auto from = fleet::follower::create(url, spool, options);
  if (from) return std::move(*from);
  report_error(arguments.url, from.error());
  return std::nullopt;
}

// The stored output is a reel, under a name of its own.
int refuse_spool(const std::string& output) {
  const std::string ending = files::format_of_name(output);
  const bool is_known = files::find_format(ending) != nullptr || files::is_output(ending);
  if (is_known && !files::is_reel_name(output)) {
    return report_usage(
        fmt::format("-o {}: follow writes a reel: name it .reel, then 'tickreel convert' makes a .{} of it",
                    output, ending));
  }
  if (!path_exists(output)) return done;
  report_error(output, error{error_code::already_exists}, false);
  report_advice("choose another name: follow does not overwrite files");
  return failed;
}

int run_follow(const follow_arguments& arguments) {
  const auto url = broker_address(arguments.url, "follow");
  if (!url) return wrong_usage;
  const auto login = broker_login();
  if (!login) return failed;
  if (url->match.empty()) {
    const std::string_view idle = !arguments.output.empty() ? "--output"
                                  : arguments.from_start    ? "--from-start"
                                  : arguments.idle_s > 0    ? "--idle"
                                                            : "";
    if (idle.empty()) return list_matches(*url, *login);
    return report_usage(fmt::format("{} is for one match: nats://host:4222/league/match", idle));
  }
  if (!arguments.output.empty()) {
    if (const int problem = refuse_spool(arguments.output); problem != done) return problem;
    auto from = start(arguments, *url, *login, arguments.output);
    return from ? pump_all(
                      *from, arguments.url, arguments.idle_s, [] { return true; }, [] {}, arguments.output)
                : failed;
  }
  const auto spool = fleet::spool_file::create();
  if (!spool) {
    report_error("the folder for temporary files", spool.error());
    return failed;
  }
  auto from = start(arguments, *url, *login, spool->path());
  if (!from) return failed;
  tick_printer ticks(spool->path());
  const int code = pump_all(*from, arguments.url, arguments.idle_s, [&] { return ticks.print(); }, [] {});
  if (code == failed) return code;
  const std::vector<std::string> losses = ticks.losses();
  for (const std::string& each : losses) report_note(arguments.url, each);
  return losses.empty() ? code : done_with_loss;
}

// Number of viewers and of slow ones: on standard error if it is a terminal, or as lines of JSON.
class relay_status {
 public:
  relay_status(viewer::page_server& server, std::string match, bool json)
      : server_(server), match_(std::move(match)), json_(json) {}

  void print_status() {
    const auto now = std::chrono::steady_clock::now();
    const viewer::push_counters counters = server_.pushed();
    if (printed_ && (counters == *printed_ || now - printed_at_ < 1s)) return;
    print_status(counters);
    printed_at_ = now;
  }
  // The final status.
  void end(const std::string& url) {
    const viewer::push_counters counters = server_.pushed();
    if (json_ && counters != printed_) print_status(counters);
    if (json_) return;
    if (errors_are_terminal()) show_transient("");
    if (counters.drops == 0) return;
    report_note(url, fmt::format("browsers too slow: {}, {} not shown there", counted(counters.drops, "time"),
                                 counted(counters.dropped_records, "record")));
  }

 private:
  void print_status(const viewer::push_counters& counters) {
    printed_ = counters;
    server_.set_text("/metrics", text::metrics_content_type, metrics(counters));
    if (!json_) {
      if (!errors_are_terminal()) return;
      show_transient(fmt::format("{}, {}; too slow: {}, {}", counted(counters.records, "record"),
                                 counted(counters.watchers, "browser"), counted(counters.drops, "time"),
                                 counted(counters.dropped_records, "record")));
      return;
    }
    std::string line;
    text::json_writer out(line);
    out.begin_object().member("match", match_).member("port", server_.port());
    out.member("records", counters.records).member("watchers", counters.watchers);
    out.member("drops", counters.drops).member("dropped_records", counters.dropped_records).end_object();
    standard_output().write_line(line);
    standard_output().flush();
  }

  static std::string metrics(const viewer::push_counters& counters) {
    std::string out;
    text::metrics_writer page(out);
    const auto add = [&](const char* name, text::metric_kind kind, const char* help, std::uint64_t value) {
      page.metric(name, kind, help).sample(value);
    };
    add("tickreel_relay_records_total", text::metric_kind::counter, "Records pushed to browsers",
        counters.records);
    add("tickreel_relay_watchers", text::metric_kind::gauge, "Browsers that are connected",
        counters.watchers);
    add("tickreel_relay_drops_total", text::metric_kind::counter, "Times a browser was too slow",
        counters.drops);
    add("tickreel_relay_dropped_records_total", text::metric_kind::counter,
        "Records not sent to browsers that were too slow", counters.dropped_records);
    return out;
  }

  viewer::page_server& server_;
  std::string match_;
  bool json_;
  std::optional<viewer::push_counters> printed_;
  std::chrono::steady_clock::time_point printed_at_;
};

int run_relay(const follow_arguments& arguments) {
  const auto url = broker_address(arguments.url, "relay");
  if (!url) return wrong_usage;
  const auto login = broker_login();
  if (!login) return failed;
  if (url->match.empty()) return report_usage("relay takes nats://host:port/league/match");
  auto page = viewer_page(arguments.page);
  if (!page) return failed;
  const auto spool = fleet::spool_file::create();
  if (!spool) {
    report_error("the folder for temporary files", spool.error());
    return failed;
  }
  auto server = viewer::page_server::start(std::move(*page), {.port = arguments.port,
                                                              .address = arguments.listen.address,
                                                              .names = arguments.listen.names,
                                                              .max_clients = 1024});
  if (!server) {
    return report_port(address_text(arguments.listen, arguments.port), server.error(), "--http");
  }
  auto from = start(arguments, *url, *login, spool->path(), &server->pushing());
  if (!from) return failed;
  server->show({}, true);
  if (!arguments.json) {
    standard_output().write_line(
        fmt::format("{} at {}", printable(url->match), address_text(arguments.listen, server->port())));
    standard_output().flush();
  }
  relay_status status(*server, url->match, arguments.json);
  bool shown = false;
  const auto came = [&] {
    if (!std::exchange(shown, true)) server->show({{spool->path(), url->match + ".reel"}}, true);
    return true;
  };
  const int code = pump_all(*from, arguments.url, arguments.idle_s, came, [&] { status.print_status(); });
  // Viewers can watch until the end of the match.
  while (code != failed && from->ended() && !stop_requested() && standard_output().ok()) {
    std::this_thread::sleep_for(50ms);
    status.print_status();
  }
  status.end(arguments.url);
  server->stop();
  return code;
}

void add_common(command& app, follow_arguments& arguments) {
  app.add_flag("--from-start", arguments.from_start,
               "Start at the beginning of the match instead of its last keyframe");
  app.add_option("--idle", arguments.idle_s,
                 "Stop when no records arrive for this time: 90s, 15m; 0: never (0)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.0, 1e9));
}

}  // namespace

void add_follow(command& program) {
  auto arguments = std::make_shared<follow_arguments>();
  command& app =
      program.add_subcommand("follow", "Prints a live match of another machine while it is recorded");
  app.add_option("ADDRESS", arguments->url,
                 "nats://host:4222/league/match; without a match: lists all matches")
      .required();
  app.add_option("-o,--output", arguments->output, "Write the reel instead of printing its ticks")
      .check(file_to_write());
  add_common(app, *arguments);
  app.notes =
      "Prints each tick once, as 'tickreel cat' does, even if the connection breaks; Ctrl-C stops it.";
  app.examples = {"tickreel follow nats://broker.example:4222",
                  "tickreel follow nats://broker.example:4222/league/match",
                  "tickreel follow nats://broker.example:4222/league/match --from-start -o match.reel"};
  app.run = [arguments] { return run_follow(*arguments); };
}

void add_relay(command& program) {
  auto arguments = std::make_shared<follow_arguments>();
  command& app = program.add_subcommand("relay", "Shows a live match of another machine in browsers");
  app.add_option("ADDRESS", arguments->url, "nats://host:4222/league/match").required();
  app.add_option("--http", arguments->port, "Port to listen on (0: any free port)").check(between(0, 65535));
  add_listen_options(app, arguments->listen);
  app.add_flag("--json", arguments->json,
               "One object per line: records, browsers and those that were too slow");
  app.add_option("--page", arguments->page).hidden();
  add_common(app, *arguments);
  app.notes =
      "The viewer's page shows the match live: to this machine, or with --listen to all that can reach "
      "it.\n"
      "Each browser gets each record when it arrives. A slow browser does not delay the others: it resumes\n"
      "at the next keyframe, which is counted.";
  app.examples = {"tickreel relay nats://broker.example:4222/league/match --http 8080",
                  "tickreel relay nats://broker.example:4222/league/match --http 8080 --listen 0.0.0.0"};
  app.run = [arguments] { return run_relay(*arguments); };
}

}  // namespace tickreel::cli
