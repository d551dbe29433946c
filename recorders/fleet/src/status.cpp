#include "tickreel/fleet/status.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "dropped.hpp"
#include "tickreel/text/json.hpp"

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

// As Prometheus wants it: backslashes, quotes and line ends are escaped.
void append_label(std::string_view text, std::string& out) {
  for (const char one : text) {
    if (one == '\n') {
      out += "\\n";
    } else {
      if (one == '"' || one == '\\') out += '\\';
      out += one;
    }
  }
}

struct metric {
  const char* name;
  const char* type;
  const char* help;
  double (*value)(const fleet_match&);
};

double number(std::uint64_t value) {
  return static_cast<double>(value);
}

constexpr metric metrics[] = {
    {"tickreel_match_recording", "gauge", "1 while the match is being recorded, 0 when it has ended",
     [](const fleet_match& of) { return of.told.state == "recording" ? 1.0 : 0.0; }},
    {"tickreel_match_silent", "gauge", "1 when its recorder has not told anything for ten seconds",
     [](const fleet_match& of) { return of.silent ? 1.0 : 0.0; }},
    {"tickreel_match_ticks_total", "counter", "Ticks handed over, without lost ones",
     [](const fleet_match& of) { return number(of.told.ticks); }},
    {"tickreel_match_lost_ticks_total", "counter", "Ticks that the recorder lost",
     [](const fleet_match& of) { return number(of.told.lost_ticks); }},
    {"tickreel_match_records_total", "counter", "Records of the reel",
     [](const fleet_match& of) { return number(of.told.records); }},
    {"tickreel_match_confirmed_records_total", "counter", "Records that the broker has",
     [](const fleet_match& of) { return number(of.told.confirmed); }},
    {"tickreel_match_confirmed_bytes_total", "counter", "Bytes confirmed since the recorder began to deliver",
     [](const fleet_match& of) { return number(of.told.bytes); }},
    {"tickreel_match_archived_records_total", "counter", "Records that an archiver has",
     [](const fleet_match& of) { return number(of.archived_records); }},
    {"tickreel_match_dropped_records", "gauge",
     "Records that the stream let go of before an archiver had them",
     [](const fleet_match& of) { return number(of.dropped_records); }},
    {"tickreel_match_behind_records", "gauge", "Records that the broker has not confirmed",
     [](const fleet_match& of) { return number(of.told.behind_records); }},
    {"tickreel_match_behind_bytes", "gauge", "Their bytes",
     [](const fleet_match& of) { return number(of.told.behind_bytes); }},
    {"tickreel_match_behind_seconds", "gauge", "The age of the oldest of them",
     [](const fleet_match& of) { return of.told.behind_seconds; }},
    {"tickreel_match_retried_total", "counter", "Times that the recorder had to connect again",
     [](const fleet_match& of) { return number(of.told.retried); }},
    {"tickreel_match_refilled_records_total", "counter", "Records that were read from the reel's file again",
     [](const fleet_match& of) { return number(of.told.refilled); }},
};

result<void> look_for_dropped(broker& from, std::map<std::string, std::uint64_t>& first_kept,
                              fleet_match& match) {
  const auto subjects = subjects_of(match.told.name);
  if (!subjects) return {};
  auto first = first_kept.find(subjects->stream);
  if (first == first_kept.end()) {
    const auto facts = from.stream(subjects->stream);
    // Without the stream everything is gone.
    if (!facts && facts.error().code != error_code::not_found) return fail(facts.error());
    const std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();
    first = first_kept.emplace(subjects->stream, facts ? facts->first_sequence : nothing).first;
  }
  const auto dropped = dropped_records(from, *subjects, match.told, match.archived_records, first->second);
  if (!dropped) return fail(dropped.error());
  match.dropped_records = *dropped;
  if (*dropped != 0 && match.told.state == "ended") match.told.state = "dropped";
  return {};
}

}  // namespace

result<std::vector<fleet_match>> read_fleet(broker& from, std::string_view league, std::int64_t now_us) {
  std::string token;
  if (!league.empty()) {
    auto made = to_token(league);
    if (!made) return fail(made.error());
    token = std::move(*made);
  }
  std::map<std::pair<std::string, std::string>, fleet_match> found;
  const auto told = read_newest(from, subjects_below(all_status_subjects, token), [&](const message& one) {
    auto status = read_status(one.body());
    if (!status) return;
    fleet_match match;
    match.silent = status->state == "recording" && now_us - status->told_at_us > silent_after_us;
    match.told = std::move(*status);
    found[{match.told.name.league, match.told.name.match}] = std::move(match);
  });
  if (!told) return fail(told.error());
  const auto archived =
      read_newest(from, subjects_below(all_archived_subjects, token), [&](const message& one) {
        const auto home = read_archived(one.body());
        if (!home) return;
        const auto of = found.find({home->name.league, home->name.match});
        if (of == found.end() || of->second.told.reel != home->reel) return;
        of->second.archived_records = home->records;
        // Where records are missing it tells none.
        of->second.archived = home->ended && home->records != 0;
        of->second.archived_in_part = home->ended && home->records == 0;
        of->second.location = home->location;
      });
  if (!archived) return fail(archived.error());
  std::map<std::string, std::uint64_t> first_kept;  // of each stream
  for (auto& [name, match] : found) {
    if (match.archived || match.archived_in_part) continue;
    // Everything else is known all the same; a broker that did not answer is not asked again for each.
    if (!look_for_dropped(from, first_kept, match)) break;
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
    std::string told = to_json(each.told);
    told.pop_back();
    told += ",\"archived_records\":" + std::to_string(each.archived_records);
    told += ",\"dropped_records\":" + std::to_string(each.dropped_records);
    told += each.archived ? ",\"archived\":true" : ",\"archived\":false";
    told += each.silent ? ",\"silent\":true}" : ",\"silent\":false}";
    json.raw(told);
  }
  json.end_array();
  return out;
}

std::string to_prometheus(const std::vector<fleet_match>& matches) {
  std::string out;
  for (const metric& each : metrics) {
    out += std::string("# HELP ") + each.name + ' ' + each.help + '\n';
    out += std::string("# TYPE ") + each.name + ' ' + each.type + '\n';
    for (const fleet_match& match : matches) {
      out += each.name;
      out += "{league=\"";
      append_label(match.told.name.league, out);
      out += "\",match=\"";
      append_label(match.told.name.match, out);
      out += "\",host=\"";
      append_label(match.told.host, out);
      out += "\"} ";
      text::json_writer(out).value(each.value(match));
      out += '\n';
    }
  }
  return out;
}

}  // namespace tickreel::fleet
