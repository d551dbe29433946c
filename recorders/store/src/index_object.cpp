#include "tickreel/store/index_object.hpp"

#include <simdjson.h>

#include <string>
#include <unordered_map>

#include "tickreel/text/json.hpp"
#include "tickreel/text/utc.hpp"

namespace tickreel::store {

namespace {

namespace dom = simdjson::dom;
using simdjson::error_code::SUCCESS;

constexpr std::int64_t second_us = 1'000'000;

void take(dom::element from, const char* key, std::string& to) {
  std::string_view text;
  if (from[key].get(text) == SUCCESS) to = text;
}
template <class Value>
void take(dom::element from, const char* key, Value& to) {
  Value value{};
  if (from[key].get(value) == SUCCESS) to = value;
}
// All of them, or none.
void take_missing(dom::element from, std::vector<record_range>& to) {
  dom::array ranges;
  if (from["missing"].get(ranges) != SUCCESS || ranges.size() > max_missing_ranges) return;
  for (const dom::element each : ranges) {
    record_range range;
    if (each.at_pointer("/0").get(range.first) != SUCCESS || each.at_pointer("/1").get(range.last) != SUCCESS)
      return to.clear();
    to.push_back(range);
  }
}

tl::unexpected<error> no_index() {
  return fail(error_code::bad_json, error::no_offset, "this is not an index object of an archive");
}

result<index_object> index_of(dom::element root) {
  std::int64_t version = 0;
  if (root["tickreel_archive"].get(version) != SUCCESS) return no_index();
  if (version != 1) {
    return fail(error_code::unsupported_version, error::no_offset, "index objects of version {}", version);
  }
  index_object out;
  take(root, "league", out.league);
  take(root, "match", out.match);
  take(root, "reel", out.reel);
  take(root, "key", out.key);
  take(root, "bytes", out.bytes);
  take(root, "sha256", out.sha256);
  take(root, "recorded_bytes", out.recorded_bytes);
  take(root, "recorded_sha256", out.recorded_sha256);
  take(root, "records", out.records);
  take(root, "lost_records", out.lost_records);
  take_missing(root, out.missing);
  take(root, "ticks", out.ticks);
  take(root, "lost_ticks", out.lost_ticks);
  take(root, "ended", out.ended);
  take(root, "compacted", out.compacted);
  take(root, "started_us", out.started_us);
  take(root, "duration_ms", out.duration_ms);
  take(root, "archived_at_us", out.archived_at_us);
  dom::element info;
  out.info = root["info"].get(info) == SUCCESS && info.is_object() ? simdjson::minify(info) : "{}";
  if (out.reel.empty() || out.key.empty()) {
    return fail(error_code::bad_json, error::no_offset, "an index object that does not say of what");
  }
  return out;
}

}  // namespace

std::string to_json(const index_object& what) {
  std::string out;
  text::json_writer json(out);
  json.begin_object().member("tickreel_archive", 1).member("league", what.league).member("match", what.match);
  json.member("reel", what.reel).member("key", what.key).member("bytes", what.bytes);
  json.member("sha256", what.sha256).member("recorded_bytes", what.recorded_bytes);
  json.member("recorded_sha256", what.recorded_sha256).member("records", what.records);
  json.member("lost_records", what.lost_records);
  if (!what.missing.empty() && what.missing.size() <= max_missing_ranges) {
    json.key("missing").begin_array();
    for (const record_range& each : what.missing) {
      json.begin_array().value(each.first).value(each.last).end_array();
    }
    json.end_array();
  }
  json.member("ticks", what.ticks).member("lost_ticks", what.lost_ticks).member("ended", what.ended);
  json.member("compacted", what.compacted);
  json.member("started_us", what.started_us).member("started", text::utc_text(what.started_us / second_us));
  json.member("duration_ms", what.duration_ms).member("archived_at_us", what.archived_at_us);
  json.key("info").raw(what.info.empty() ? "{}" : what.info);
  if (what.next != nullptr) json.key("next").raw(to_json(*what.next));
  json.end_object();
  return out + '\n';
}

result<index_object> read_index(byte_span json) {
  if (json.size() > max_index_bytes) {
    return fail(error_code::over_limit, error::no_offset, "an index object is too long");
  }
  dom::parser parser;
  dom::element root;
  if (json.empty() ||
      parser.parse(reinterpret_cast<const char*>(json.data()), json.size()).get(root) != SUCCESS) {
    return no_index();
  }
  auto out = index_of(root);
  dom::element next;
  if (!out || root["next"].get(next) != SUCCESS) return out;
  // An invalid one describes no recording.
  if (auto later = index_of(next)) out->next = std::make_shared<const index_object>(std::move(*later));
  return out;
}

result<std::optional<index_object>> fetch_index(object_store& from, const std::string& key,
                                                seen_object* seen) {
  if (seen != nullptr) *seen = {key};
  byte_vector bytes(std::size_t{64} << 10);
  std::size_t filled = 0;
  while (true) {
    object_identity identity;
    const auto read = from.read(key, filled, std::span(bytes).subspan(filled), &identity);
    // The first tag: if the object changes between two requests, a later put() must notice it.
    if (read && seen != nullptr && !seen->tag) seen->tag = identity.tag;
    if (!read) {
      if (read.error().code == error_code::not_found) return std::optional<index_object>();
      return fail(read.error());
    }
    filled += *read;
    if (filled < bytes.size() || bytes.size() >= max_index_bytes) break;
    bytes.resize(bytes.size() * 2);
  }
  auto parsed = read_index(std::span(bytes).first(filled));
  if (!parsed) return std::optional<index_object>();
  return std::optional(std::move(*parsed));
}

result<std::vector<listed_recording>> list_recordings(object_store& in,
                                                      const std::function<bool()>& cancelled) {
  const auto stop = [&cancelled] { return cancelled && cancelled(); };
  std::vector<object> all;
  std::unordered_map<std::string, object> indexes;  // objects that are named like index objects
  const auto listed = in.list("", [&](const object& each) {
    if (!each.key.ends_with('/')) all.push_back(each);
    if (each.key.ends_with(index_ending)) indexes.emplace(each.key, each);
    return !stop();
  });
  if (stop()) return fail(error_code::interrupted);
  if (!listed) return fail(listed.error());
  std::unordered_map<std::string, object> beside;  // of recordings
  const auto index_key_of = [](const std::string& key) {
    return key.substr(0, key.size() - reel_ending.size()) + std::string(index_ending);
  };
  for (const object& each : all) {
    if (!each.key.ends_with(reel_ending)) continue;
    if (auto index = indexes.extract(index_key_of(each.key))) beside.insert(std::move(index));
  }
  std::vector<listed_recording> out;
  for (object& each : all) {
    if (beside.contains(each.key)) continue;
    listed_recording& one = out.emplace_back();
    if (each.key.ends_with(reel_ending)) {
      if (const auto index = beside.find(index_key_of(each.key)); index != beside.end()) {
        one.index = index->second;
      }
    }
    one.itself = std::move(each);
  }
  return out;
}

}  // namespace tickreel::store
