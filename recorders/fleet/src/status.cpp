#include "tickreel/fleet/status.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "dropped.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/metrics.hpp"

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

// Calls `each` with the newest message under every subject.
template <class Each>
result<void> read_newest(broker& from, const std::string& subject, const Each& each) {
  auto reading = from.subscribe(status_stream, {.subject = subject, .last_per_subject = true});
  if (!reading) {
    if (reading.error().code == error_code::not_found) return {};
    return fail(reading.error());
  }
  for (std::uint64_t left = reading->waiting_at_begin(); left > 0; --left) {
    const auto next = reading->next(5000ms);
    if (!next) return fail(next.error());
    if (!*next) return fail(error_code::timed_out, error::no_offset, "the broker does not answer");
    each(**next);
    if ((*next)->left() == 0) break;
  }
  return {};
}

std::string subjects_below(std::string_view all, const std::string& league) {
  if (league.empty()) return std::string(all);
  return std::string(all.substr(0, all.size() - 1)) + league + ".>";
}

struct match_metric {
  const char* name;
  text::metric_kind kind;
  const char* help;
  double (*value)(const fleet_match&);
};

double number(std::uint64_t value) {
  return static_cast<double>(value);
}

using enum text::metric_kind;

constexpr match_metric match_metrics[] = {
    {"tickreel_match_recording", gauge, "1 while the match is being recorded, 0 when it has ended",
     [](const fleet_match& of) { return of.reported.state == "recording" ? 1.0 : 0.0; }},
    {"tickreel_match_silent", gauge, "1 when its recorder has sent no status for ten seconds",
     [](const fleet_match& of) { return of.silent ? 1.0 : 0.0; }},
    {"tickreel_match_ticks_total", counter, "Ticks passed to the publisher, without lost ones",
     [](const fleet_match& of) { return number(of.reported.ticks); }},
    {"tickreel_match_lost_ticks_total", counter, "Ticks that the recorder lost",
     [](const fleet_match& of) { return number(of.reported.lost_ticks); }},
    {"tickreel_match_records_total", counter, "Records of the reel",
     [](const fleet_match& of) { return number(of.reported.records); }},
    {"tickreel_match_confirmed_records_total", counter, "Records that the broker has",
     [](const fleet_match& of) { return number(of.reported.confirmed); }},
    {"tickreel_match_confirmed_bytes_total", counter, "Bytes confirmed since the recorder began to deliver",
     [](const fleet_match& of) { return number(of.reported.bytes); }},
    {"tickreel_match_archived_records_total", counter, "Records that an archiver has",
     [](const fleet_match& of) { return number(of.archived_records); }},
    {"tickreel_match_dropped_records", gauge, "Records that the stream discarded before an archiver had them",
     [](const fleet_match& of) { return number(of.dropped_records); }},
    {"tickreel_match_missing_records", gauge,
     "Confirmed records that were removed from the stream before an archiver had them",
     [](const fleet_match& of) { return number(of.holes); }},
    {"tickreel_match_repaired_records_total", counter,
     "Records missing in the stream that the recorder sent again",
     [](const fleet_match& of) { return number(of.reported.repaired); }},
    {"tickreel_match_lag_records", gauge, "Records that the broker has not confirmed",
     [](const fleet_match& of) { return number(of.reported.lag_records); }},
    {"tickreel_match_lag_bytes", gauge, "Their bytes",
     [](const fleet_match& of) { return number(of.reported.lag_bytes); }},
    {"tickreel_match_lag_seconds", gauge, "The age of the oldest of them",
     [](const fleet_match& of) { return of.reported.lag_seconds; }},
    {"tickreel_match_retried_total", counter, "Reconnections of the recorder",
     [](const fleet_match& of) { return number(of.reported.retried); }},
    {"tickreel_match_refilled_records_total", counter, "Records read again from the reel's file",
     [](const fleet_match& of) { return number(of.reported.refilled); }},
};

// Of each stream; no value if it does not exist.
using facts_of_streams = std::map<std::string, std::optional<stream_facts>>;

