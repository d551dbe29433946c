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

// A member that had another name until version 0.2.
template <class Number>
void take_renamed(dom::element from, const char* before, const char* key, Number& to) {
  take(from, before, to);
  take(from, key, to);
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
  if (parser.parse(reinterpret_cast<const char*>(json.data()), json.size()).get(root) != SUCCESS ||
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
  take_renamed(*root, "told_at_us", "reported_at_us", out.reported_at_us);
  if (out.reel.empty() || out.name.league.empty() || out.name.match.empty()) {
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

}  // namespace

std::string to_json(const match_status& status) {
  std::string out;
  auto json = begin(status, out);
  json.member("host", status.host).member("encoder", status.encoder).member("state", status.state);
  json.member("started_us", status.started_us).member("ticks", status.ticks);
  json.member("lost_ticks", status.lost_ticks).member("lost_records", status.lost_records);
  json.member("records", status.records);
  json.member("confirmed", status.confirmed).member("bytes", status.bytes);
  json.member("lag_records", status.lag_records).member("lag_bytes", status.lag_bytes);
  json.member("lag_seconds", status.lag_seconds).member("retried", status.retried);
  json.member("refilled", status.refilled).member("overflowed", status.overflowed);
  json.member("messages", status.messages).member("holes", status.holes);
  json.member("repaired", status.repaired);
  json.member("last_error", status.last_error).member("header_at", status.header_at);
  json.member("update_at", status.update_at).member("keyframe_at", status.keyframe_at);
  json.member("keyframe_sequence", status.keyframe_sequence).member("first_at", status.first_at);
  if (!status.lasting_at.empty()) {
    json.key("lasting_at").begin_array();
    for (const std::uint64_t each : status.lasting_at) json.value(each);
    json.end_array();
  }
  if (status.more_lasting) json.member("more_lasting", true);
  json.end_object();
  return out;
}

result<match_status> read_status(byte_span json) {
  return read<match_status>(json, [](dom::element root, match_status& out) {
    take(root, "host", out.host);
    take(root, "encoder", out.encoder);
    take(root, "state", out.state);
    take(root, "started_us", out.started_us);
    take(root, "ticks", out.ticks);
    take(root, "lost_ticks", out.lost_ticks);
    take(root, "lost_records", out.lost_records);
    take(root, "records", out.records);
    take(root, "confirmed", out.confirmed);
    take(root, "bytes", out.bytes);
    take_renamed(root, "behind_records", "lag_records", out.lag_records);
    take_renamed(root, "behind_bytes", "lag_bytes", out.lag_bytes);
    take_renamed(root, "behind_seconds", "lag_seconds", out.lag_seconds);
    take(root, "retried", out.retried);
    take(root, "refilled", out.refilled);
    take(root, "overflowed", out.overflowed);
    take(root, "messages", out.messages);
    take(root, "holes", out.holes);
    take(root, "repaired", out.repaired);
    take(root, "last_error", out.last_error);
    take(root, "header_at", out.header_at);
    take(root, "update_at", out.update_at);
    take(root, "keyframe_at", out.keyframe_at);
    take(root, "keyframe_sequence", out.keyframe_sequence);
    take(root, "lasting_at", out.lasting_at);
    take(root, "more_lasting", out.more_lasting);
    take(root, "first_at", out.first_at);
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
