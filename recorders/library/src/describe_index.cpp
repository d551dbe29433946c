#include "describe_index.hpp"

#include <simdjson.h>

#include <utility>

#include "tickreel/counted.hpp"

namespace tickreel::library {

namespace {

namespace dom = simdjson::dom;
using files::fact;
using simdjson::error_code::SUCCESS;

// Numbers, texts and booleans; other values are not facts.
void add_fact(std::string_view key, dom::element value, std::vector<fact>& to) {
  bool yes = false;
  std::int64_t whole = 0;
  double number = 0;
  std::string_view text;
  if (value.get(yes) == SUCCESS) {
    to.push_back({std::string(key), yes});
  } else if (value.get(whole) == SUCCESS) {
    to.push_back({std::string(key), whole});
  } else if (value.get(number) == SUCCESS) {
    to.push_back({std::string(key), number});
  } else if (value.get(text) == SUCCESS) {
    to.push_back({std::string(key), std::string(text)});
  }
}

files::player_summary player_of(dom::object from) {
  files::player_summary out;
  for (const auto& [key, value] : from) {
    std::string_view text;
    std::uint64_t number = 0;
    if (key == "name" && value.get(text) == SUCCESS) {
      out.name = text;
    } else if (key == "team" && value.get(text) == SUCCESS) {
      out.team = text;
    } else if (key == "userid" && value.get(number) == SUCCESS) {
      out.userid = number;
    } else {
      add_fact(key, value, out.facts);
    }
  }
  return out;
}

// The output of files::append_summary().
struct written_summary {
  files::summary stored;
  std::string health;
};
written_summary read_summary(dom::object from) {
  written_summary out;
  files::summary& stored = out.stored;
  for (const auto& [key, value] : from) {
    std::string_view text;
    std::uint64_t number = 0;
    std::int64_t whole = 0;
    dom::array list;
    if (key == "format" && value.get(text) == SUCCESS) {
      stored.format = text;
    } else if (key == "health" && value.get(text) == SUCCESS) {
      out.health = text;
    } else if (key == "format_version" && value.get(number) == SUCCESS) {
      stored.format_version = static_cast<std::uint32_t>(number);
    } else if (key == "ticks" && value.get(number) == SUCCESS) {
      stored.ticks = number;
    } else if (key == "duration_ms" && value.get(whole) == SUCCESS) {
      stored.duration_ms = whole;
    } else if (key == "players" && value.get(list) == SUCCESS) {
      for (const dom::element each : list) {
        dom::object player;
        if (each.get(player) == SUCCESS) stored.players.push_back(player_of(player));
      }
    } else {
      add_fact(key, value, stored.facts);
    }
  }
  return out;
}

bool is_health(std::string_view word) {
  return word == "whole" || word == "incomplete" || word == "recovered" || word == "damaged";
}

}  // namespace

std::optional<description> describe_index(const store::index_object& from) {
  dom::parser parser;
  dom::object info;
  if (parser.parse(from.info).get(info) != SUCCESS) return std::nullopt;
  const written_summary written = read_summary(info);
  if (written.stored.format.empty() || !is_health(written.health)) return std::nullopt;
  description out;
  out.format = written.stored.format;
  out.format_version = written.stored.format_version;
  out.health = written.health;
  if (from.lost_records != 0) {
    out.reason = counted(from.lost_records, "record was", "records were") +
                 " lost between the recorder and the archive";
  } else if (!from.ended) {
    out.reason = "the recorder did not close it";
  } else if (out.health != "whole") {
    out.reason = "the archive's index object marks it as incomplete";
  }
  if (!out.reason.empty() && out.health == "whole") out.health = "incomplete";
  game facts = game_of(written.stored);
  if (facts.name.empty()) facts.name = from.match;
  if (!facts.started_ms && from.started_us != 0) facts.started_ms = from.started_us / 1000;
  out.games.push_back({std::move(facts), {}});
  return out;
}

}  // namespace tickreel::library
