// tickreel publish: publishes existing reels to a broker.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "publish_arguments.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::cli {

namespace {

struct arguments_of_publish {
  std::vector<std::string> words;  // files and folders, then the address
  publish_arguments how;
  double wait_s = 30;
};

// Whether `path` is the output of 'tickreel recover' for a reel beside it. That reel holds the same match and
// is published instead; archivers add an end to it.
bool is_recovered_copy(const std::string& file) {
  constexpr std::string_view ending = ".recovered.reel";
  if (!file.ends_with(ending)) return false;
  const std::string original = file.substr(0, file.size() - ending.size()) + ".reel";
  const auto copy = reel::reader::open(file);
  const auto from = reel::reader::open(original);
  if (!copy || !from || copy->head().start_time_us != from->head().start_time_us) return false;
  report_note(file, "skipped: its match is delivered from " + printable(original));
  return true;
}

// The reels in folders, sorted; named files as they are.
std::optional<std::vector<std::string>> reels_of(const std::vector<std::string>& named) {
  std::vector<std::string> out;
  for (const std::string& each : named) {
    if (!is_folder(each)) {
      out.push_back(each);
      continue;
    }
    std::vector<std::string> inside;
    const auto read = visit_files_below(each, [&](const folder_entry& entry) {
      if (files::is_reel_name(entry.name)) inside.push_back(entry.path.utf8());
      return true;
    });
    if (!read) {
      report_error(each, read.error());
      return std::nullopt;
    }
    std::ranges::sort(inside);
    std::erase_if(inside, is_recovered_copy);
    out.insert(out.end(), inside.begin(), inside.end());
  }
  return out;
}

// Publishing sends records, which only reels have.
bool refuse_other_format(const std::string& file) {
  const auto format = files::detect(file);
  if (!format || (*format)->has_records) return false;
  report_error(
      fmt::format("{}: this is a {}, not a reel; publish takes reels", printable(file), (*format)->name));
  if ((*format)->echo != nullptr) {
    report_advice(fmt::format("'tickreel convert {} match.reel' makes a reel of it", printable(file)));
  }
  return true;
}

int publish_one(const std::string& file, const fleet::nats_url& url, const fleet::publish_options& options,
                double wait_s) {
  using clock = std::chrono::steady_clock;
  if (refuse_other_format(file)) return failed;
  std::uint64_t confirmed = 0;
  std::optional<error> why;
  auto since = clock::now();
  progress_bar bar("publishing");
  const auto done = fleet::publish_reel(url, file, options, [&](const reel::queue_counters& counters) {
    bar.show(counters.confirmed, counters.confirmed + counters.lag_records);
    if (counters.confirmed != confirmed || !counters.trouble) since = clock::now();
    confirmed = counters.confirmed;
    why = counters.trouble;
    if (stop_requested() || (why && !fleet::is_transient(*why))) return false;
    return clock::now() - since < std::chrono::duration<double>(wait_s);
  });
  bar.clear();
  if (!done) {
    const bool is_delivery = why && done.error().code == error_code::interrupted;
    // If the broker refuses, the remedies for file permissions do not apply.
    if (is_delivery) {
      report_error(to_text(url) + ": " + printable(file), *why);
    } else {
      report_error(file, done.error());
    }
    return failed;
  }
  const reel::queue_counters& delivered = done->counters;
  standard_output().write_line(
      fmt::format("{}: {}/{}: {}, {} sent{}{}", printable(file), printable(done->name.league),
                  printable(done->name.match), counted(delivered.confirmed, "record"), done->handed_over,
                  done->repaired == 0 ? "" : fmt::format(" ({} missing in the stream)", done->repaired),
                  delivered.ended ? "" : "; the reel has no end yet"));
  const auto trailing = files::find_trailing_bytes(file_path(file));
  if (!trailing) {
    report_error(file, trailing.error());
    return failed;
  }
  if (*trailing) report_note(file, (*trailing)->sentence());
  if (done->dropped != 0) {
    report_note(
        file,
        fmt::format(
            "{}: its limits are too low (--keep, --keep-bytes), so it discards the oldest records",
            counted(done->dropped, "record is no longer in the broker's stream, and no archiver had taken it",
                    "records are no longer in the broker's stream, and no archiver had taken them")));
  }
  if (done->dropped_unknown) {
    report_note(file, "cannot check whether the broker's stream still has all records: " +
                          describe(*done->dropped_unknown));
  }
  if (delivered.lost == 0) return *trailing || done->dropped != 0 ? done_with_loss : cli::done;
  const auto opened = reel::reader::open(file);
  const bool begins_late =
      opened && opened->contents().begins_at != 0 && opened->contents().missing_records == 0;
  report_note(file,
              (begins_late ? counted(delivered.lost, "record from before its beginning is",
                                     "records from before its beginning are")
                           : counted(delivered.lost, "record is damaged or", "records are damaged or")) +
                  " missing in it");
  return done_with_loss;
}

int run(const arguments_of_publish& arguments) {
  if (arguments.words.size() < 2) return report_usage("publish needs FILES or FOLDERS, and then an address");
  const auto url = broker_address(arguments.words.back(), "publish");
  if (!url) return wrong_usage;
  const auto options = arguments.how.options();
  if (!options) return failed;
  const auto files = reels_of({arguments.words.begin(), arguments.words.end() - 1});
  if (!files) return failed;
  if (!url->match.empty() && files->size() > 1) {
    return report_usage("an address that names a match takes one FILE");
  }
  if (files->empty()) {
    report_error("found no reels");
    return failed;
  }
  int code = done;
  for (const std::string& each : *files) {
    const int one = publish_one(each, *url, *options, arguments.wait_s);
    if (one == failed || code == done) code = one;
    if (stop_requested()) return failed;
  }
  return code;
}

}  // namespace

void add_publish(command& program) {
  auto arguments = std::make_shared<arguments_of_publish>();
  command& app = program.add_subcommand("publish", "Publishes existing reels to a broker");
  app.add_option("FILE", arguments->words,
                 "Reels, or folders with .reel files; the last argument is nats://host:4222[/league[/match]]")
      .required();
  app.add_option("--wait", arguments->wait_s, "Stop after this time without progress: 90s, 15m (30s)")
      .check(seconds_with_unit())
      .check(finite_number())
      .check(between(0.0, 1e9));
  arguments->how.add_stream_options(app, "--");
  app.notes =
      "Sends only records that the broker lacks, so it can run repeatedly.\n"
      "In folders, NAME.recovered.reel is skipped if NAME.reel exists beside it.\n"
      "A match has its file's name without .reel; the league is 'main' unless the address names one.\n"
      "Credentials come from the environment: TICKREEL_NATS_CREDS, TICKREEL_NATS_TOKEN_FILE, ...; see "
      "docs/fleet.md.";
  app.examples = {"tickreel publish match.reel nats://broker.example:4222",
                  "tickreel publish recordings nats://broker.example:4222/league"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
