// Status messages of recorders and archivers, as JSON.
#include <simdjson.h>

#include "tickreel/fleet/message.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::fleet {

namespace {

namespace dom = simdjson::dom;
using simdjson::error_code::SUCCESS;

constexpr std::size_t max_status_bytes = 64u << 10;

// Lenient: a member that is missing or of another type leaves `to` unchanged, because versions differ.
void take(dom::element from, const char* key, std::string& to) {
  std::string_view text;
  if (from[key].get(text) == SUCCESS) to = text;
}
void take(dom::element from, const char* key, std::vector<std::uint64_t>& to) {
  dom::array numbers;
  if (from[key].get(numbers) != SUCCESS) return;
  for (const dom::element each : numbers) {
    std::uint64_t number = 0;
    if (to.size() < max_lasting_events && each.get(number) == SUCCESS) to.push_back(number);
  }
}
template <class Number>
void take(dom::element from, const char* key, Number& to) {
  Number number{};
  if (from[key].get(number) == SUCCESS) to = number;
}

// A name that is not UTF-8, encoded as in subjects: JSON strings cannot hold its bytes.
void take_token(dom::element from, const char* key, std::string& to) {
  std::string token;
  take(from, key, token);
  if (auto name = from_token(token)) to = std::move(*name);
}
void write_token(text::json_writer& json, const char* key, const std::string& name) {
  if (text::is_utf8(name)) return;
  if (const auto token = to_token(name)) json.member(key, *token);
}

result<dom::element> parse(dom::parser& parser, byte_span json) {
  if (json.size() > max_status_bytes) {
    return fail(error_code::over_limit, error::no_offset, "the status of a match is too long");
  }
  dom::element root;
  if (json.empty() ||
      parser.parse(reinterpret_cast<const char*>(json.data()), json.size()).get(root) != SUCCESS ||
      !root.is_object()) {
    return fail(error_code::bad_json, error::no_offset, "the status of a match");
  }
  return root;
}

// The three begin with the same members.
template <class Report>
result<Report> read(byte_span json, void (*rest)(dom::element, Report&)) {
  dom::parser parser;
  const auto root = parse(parser, json);
  if (!root) return fail(root.error());
  Report out;
  take(*root, "league", out.name.league);
  take(*root, "match", out.name.match);
  take_token(*root, "league_token", out.name.league);
  take_token(*root, "match_token", out.name.match);
  take(*root, "reel", out.reel);
  take(*root, "told_at_us", out.reported_at_us);  // its name until version 0.2
  take(*root, "reported_at_us", out.reported_at_us);
  if (!is_reel_id(out.reel) || out.name.league.empty() || out.name.match.empty()) {
    return fail(error_code::bad_json, error::no_offset, "the status of a match does not name the match");
  }
  if (rest != nullptr) rest(*root, out);
  return out;
}

template <class Report>
text::json_writer begin(const Report& reported, std::string& out) {
  text::json_writer json(out);
  json.begin_object().member("league", reported.name.league).member("match", reported.name.match);
  write_token(json, "league_token", reported.name.league);
  write_token(json, "match_token", reported.name.match);
  json.member("reel", reported.reel).member("reported_at_us", reported.reported_at_us);
  return json;
}

// The members of a status that are always written, in their order.
template <class Status, class Visit>
void visit_members(Status& of, const Visit& visit) {
  visit("host", of.host), visit("encoder", of.encoder), visit("state", of.state);
  visit("started_us", of.started_us), visit("ticks", of.ticks);
  visit("lost_ticks", of.lost_ticks), visit("lost_records", of.lost_records);
  visit("records", of.records), visit("confirmed", of.confirmed), visit("bytes", of.bytes);
  visit("lag_records", of.lag_records), visit("lag_bytes", of.lag_bytes);
  visit("lag_seconds", of.lag_seconds), visit("retried", of.retried);
  visit("refilled", of.refilled), visit("overflowed", of.overflowed);
  visit("messages", of.messages), visit("holes", of.holes), visit("repaired", of.repaired);
  visit("last_error", of.last_error), visit("header_at", of.header_at);
  visit("update_at", of.update_at), visit("keyframe_at", of.keyframe_at);
  visit("keyframe_sequence", of.keyframe_sequence), visit("first_at", of.first_at);
}

}  // namespace

std::string to_json(const match_status& status) {
  std::string out;
  auto json = begin(status, out);
  visit_members(status, [&](const char* key, const auto& value) { json.member(key, value); });
  if (!status.lasting_at.empty()) json.key("lasting_at").array(status.lasting_at);
  if (status.more_lasting) json.member("more_lasting", true);
  json.end_object();
  return out;
}

result<match_status> read_status(byte_span json) {
  return read<match_status>(json, [](dom::element root, match_status& out) {
    // Their names until version 0.2.
    take(root, "behind_records", out.lag_records);
    take(root, "behind_bytes", out.lag_bytes);
    take(root, "behind_seconds", out.lag_seconds);
    visit_members(out, [&](const char* key, auto& to) { take(root, key, to); });
    take(root, "lasting_at", out.lasting_at);
    take(root, "more_lasting", out.more_lasting);
  });
}

std::string to_json(const archive_work& work) {
  std::string out;
  begin(work, out).end_object();
  return out;
}

result<archive_work> read_work(byte_span json) {
  return read<archive_work>(json, nullptr);
}

std::string to_json(const archived_reel& archived) {
  std::string out;
  auto json = begin(archived, out);
  json.member("records", archived.records).member("ended", archived.ended);
  json.member("location", archived.location).end_object();
  return out;
}

result<archived_reel> read_archived(byte_span json) {
  return read<archived_reel>(json, [](dom::element root, archived_reel& out) {
    take(root, "records", out.records);
    take(root, "ended", out.ended);
    take(root, "location", out.location);
  });
}

}  // namespace tickreel::fleet
