// tickreel fleet status: every match that recorders report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/listen_arguments.hpp"
#include "console/metrics_page.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "match_table.hpp"
#include "publish_arguments.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/fleet/publish.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/text/metrics.hpp"

namespace tickreel::cli {

namespace {

struct status_arguments {
  std::string url;
  bool json = false;
  std::optional<std::uint16_t> prometheus_port;
  listen_arguments listen;
};

result<std::vector<fleet::fleet_match>> matches_at(const fleet::nats_url& url,
                                                   const fleet::broker_options& login) {
  auto connected = fleet::broker::connect(url, login);
  if (!connected) return fail(connected.error());
  return fleet::read_fleet(*connected, url.league, fleet::system_time_us());
}

// A page for Prometheus at /metrics; it queries the broker at most once a second.
int serve_metrics(const fleet::nats_url& url, const fleet::broker_options& login, std::uint16_t port,
                  const listen_arguments& listen) {
  auto page = metrics_page::start(port, listen);
  if (!page) return failed;
  standard_output().write_line(page->address());
  standard_output().flush();
  bool up = true;
  fleet::retry_policy retry_policy;
  while (!stop_requested() && standard_output().ok()) {
    const auto matches = matches_at(url, login);
    if (!matches && up && !stop_requested()) report_error(to_text(url), matches.error());
    if (!matches && retry_policy.ends_with(matches.error())) return failed;
    up = matches.has_value();
    if (up) retry_policy.worked();
    std::string text;
    text::metrics_writer(text)
        .metric("tickreel_broker_up", text::metric_kind::gauge, "1 while the broker answers")
        .sample(up ? 1.0 : 0.0);
    if (matches) text += to_prometheus(*matches, fleet::system_time_us());
    page->show(std::move(text));
    for (int each = 0; each < 20 && !stop_requested(); ++each) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  return done;
}

int run_status(const status_arguments& arguments) {
  const auto url = broker_address(arguments.url, "fleet status");
  if (!url) return wrong_usage;
  const auto login = broker_login();
  if (!login) return failed;
  if (arguments.prometheus_port)
    return serve_metrics(*url, *login, *arguments.prometheus_port, arguments.listen);
  const auto matches = matches_at(*url, *login);
  if (!matches) {
    report_error(to_text(*url), matches.error());
    return failed;
  }
  if (arguments.json) {
    standard_output().write_line(to_json(*matches));
  } else {
    standard_output().write(table_of(*matches));
  }
  return done;
}

}  // namespace

std::string table_of(const std::vector<fleet::fleet_match>& matches) {
  if (matches.empty()) return "no match is being recorded, and none was\n";
  std::size_t width = 5;
  for (const fleet::fleet_match& each : matches) {
    width = std::max(
        width, printable(each.reported.name.league).size() + printable(each.reported.name.match).size() + 1);
  }
  std::string out = fmt::format("{:<{}}  {:<9}  {:>9}  {:>6}  {:>8}  {:>9}  {:>8}  {}\n", "match", width,
                                "state", "ticks", "lost", "behind", "seconds", "archived", "host");
  for (const fleet::fleet_match& each : matches) {
    const fleet::match_status& reported = each.reported;
    const std::string name = printable(reported.name.league) + "/" + printable(reported.name.match);
    out += fmt::format("{:<{}}  {:<9}  {:>9}  {:>6}  {:>8}  {:>9.1f}  {:>8}  {}\n", name, width,
                       each.silent ? "silent" : printable(reported.state), reported.ticks,
                       reported.lost_ticks, reported.lag_records, reported.lag_seconds,
                       each.archived ? "yes" : fmt::format("{}", each.archived_records),
                       printable(reported.host));
    if (reported.lost_records != 0) {
      out += fmt::format("  {} damaged or missing in the recorder's reel\n",
                         counted(reported.lost_records, "record is", "records are"));
    }
    if (each.dropped_records != 0) {
      out += fmt::format(
          "  the stream discarded {}\n",
          counted(each.dropped_records, "record before an archiver had it; the recorder's reel has it",
                  "records before an archiver had them; the recorder's reel has them"));
    }
    if (each.holes != 0) {
      out += fmt::format(
          "  {} again; after its end, run 'tickreel publish' with its reel\n",
          counted(each.holes,
                  "record was removed from the stream before an archiver had it; a running recorder sends it",
                  "records were removed from the stream before an archiver had them; a running recorder "
                  "sends them"));
    }
    if (each.archived_in_part) out += "  the archived match lacks records that never arrived\n";
    if (!reported.last_error.empty() && reported.state != "ended")
      out += "  " + printable(reported.last_error) + "\n";
  }
  return out;
}

namespace {

struct fleet_check_arguments {
  std::string url;
  std::vector<std::string> repair_from;
  bool json = false;
};

// Sends the records that the stream lacks, from the match's reel. No result if the reel is not in the
// folders.
std::optional<bool> repair_from(const std::vector<std::string>& folders, const fleet::fleet_match& match,
                                const fleet::nats_url& url, const fleet::publish_options& options) {
  const auto subjects = fleet::subjects_of(match.reported.name);
  if (!subjects) return std::nullopt;
  const auto try_reel = [&](const std::filesystem::path& path) -> std::optional<bool> {
    if (!files::is_reel_name(path)) return std::nullopt;
    const auto opened = reel::reader::open(file_path(path));
    if (!opened || fleet::reel_id(opened->header_bytes(), *subjects) != match.reported.reel)
      return std::nullopt;
    fleet::nats_url to = url;
    to.league = match.reported.name.league;
    to.match = match.reported.name.match;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto sent =
        fleet::publish_reel(to, file_path(path), options, [&](const reel::queue_counters& counters) {
          if (stop_requested() || (counters.trouble && !fleet::is_transient(*counters.trouble))) return false;
          return !counters.trouble || std::chrono::steady_clock::now() < until;
        });
    if (sent) return true;
    report_error(file_path(path).utf8(), sent.error());
    return false;
  };
  for (const std::string& folder : folders) {
    if (!is_folder(folder)) {
      if (const auto sent = try_reel(filesystem_path(folder))) return sent;
      continue;
    }
    std::optional<bool> sent;
    (void)visit_files_below(folder, [&](const folder_entry& entry) {
      sent = try_reel(filesystem_path(entry.path));
      return !sent;
    });
    if (sent) return sent;
  }
  return std::nullopt;
}

int run_check(const fleet_check_arguments& arguments) {
  const auto url = broker_address(arguments.url, "fleet check");
  if (!url) return wrong_usage;
  const auto login = broker_login();
  if (!login) return failed;
  const auto look = [&]() -> result<std::vector<fleet::fleet_match>> {
    auto connected = fleet::broker::connect(*url, *login);
    if (!connected) return fail(connected.error());
    return fleet::read_fleet(*connected, url->league, fleet::system_time_us(), true);
  };
  auto matches = look();
  if (!matches) {
    report_error(to_text(*url), matches.error());
    return failed;
  }
  const auto lacks = [](const fleet::fleet_match& each) {
    return each.holes != 0 || each.dropped_records != 0;
  };
  if (!arguments.repair_from.empty()) {
    fleet::publish_options options;
    options.broker = *login;
    options.broker.cancelled = {};
    for (const fleet::fleet_match& each : *matches) {
      if (each.holes == 0 || stop_requested()) continue;
      const std::string name =
          printable(each.reported.name.league) + "/" + printable(each.reported.name.match);
      const auto sent = repair_from(arguments.repair_from, each, *url, options);
      if (!sent) report_note(name, "none of the folders contains its reel");
    }
    matches = look();
    if (!matches) {
      report_error(to_text(*url), matches.error());
      return failed;
    }
  }
  std::vector<fleet::fleet_match> found;
  std::ranges::copy_if(*matches, std::back_inserter(found), lacks);
  if (arguments.json) {
    standard_output().write_line(to_json(found));
  } else if (found.empty()) {
    standard_output().write_line(fmt::format("{}: every confirmed record is in its stream or archived",
                                             counted(matches->size(), "match", "matches")));
  } else {
    standard_output().write(table_of(found));
  }
  return found.empty() ? done : done_with_loss;
}

void add_check(command& fleet) {
  auto arguments = std::make_shared<fleet_check_arguments>();
  command& app =
      fleet.add_subcommand("check", "Reads every match's messages and lists records that are missing");
  app.add_option("ADDRESS", arguments->url, "nats://host:4222, or with /league").required();
  app.add_option("--repair", arguments->repair_from,
                 "Send missing records again, from the reels in these folders")
      .check(folder_to_read());
  app.add_flag("--json", arguments->json, "One array of objects: the matches that lack records");
  app.notes = "Exit code 3 where records are missing. A running recorder repairs its own match.";
  app.examples = {"tickreel fleet check nats://broker.example:4222",
                  "tickreel fleet check nats://broker.example:4222/league --repair recordings"};
  app.run = [arguments] { return run_check(*arguments); };
}

}  // namespace

void add_fleet(command& program) {
  command& fleet = program.add_subcommand("fleet", "Many recorders at one broker");
  auto arguments = std::make_shared<status_arguments>();
  command& app = fleet.add_subcommand("status", "Shows every match: progress, lag and loss");
  app.add_option("ADDRESS", arguments->url, "nats://host:4222, or with /league").required();
  app.add_flag("--json", arguments->json, "One array of objects");
  app.add_option("--prometheus", arguments->prometheus_port,
                 "Serve a page for Prometheus on this port (0: any free port)")
      .check(between(0, 65535));
  add_listen_options(app, arguments->listen);
  app.never_with("--json", {"--prometheus"});
  app.only_with("--prometheus", {"--listen", "--name"});
  app.notes =
      "silent: no status from the recorder for ten seconds.\n"
      "dropped: it ended, and the stream discarded records before an archiver had them.\n"
      "holes: it ended, and records were removed from the stream before an archiver had them.";
  app.examples = {"tickreel fleet status nats://broker.example:4222",
                  "tickreel fleet status nats://broker.example:4222/league --prometheus 9100"};
  app.run = [arguments] { return run_status(*arguments); };
  add_check(fleet);
}

}  // namespace tickreel::cli
