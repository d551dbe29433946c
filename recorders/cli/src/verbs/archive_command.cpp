// tickreel archive: moves finished matches from a broker into a store.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/metrics_page.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "fleet/publish_arguments.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/metrics.hpp"

namespace tickreel::cli {

namespace {

struct archive_arguments {
  std::string from;
  std::string to;
  std::string spool;
  double idle_s = 120;
  double forget_s = 24 * 3600;
  bool once = false;
  bool as_recorded = false;
  bool read_back = false;
  bool json = false;
  std::optional<std::uint16_t> prometheus_port;
  listen_arguments listen;
};

using kind = archive::outcome::kind;

const char* word_for(kind what) {
  switch (what) {
    case kind::archived:
      return "archived";
    case kind::incomplete:
      return "incomplete";
    case kind::there:
      return "there";
    case kind::waiting:
      return "waiting";
    case kind::gone:
      return "gone";
    case kind::failed:
      return "failed";
  }
  return "";
}

std::string json_of(const archive::outcome& about) {
  std::string out;
  text::json_writer json(out);
  json.begin_object().member("what", word_for(about.what));
  json.member("league", about.name.league).member("match", about.name.match).member("reel", about.reel);
  if (about.index) json.key("index").raw(store::to_json(*about.index));
  if (about.why) json.member("why", describe(*about.why));
  if (!about.spool_file.empty()) json.member("file", about.spool_file.utf8());
  if (about.refused_messages != 0) json.member("refused_messages", about.refused_messages);
  json.end_object();
  std::erase(out, '\n');
  return out;
}

std::string text_about(const archive::outcome& about) {
  const std::string name = printable(about.name.league + '/' + about.name.match);
  std::string text = fmt::format("{:<10} {}", word_for(about.what), name);
  if (!about.spool_file.empty()) text += ": " + printable(about.spool_file.utf8());
  if (about.why) return text + ": " + describe(*about.why);
  if (about.what == kind::waiting) return text + ": still recorded or being delivered";
  if (about.what == kind::gone) return text + ": the broker no longer has any of its records";
  if (!about.index) return text;
  const store::index_object& index = *about.index;
  text += fmt::format(": {}, {}", counted(index.ticks, "tick"), bytes_text(index.bytes));
  if (index.compacted) text += fmt::format(" (recorded {})", bytes_text(index.recorded_bytes));
  if (index.lost_records != 0) text += ", " + counted(index.lost_records, "record") + " lost";
  if (index.lost_ticks != 0) text += ", " + counted(index.lost_ticks, "tick") + " lost";
  if (!index.ended) text += ", its recorder is silent";
  if (about.refused_messages != 0)
    text += ", " + counted(about.refused_messages, "foreign message") + " ignored";
  return text + ", " + printable(index.key);
}

// Metrics of this archiver, for Prometheus.
class archive_metrics {
 public:
  // Returns false if it cannot listen.
  bool start(std::uint16_t port, const listen_arguments& listen) {
    page_ = metrics_page::start(port, listen);
    if (!page_) return false;
    report_note("metrics", page_->address());
    show();
    return true;
  }
  void count(const archive::outcome& about) {
    ++outcomes_[static_cast<std::size_t>(about.what)];
    if (about.index && !about.why && (about.what == kind::archived || about.what == kind::incomplete)) {
      recorded_bytes_ += about.index->recorded_bytes;
      stored_bytes_ += about.index->bytes;
      lost_records_ += about.index->lost_records;
      newest_us_ = std::max(newest_us_, about.index->archived_at_us);
    }
    show();
  }
  void lose_broker() {
    ++broker_losses_;
    show();
  }
  void count_malformed_offer() {
    ++malformed_offers_;
    show();
  }
  void lose_store() {
    ++store_losses_;
    show();
  }