result<void> look_for_missing(broker& from, facts_of_streams& streams, fleet_match& match, bool thorough) {
  const auto subjects = subjects_of(match.reported.name);
  if (!subjects) return {};
  auto of_stream = streams.find(subjects->stream);
  if (of_stream == streams.end()) {
    auto facts = from.stream(subjects->stream, subjects->league_subjects);
    if (!facts && facts.error().code != error_code::not_found) return fail(facts.error());
    of_stream =
        streams.emplace(subjects->stream, facts ? std::optional(std::move(*facts)) : std::nullopt).first;
  }
  const stream_facts* const facts = of_stream->second ? &*of_stream->second : nullptr;
  const auto missing = (thorough ? count_missing : missing_records)(from, *subjects, match.reported,
                                                                    match.archived_records, facts);
  if (!missing) return fail(missing.error());
  match.dropped_records = missing->expired;
  match.holes = missing->holes;
  if (match.reported.state != "ended") return {};
  if (match.dropped_records != 0) match.reported.state = "dropped";
  if (match.holes != 0) match.reported.state = "holes";
  return {};
}

}  // namespace

result<std::vector<fleet_match>> read_fleet(broker& from, std::string_view league, std::int64_t now_us,
                                            bool thorough) {
  std::string token;
  if (!league.empty()) {
    auto made = to_token(league);
    if (!made) return fail(made.error());
    token = std::move(*made);
  }
  std::map<std::pair<std::string, std::string>, fleet_match> found;
  const auto reported =
      read_newest(from, subjects_below(all_status_subjects, token), [&](const message& one) {
        auto status = read_status(one.body());
        // A publisher can only report matches of its own league.
        if (!status || match_of_subject(one.subject()) != status->name) return;
        fleet_match match;
        match.silent = status->state == "recording" && now_us - status->reported_at_us > silent_after_us;
        match.reported = std::move(*status);
        found[{match.reported.name.league, match.reported.name.match}] = std::move(match);
      });
  if (!reported) return fail(reported.error());
  const auto archived =
      read_newest(from, subjects_below(all_archived_subjects, token), [&](const message& one) {
        const auto home = read_archived(one.body());
        if (!home || match_of_subject(one.subject()) != home->name) return;
        const auto of = found.find({home->name.league, home->name.match});
        if (of == found.end() || of->second.reported.reel != home->reel) return;
        of->second.archived_records = home->records;
        // Unknown if records are missing.
        of->second.archived = home->ended && home->records != 0;
        of->second.archived_in_part = home->ended && home->records == 0;
        of->second.location = home->location;
      });
  if (!archived) return fail(archived.error());
  facts_of_streams streams;
  for (auto& [name, match] : found) {
    if (match.archived || match.archived_in_part) continue;
    // All other facts are known anyway; after a timeout the broker is not asked again for each match.
    const auto looked = look_for_missing(from, streams, match, thorough);
    if (!looked && thorough) return fail(looked.error());
    if (!looked) break;
  }
  std::vector<fleet_match> out;
  for (auto& [name, match] : found) out.push_back(std::move(match));
  return out;
}

std::string to_json(const std::vector<fleet_match>& matches) {
  std::string out;
  text::json_writer json(out);
  json.begin_array();
  for (const fleet_match& each : matches) {
    std::string reported = to_json(each.reported);
    reported.pop_back();
    reported += ",\"archived_records\":" + std::to_string(each.archived_records);
    reported += ",\"dropped_records\":" + std::to_string(each.dropped_records);
    reported += ",\"missing_records\":" + std::to_string(each.holes);
    reported += each.archived ? ",\"archived\":true" : ",\"archived\":false";
    reported += each.silent ? ",\"silent\":true}" : ",\"silent\":false}";
    json.raw(reported);
  }
  json.end_array();
  return out;
}

bool is_settled(const fleet_match& match, std::int64_t now_us) noexcept {
  const std::int64_t silent_us = now_us - match.reported.reported_at_us;
  return silent_us > (match.archived || match.archived_in_part ? archived_is_shown_us : silence_is_shown_us);
}

std::string to_prometheus(const std::vector<fleet_match>& matches, std::int64_t now_us) {
  std::string out;
  text::metrics_writer page(out);
  std::uint64_t settled = 0;
  for (const fleet_match& match : matches) settled += is_settled(match, now_us) ? 1u : 0u;
  page.metric("tickreel_matches", gauge, "Matches at the broker, including settled ones");
  page.sample(number(matches.size()));
  page.metric("tickreel_settled_matches", gauge,
              "Matches without their own series: archived, or silent for days");
  page.sample(settled);
  for (const match_metric& each : match_metrics) {
    page.metric(each.name, each.kind, each.help);
    for (const fleet_match& match : matches) {
      if (is_settled(match, now_us)) continue;
      page.sample(each.value(match), {{"league", match.reported.name.league},
                                      {"match", match.reported.name.match},
                                      {"host", match.reported.host}});
    }
  }
  return out;
}

}  // namespace tickreel::fleet
