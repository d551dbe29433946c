#include "file_identity.hpp"
#include "filter.hpp"
#include "rows.hpp"
#include "state.hpp"

namespace tickreel::library {

filter::filter(const query& what) {
  add("f.health <> 'ignored'");
  // Imported games need no file.
  if (!what.vanished) add("f.vanished_ms IS NULL");
  if (what.damaged) add("f.health NOT IN ('whole', 'unread')");
  if (what.result == "won" || what.result == "lost") {
    const std::string who = what.player.empty() ? std::string() : matches("name_key", what.player) + " AND ";
    add("g.id IN (SELECT game FROM players WHERE " + who + (what.result == "won" ? "won = 1)" : "won = 0)"));
  } else {
    if (!what.player.empty()) {
      add("g.id IN (SELECT game FROM players WHERE " + matches("name_key", what.player) + ")");
    }
    add_text("lower(g.result)", what.result);
  }
  add_text("lower(g.map)", what.map);
  add_text("lower(g.mode)", what.mode);
  add_text("lower(g.session)", what.session);
  add_text("lower(f.format)", what.format);
  add_number("g.started_ms >= ?", what.after_ms);
  add_number("g.started_ms < ?", what.before_ms);
  add_number("g.duration_ms >= ?", what.min_length_ms);
  add_number("g.duration_ms <= ?", what.max_length_ms);
}

std::string filter::matches(const std::string& column, const std::string& text) {
  if (text.find_first_of("*?") == std::string::npos) {
    values_.emplace_back(name_key(text));
    return column + " = ?";
  }
  std::string pattern;
  for (const char letter : name_key(text)) {
    // GLOB has sets in brackets, which filters do not offer.
    if (letter == '[') {
      pattern += "[[]";
    } else {
      pattern += letter;
    }
  }
  values_.emplace_back(std::move(pattern));
  return column + " GLOB ?";
}

void filter::add_text(const char* column, const std::string& text) {
  if (!text.empty()) add(matches(column, text));
}

void filter::add_number(const char* condition, const std::optional<std::int64_t>& value) {
  if (!value) return;
  add(condition);
  values_.emplace_back(*value);
}

int filter::bind(statement& to) const {
  int place = 1;
  for (const auto& value : values_) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
      to.bind(place++, *number);
    } else {
      to.bind_text(place++, std::get<std::string>(value));
    }
  }
  return place;
}

namespace {

result<std::vector<player>> players_of(statement& asked, std::int64_t game) {
  std::vector<player> out;
  asked.bind(1, game);
  for (;;) {
    const auto more = asked.step();
    if (!more || !*more) {
      asked.reset();
      if (!more) return fail(more.error());
      return out;
    }
    player each;
    each.name = asked.text(0);
    each.team = asked.text(1);
    if (const auto userid = asked.optional_integer(2)) each.userid = static_cast<std::uint64_t>(*userid);
    if (const auto won = asked.optional_integer(3)) each.won = *won != 0;
    each.statistics = asked.text(4);
    out.push_back(std::move(each));
  }
}

game game_of(const statement& row) {
  game out;
  out.id = row.integer(0);
  out.file = row.text(1);
  out.format = row.text(2);
  out.format_version = static_cast<std::uint32_t>(row.integer(3));
  out.bytes = static_cast<std::uint64_t>(row.integer(4));
  out.health = row.text(5);
  out.reason = row.text(6);
  out.vanished = row.integer(7) != 0;
  out.place = static_cast<std::uint64_t>(row.integer(8));
  out.name = row.text(9);
  out.session = row.text(10);
  out.map = row.text(11);
  out.mode = row.text(12);
  out.result = row.text(13);
  out.started_ms = row.optional_integer(14);
  out.duration_ms = row.integer(15);
  out.ticks = static_cast<std::uint64_t>(row.integer(16));
  out.cut_from = row.text(17);
  return out;
}

}  // namespace

result<std::uint64_t> catalogue::find(const query& what, const std::function<bool(const game&)>& each) const {
  const filter conditions(what);
  const std::string limit = what.limit == 0 ? std::string() : " LIMIT " + std::to_string(what.limit);
  auto games = state_->index.prepare(
      "SELECT g.id, f.path, f.format, f.format_version, f.bytes, f.health, f.reason, f.vanished_ms IS NOT "
      "NULL, "
      "g.place, g.name, g.session, g.map, g.mode, g.result, g.started_ms, g.duration_ms, g.ticks, g.cut_from "
      "FROM games g JOIN files f ON f.id = g.file" +
      conditions.where() + " ORDER BY g.started_ms DESC, f.path, g.place" + limit);
  if (!games) return fail(games.error());
  auto players = state_->index.prepare(
      "SELECT name, team, userid, won, statistics FROM players WHERE game = ? ORDER BY slot");
  if (!players) return fail(players.error());
  (void)conditions.bind(*games);
  std::uint64_t count = 0;
  for (;;) {
    const auto more = games->step();
    if (!more) return fail(more.error());
    if (!*more) return count;
    game found = game_of(*games);
    auto who = players_of(*players, found.id);
    if (!who) return fail(who.error());
    found.players = std::move(*who);
    ++count;
    if (!each(found)) return count;
  }
}

}  // namespace tickreel::library
