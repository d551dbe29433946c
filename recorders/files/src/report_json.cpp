#include "tickreel/files/report_json.hpp"

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
    out.key("left_out").begin_array();
    for (const std::string& each : what.left_out) out.value(each);
    out.end_array();
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

}  // namespace tickreel::files