 private:
  void show() {
    if (!page_) return;
    using enum text::metric_kind;
    std::string out;
    text::metrics_writer page(out);
    page.metric("tickreel_archiver_matches_total", counter, "Outcomes of examined matches");
    for (std::size_t each = 0; each < outcomes_.size(); ++each) {
      page.sample(outcomes_[each], {{"outcome", word_for(static_cast<kind>(each))}});
    }
    const auto add = [&](const char* name, text::metric_kind what, const char* help, std::uint64_t value) {
      page.metric(name, what, help).sample(value);
    };
    add("tickreel_archiver_recorded_bytes_total", counter, "Bytes of reels as recorded", recorded_bytes_);
    add("tickreel_archiver_stored_bytes_total", counter, "Bytes of reels as stored", stored_bytes_);
    add("tickreel_archiver_lost_records_total", counter, "Records missing in archived matches",
        lost_records_);
    add("tickreel_archiver_broker_losses_total", counter, "Times the broker was away or refused",
        broker_losses_);
    add("tickreel_archiver_store_losses_total", counter,
        "Times the store was away at the start of the archiver", store_losses_);
    add("tickreel_archiver_malformed_offers_total", counter,
        "Offers of matches that were ignored as malformed", malformed_offers_);
    page.metric("tickreel_archiver_newest_seconds", gauge,
                "Time of the newest archived match, in seconds since 1970");
    page.sample(static_cast<double>(newest_us_) / 1e6);
    page_->show(std::move(out));
  }

  std::optional<metrics_page> page_;
  std::array<std::uint64_t, 6> outcomes_{};
  std::uint64_t recorded_bytes_ = 0;
  std::uint64_t stored_bytes_ = 0;
  std::uint64_t lost_records_ = 0;
  std::uint64_t broker_losses_ = 0;
  std::uint64_t store_losses_ = 0;
  std::uint64_t malformed_offers_ = 0;
  std::int64_t newest_us_ = 0;
};

void print(const archive::archive_report& report, bool json) {
  if (json) return;
  std::string text =
      fmt::format("{} archived, {} as {}", counted(report.archived + report.incomplete, "match", "matches"),
                  bytes_text(report.recorded_bytes), bytes_text(report.stored_bytes));
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count != 0) text += fmt::format(", {} {}", count, what);
  };
  add(report.incomplete, "of them without an end");
  add(report.there, "there already");
  add(report.waiting, "still recorded");
  add(report.gone, "gone");
  if (report.failed != 0) text += ", " + counted(report.failed, "attempt") + " failed";
  standard_output().write_line(text);
}

