#include "tickreel/files/report_json.hpp"

#include "tickreel/files/statistics.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::files {

namespace {

void append_facts(text::json_writer& json, const std::vector<fact>& facts) {
  for (const fact& each : facts) {
    std::visit([&](const auto& value) { json.member(each.key, value); }, each.value);
  }
}

void append_words(const player_row& row, text::json_writer& json) {
  json.member("player", row.player);
  if (!row.id.empty()) json.member("id", row.id);
  if (!row.team.empty()) json.member("team", row.team);
  if (!row.result.empty()) json.member("result", row.result);
  if (row.partial) json.member("partial", true);
  if (row.computer) json.member("computer", true);
}

void append_details(const player_row& row, text::json_writer& json) {
  if (!row.by_minute.empty()) {
    json.key("by_minute").begin_object();
    for (const auto& [name, values] : row.by_minute) {
      json.key(name).begin_array();
      for (const double each : values) json.raw(statistic_text(each));
      json.end_array();
    }
    json.end_object();
  }
  if (row.build_order.empty()) return;
  json.key("build_order").begin_array();
  for (const build_entry& each : row.build_order) {
    json.begin_object().member("time_ms", each.time_ms).key("supply").raw(statistic_text(each.supply));
    json.member("kind", each.kind).member("name", each.name);
    if (each.cancelled) json.member("cancelled", true);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void add_file_member(std::string_view name, text::json_writer& json) {
  json.member("file", name);
  if (!text::is_utf8(name)) json.member("file_hex", text::to_hex(as_bytes(name)));
}

void append_summary(std::string_view file, const summary& what, std::string& json, std::string_view more) {
  text::json_writer out(json);
  out.begin_object();
  if (!file.empty()) add_file_member(file, out);
  out.member("format", what.format).member("format_version", what.format_version);
  out.member("bytes", what.bytes).member("ticks", what.ticks).member("keyframes", what.keyframes);
  out.member("duration_ms", what.duration_ms);
  out.key("players").begin_array();
  for (const player_summary& player : what.players) {
    out.begin_object().member("name", player.name);
    if (!player.team.empty()) out.member("team", player.team);
    if (player.userid) out.member("userid", *player.userid);
    append_facts(out, player.facts);
    out.end_object();
  }
  out.end_array().member("health", name(what.health));
  append_facts(out, what.facts);
  if (!what.left_out.empty()) {
    out.key("left_out").array(what.left_out);
  }
  if (!more.empty()) out.raw(more);
  out.end_object();
}

void append_verification(std::string_view file, std::string_view format, const verification& outcome,
                         std::string& json) {
  text::json_writer out(json);
  out.begin_object();
  if (!file.empty()) add_file_member(file, out);
  out.member("format", format).member("ok", outcome.ok());
  out.member("ticks", outcome.ticks).key("findings").begin_array();
  for (const finding& each : outcome.findings) {
    out.begin_object().member("severity", name(each.level)).key("offset");
    each.offset == error::no_offset ? out.null() : out.value(each.offset);
    out.member("message", each.message).end_object();
  }
  out.end_array();
  append_facts(out, outcome.facts);
  out.end_object();
}

void append_line_begin(const tick_position& of, std::string& json) {
  text::json_writer out(json);
  out.begin_object().member("tick", of.tick).member("time_ms", of.time_ms);
  json += ',';
}

void append_tick(const recording& from, std::string& json) {
  append_line_begin(from.position(), json);
  const std::size_t begin = json.size();
  from.append_state(json);
  if (json.size() == begin && json.ends_with(',')) json.pop_back();  // a tick without members
  json += '}';
}

void append_statistics(const player_row& row, text::json_writer& json) {
  json.key("values").begin_object();
  for (std::size_t at = 0; at < statistic_count; ++at) {
    const std::string number = statistic_text(row.values[at]);
    if (number.empty()) continue;
    json.key(column_of(static_cast<statistic>(at)).name).raw(number);
  }
  json.end_object();
  if (row.uncertain.none()) return;
  json.key("uncertain").begin_array();
  for (std::size_t at = 0; at < statistic_count; ++at) {
    if (row.uncertain.test(at)) json.value(column_of(static_cast<statistic>(at)).name);
  }
  json.end_array();
}

void append_match(std::string_view file, std::size_t number, const match_rows& rows, std::string& to) {
  text::json_writer json(to);
  json.begin_object();
  if (!file.empty()) add_file_member(file, json);
  json.member("match", number).member("format", rows.format);
  if (!rows.session.empty()) json.member("session", rows.session);
  if (!rows.map.empty()) json.member("map", rows.map);
  if (rows.started_ms) json.member("started_ms", *rows.started_ms);
  json.member("duration_ms", rows.duration_ms);
  if (!rows.clock.empty()) json.member("clock", rows.clock);
  json.key("players").begin_array();
  for (const player_row& each : rows.players) {
    json.begin_object();
    append_words(each, json);
    append_statistics(each, json);
    append_details(each, json);
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace tickreel::files
