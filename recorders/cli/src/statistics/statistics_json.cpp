// Statistics as one JSON document.
#include "statistics_output.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

void append_values(const files::player_row& row, text::json_writer& json) {
  json.key("values").begin_object();
  for (std::size_t at = 0; at < files::statistic_count; ++at) {
    const std::string number = files::statistic_text(row.values[at]);
    if (number.empty()) continue;
    json.key(files::column_of(static_cast<files::statistic>(at)).name).raw(number);
  }
  json.end_object();
  if (row.uncertain.none()) return;
  json.key("uncertain").begin_array();
  for (std::size_t at = 0; at < files::statistic_count; ++at) {
    if (row.uncertain.test(at)) json.value(files::column_of(static_cast<files::statistic>(at)).name);
  }
  json.end_array();
}

void append_words(const files::player_row& row, text::json_writer& json) {
  json.member("player", row.player);
  if (!row.id.empty()) json.member("id", row.id);
  if (!row.team.empty()) json.member("team", row.team);
  if (!row.result.empty()) json.member("result", row.result);
  if (row.partial) json.member("partial", true);
  if (row.computer) json.member("computer", true);
}

void append_details(const files::player_row& row, text::json_writer& json) {
  if (!row.by_minute.empty()) {
    json.key("by_minute").begin_object();
    for (const auto& [name, values] : row.by_minute) {
      json.key(name).begin_array();
      for (const double each : values) json.raw(files::statistic_text(each));
      json.end_array();
    }
    json.end_object();
  }
  if (row.build_order.empty()) return;
  json.key("build_order").begin_array();
  for (const files::build_entry& each : row.build_order) {
    json.begin_object().member("time_ms", each.time_ms).key("supply").raw(files::statistic_text(each.supply));
    json.member("kind", each.kind).member("name", each.name);
    if (each.cancelled) json.member("cancelled", true);
    json.end_object();
  }
  json.end_array();
}

void append_sums(const files::statistics_sums::entry& from, text::json_writer& json) {
  json.member("games", from.games).member("won", from.won).member("lost", from.lost);
  append_values(from.row, json);
}

class json_document final : public statistics_writer {
 public:
  std::string begin() override { return "{\"matches\":["; }

  std::string match(std::string_view file, std::size_t number, const files::match_rows& rows) const override {
    std::string out;
    text::json_writer json(out);
    json.begin_object();
    files::add_file_member(file, json);
    json.member("match", number).member("format", rows.format);
    if (!rows.session.empty()) json.member("session", rows.session);
    if (!rows.map.empty()) json.member("map", rows.map);
    if (rows.started_ms) json.member("started_ms", *rows.started_ms);
    json.member("duration_ms", rows.duration_ms);
    if (!rows.clock.empty()) json.member("clock", rows.clock);
    json.key("players").begin_array();
    for (const files::player_row& each : rows.players) {
      json.begin_object();
      append_words(each, json);
      append_values(each, json);
      append_details(each, json);
      json.end_object();
    }
    json.end_array().end_object();
    return out;
  }
  std::string_view between() const override { return ","; }

  std::string end(const files::statistics_sums& sums, const std::vector<left_out_match>& left_out) override {
    std::string out = "],\"by_player\":";
    text::json_writer json(out);
    json.begin_array();
    for (const files::statistics_sums::entry* each : sums.by_player()) {
      json.begin_object().member("player", each->row.player);
      if (!each->row.id.empty()) json.member("id", each->row.id);
      json.member("format", each->format);
      append_sums(*each, json);
      json.end_object();
    }
    json.end_array().key("all").begin_object();
    append_sums(sums.all(), json);
    json.end_object().key("left_out").begin_array();
    for (const left_out_match& each : left_out) {
      json.begin_object();
      files::add_file_member(each.file, json);
      json.member("match", each.match);
      json.member("reason", std::string_view(each.reason)).end_object();
    }
    json.end_array();
    return out + "}\n";
  }
};

}  // namespace

std::unique_ptr<statistics_writer> make_json_writer() {
  return std::make_unique<json_document>();
}

}  // namespace tickreel::cli
