#include "tickreel/sc2replay/game_metadata.hpp"

#include <simdjson.h>

#include "tickreel/text/json.hpp"

namespace tickreel::sc2replay {

namespace {

namespace dom = simdjson::dom;
using simdjson::error_code::SUCCESS;

// Real ones have 2 KiB.
constexpr std::size_t bytes_limit = 1u << 20;
constexpr std::size_t metadata_player_limit = 16;
constexpr const char* what_text = "replay.gamemetadata.json";

void read(dom::element from, std::string& to) {
  std::string_view text;
  if (from.get(text) == SUCCESS) to.assign(text);
}

void read(dom::element from, std::optional<double>& to) {
  double number = 0;
  if (from.get(number) == SUCCESS) to = number;
}

metadata_player read_player(dom::object from) {
  metadata_player out;
  for (const auto [key, value] : from) {
    std::uint64_t number = 0;
    if (key == "PlayerID" && value.get(number) == SUCCESS && number <= 255) {
      out.number = static_cast<std::uint8_t>(number);
    }
    if (key == "MMR") read(value, out.rating);
    if (key == "APM") read(value, out.actions_per_minute);
    if (key == "Result") read(value, out.result);
    if (key == "SelectedRace") read(value, out.selected_race);
    if (key == "AssignedRace") read(value, out.assigned_race);
  }
  return out;
}

void read_players(dom::element from, std::vector<metadata_player>& to) {
  dom::array players;
  if (from.get(players) != SUCCESS) return;
  for (const dom::element each : players) {
    dom::object player;
    if (to.size() < metadata_player_limit && each.get(player) == SUCCESS) to.push_back(read_player(player));
  }
}

}  // namespace

result<game_metadata> read_game_metadata(byte_span json) {
  if (json.size() > bytes_limit) return fail(error_code::over_limit, 0, what_text);
  dom::parser parser;
  dom::object root;
  const std::string_view text = as_text(json);
  // The parser copies even zero bytes, so the address must be valid.
  if (text.empty() || parser.parse(text.data(), text.size()).get(root) != SUCCESS) {
    return fail(error_code::bad_json, error::no_offset, what_text);
  }
  game_metadata out;
  for (const auto [key, value] : root) {
    if (key == "Title") read(value, out.title);
    if (key == "GameVersion") read(value, out.game_version);
    if (key == "DataBuild") read(value, out.data_build);
    if (key == "DataVersion") read(value, out.data_version);
    if (key == "BaseBuild") read(value, out.base_build);
    if (key == "Duration") read(value, out.duration_seconds);
    if (key == "Players") read_players(value, out.players);
  }
  return out;
}

byte_vector write_game_metadata(const game_metadata& what) {
  std::string text;
  text::json_writer json(text);
  const auto texts = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json.member(key, value);
  };
  const auto numbers = [&json](const char* key, const std::optional<double>& value) {
    if (value) json.member(key, *value);
  };
  json.begin_object();
  texts("Title", what.title);
  texts("GameVersion", what.game_version);
  texts("DataBuild", what.data_build);
  texts("DataVersion", what.data_version);
  texts("BaseBuild", what.base_build);
  numbers("Duration", what.duration_seconds);
  json.key("Players").begin_array();
  for (const metadata_player& each : what.players) {
    json.begin_object().member("PlayerID", each.number);
    numbers("MMR", each.rating);
    numbers("APM", each.actions_per_minute);
    texts("Result", each.result);
    texts("SelectedRace", each.selected_race);
    texts("AssignedRace", each.assigned_race);
    json.end_object();
  }
  json.end_array().end_object();
  const byte_span bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

}  // namespace tickreel::sc2replay
