#include <initializer_list>
#include <variant>

#include "summary_facts.hpp"
#include "tickreel/files/info.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/start_time.hpp"
#include "tickreel/library/game.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::library {

using files::fact;

std::string text_of(const std::vector<fact>& facts, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    for (const fact& each : facts) {
      const auto* const text = std::get_if<std::string>(&each.value);
      if (each.key == key && text != nullptr && !text->empty()) return *text;
    }
  }
  return {};
}

std::string object_of(const std::vector<fact>& facts) {
  std::string out;
  text::json_writer json(out);
  json.begin_object();
  for (const fact& each : facts) {
    std::visit([&](const auto& value) { json.member(each.key, value); }, each.value);
  }
  json.end_object();
  return out;
}

namespace {

std::optional<bool> has_won(const std::string& outcome) {
  const std::string word = text::to_lower(outcome);
  if (word == "win" || word == "won" || word == "victory") return true;
  if (word == "loss" || word == "lost" || word == "defeat" || word == "defeated") return false;
  return std::nullopt;
}

}  // namespace

game game_of(const files::summary& from) {
  game out;
  out.name = text_of(from.facts, {"game_name", "title"});
  out.session = text_of(from.facts, {"session_id", "game_id", "match_id", "replay_id"});
  out.cut_from = text_of(from.facts, {files::cut_key, "metadata.cut_from"});
  out.map = text_of(from.facts, {"map_name", "map"});
  out.mode = text_of(from.facts, {"match_type", "mode", "game_mode", "teams"});
  out.result = text_of(from.facts, {"winner", "winning_team", "result"});
  out.duration_ms = from.duration_ms;
  out.ticks = from.ticks;
  out.started_ms = files::start_time_ms(from);
  for (std::size_t slot = 0; slot < from.players.size(); ++slot) {
    const files::player_summary& each = from.players[slot];
    player one;
    one.name = each.name;
    one.team = each.team;
    one.userid = each.userid;
    one.statistics = object_of(each.facts);
    std::string outcome = text_of(each.facts, {"result", "outcome"});
    if (outcome.empty()) outcome = text_of(from.facts, {"outcome." + std::to_string(slot)});
    one.won = has_won(outcome);
    // Both teams of a co-op mission win; its computers are in these teams.
    const bool plays = text::to_lower(one.team) != "spectator" && text_of(each.facts, {"type"}) != "computer";
    if (!one.won && plays && !out.result.empty() && !one.team.empty())
      one.won = text::to_lower(one.team) == text::to_lower(out.result);
    if (out.result.empty() && one.won == true) out.result = one.team;
    out.players.push_back(std::move(one));
  }
  return out;
}

}  // namespace tickreel::library