int run(const archive_arguments& arguments) {
  const auto from = broker_address(arguments.from, "archive");
  if (!from) return wrong_usage;
  if (const auto sound = store::check_place(arguments.to); !sound) {
    return report_usage(fmt::format("--to {}: {}", printable(arguments.to), describe(sound.error())));
  }
  archive::archive_options options;
  const auto broker = broker_login();
  if (!broker) return failed;
  options.broker = *broker;
  options.broker.client_name = "tickreel archive";
  options.spool = arguments.spool;
  options.compact = !arguments.as_recorded;
  options.read_back = arguments.read_back;
  options.idle = std::chrono::seconds(static_cast<std::int64_t>(arguments.idle_s));
  options.forget = std::chrono::seconds(static_cast<std::int64_t>(arguments.forget_s));
  options.once = arguments.once;
  options.cancelled = stop_requested;
  archive_metrics metrics;
  if (arguments.prometheus_port && !metrics.start(*arguments.prometheus_port, arguments.listen))
    return failed;
  // Once per trouble.
  std::optional<error> broker_lost;
  int broker_failures = 0;
  options.reported = [&](const archive::outcome& about) {
    metrics.count(about);
    standard_output().write_line(arguments.json ? json_of(about) : text_about(about));
    (void)standard_output().flush();
  };
  options.malformed_offer = [&, reported = false](std::string_view subject) mutable {
    metrics.count_malformed_offer();
    if (std::exchange(reported, true)) return;
    report_note(fleet::to_text(*from),
                fmt::format("ignored a malformed offer of a match under {}", printable(subject)));
  };
  options.found_broker = [&] { broker_lost.reset(); };
  options.lost_broker = [&](const error& why) {
    metrics.lose_broker();
    const bool is_new = !broker_lost || describe(*broker_lost) != describe(why);
    if (is_new) report_error(fleet::to_text(*from), why);
    broker_failures = broker_lost ? broker_failures + 1 : 1;
    broker_lost = why;
  };
  bool spool_reported = false;
  options.lost_spool = [&](const file_path& folder, const error& why) {
    report_error(folder, why, false);
    spool_reported = true;
  };
  options.store.lacks_conditions = [&] {
    report_note(arguments.to,
                "this store rejects conditional requests: if two archivers store the same match at the same "
                "moment, the "
                "last one wins");
  };
  options.lost_store = [&, reported = false](const error& why) mutable {
    metrics.lose_store();
    if (!std::exchange(reported, true)) report_error(arguments.to, why, false);
  };
  const auto report = archive::archive_from(*from, arguments.to, options);
  if (!report) {
    // A fault of the store, or one of the broker or the spool, which was already reported.
    if (broker_lost && broker_failures > 1) {
      report_note(
          fleet::to_text(*from),
          fmt::format("gave up after {}", counted(static_cast<std::uint64_t>(broker_failures), "attempt")));
    }
    if (!broker_lost && !spool_reported) report_error(arguments.to, report.error(), false);
    return failed;
  }
  print(*report, arguments.json);
  if (report->malformed_offers > 1) {
    report_note(fleet::to_text(*from),
                fmt::format("ignored {} of matches", counted(report->malformed_offers, "malformed offer")));
  }
  if (report->elsewhere != 0) {
    report_note(arguments.to,
                fmt::format("{} already in an archive ({}), and {} not archived a second time; "
                            "'tickreel publish' of a reel offers it again",
                            counted(report->elsewhere, "match is", "matches are"),
                            printable(report->elsewhere_at), report->elsewhere == 1 ? "was" : "were"));
  }
  if (report->failing != 0) return failed;
  return report->with_loss != 0 ? done_with_loss : done;
}

}  // namespace

void add_archive(command& program) {
  auto arguments = std::make_shared<archive_arguments>();
  command& app = program.add_subcommand("archive", "Moves finished matches from a broker into a store");
  app.add_option("BROKER", arguments->from, "nats://host:4222, with /league for one league alone").required();
  app.add_option("--to", arguments->to, "s3://bucket/prefix, or a folder")
      .required()
      .check(folder_to_write());
  app.add_option("--spool", arguments->spool,
                 "Folder for incomplete matches (default: in the user's cache folder)")
      .check(folder_to_write());
  app.add_option("--idle", arguments->idle_s,
                 "Time without a status after which a recorder counts as dead and its match is archived (2m)")
      .check(seconds_with_unit())
      .check(between(1.0, 1e7));
  app.add_option("--forget", arguments->forget_s, "Maximum wait for missing records (24h)")
      .check(seconds_with_unit())
      .check(between(1.0, 1e8));
  app.add_flag("--once", arguments->once, "Stop when only matches that are still recorded remain");
  app.add_flag("--as-recorded", arguments->as_recorded, "Do not compress reels further");
  app.add_flag("--read-back", arguments->read_back,
               "Read stored files back and compare them, for stores without checksums");
  app.add_flag("--json", arguments->json, "One JSON object per match and line");
  app.add_option("--prometheus", arguments->prometheus_port,
                 "Serve metrics for Prometheus on this port (0: any free port)")
      .check(between(0, 65535));
  add_listen_options(app, arguments->listen);
  app.only_with("--prometheus", {"--listen", "--name"});
  app.notes =
      "Any number of archivers can share a broker; each can be killed and restarted at any time.\n"
      "S3 is configured with AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or\n"
      "AWS_SHARED_CREDENTIALS_FILE, AWS_CA_BUNDLE; the broker with TICKREEL_NATS_CREDS and similar "
      "variables.";
  app.examples = {"tickreel archive nats://broker:4222 --to s3://league/2026",
                  "tickreel archive nats://broker:4222/finals --to /mnt/archive --once"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
