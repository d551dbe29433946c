#include "tickreel/sc2replay/details.hpp"

#include <array>
#include <limits>

#include "tickreel/sc2replay/versioned.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

namespace tickreel::sc2replay {

namespace {

// The game supports 16 users; maps have a handful of dependencies.
constexpr std::size_t player_limit = 16;
constexpr std::size_t list_limit = 64;

template <class Integer>
Integer number(versioned_reader& from) noexcept {
  const std::int64_t value = from.any_integer();
  const bool fits = value >= 0 && static_cast<std::uint64_t>(value) <= std::numeric_limits<Integer>::max();
  if (!fits) from.fail_with(error_code::malformed);
  return fits ? static_cast<Integer>(value) : Integer{};
}

bool truth(versioned_reader& from) noexcept {
  return from.any_integer() != 0;
}

std::string text(versioned_reader& from) {
  return std::string(from.text());
}

std::size_t limited(versioned_reader& from, std::size_t count, std::size_t limit) noexcept {
  if (count <= limit) return count;
  from.fail_with(error_code::over_limit);
  return 0;
}

std::optional<std::vector<std::string>> texts(versioned_reader& from) {
  if (!from.optional()) return std::nullopt;
  std::vector<std::string> out(limited(from, from.array(), list_limit));
  for (std::string& each : out) each = from.text();
  return out;
}

void read_toon(versioned_reader& from, toon& out) {
  from.fields([&](std::int64_t field, versioned_reader& value) {
    switch (field) {
      case 0:
        out.region = number<std::uint32_t>(value);
        return;
      case 1:
        out.program = number<std::uint32_t>(value);
        return;
      case 2:
        out.realm = number<std::uint32_t>(value);
        return;
      case 4:
        out.id = number<std::uint64_t>(value);
        return;
      default:
        value.skip();
    }
  });
}

void read_color(versioned_reader& from, player_color& out) {
  from.fields([&](std::int64_t field, versioned_reader& value) {
    std::uint8_t* const parts[] = {&out.alpha, &out.red, &out.green, &out.blue};
    if (field < 0 || field > 3) return value.skip();
    *parts[field] = number<std::uint8_t>(value);
  });
}

void read_player(versioned_reader& from, details_player& out) {
  from.fields([&](std::int64_t field, versioned_reader& value) {
    switch (field) {
      case 0:
        out.name = text(value);
        return;
      case 1:
        return read_toon(value, out.toon);
      case 2:
        out.race = text(value);
        return;
      case 3:
        return read_color(value, out.color);
      case 4:
        out.control = number<std::uint32_t>(value);
        return;
      case 5:
        out.team = number<std::uint32_t>(value);
        return;
      case 6:
        out.handicap = number<std::uint32_t>(value);
        return;
      case 7:
        out.observe = number<std::uint32_t>(value);
        return;
      case 8:
        out.result = number<std::uint32_t>(value);
        return;
      case 9:
        out.slot.emplace();
        if (value.optional()) *out.slot = number<std::uint32_t>(value);
        return;
      case 10:
        out.hero = text(value);
        return;
      default:
        value.skip();
    }
  });
}

void read_players(versioned_reader& from, std::optional<std::vector<details_player>>& out) {
  if (!from.optional()) {
    out.reset();
    return;
  }
  out.emplace(limited(from, from.array(), player_limit));
  for (details_player& each : *out) {
    if (!from.ok()) return;
    read_player(from, each);
  }
}

void read_field(std::int64_t field, versioned_reader& value, details& out) {
  switch (field) {
    case 0:
      return read_players(value, out.players);
    case 1:
      out.title = text(value);
      return;
    case 2:
      out.difficulty = text(value);
      return;
    case 3:
      return value.fields([&](std::int64_t part, versioned_reader& file) {
        if (part != 0) return file.skip();
        out.thumbnail = text(file);
      });
    case 4:
      out.map_by_blizzard = truth(value);
      return;
    case 5:
      out.ended_utc = value.any_integer();
      return;
    case 6:
      out.local_offset = value.any_integer();
      return;
    case 7:
      out.description = text(value);
      return;
    case 8:
      out.image_file = text(value);
      return;
    case 9:
      out.map_file = text(value);
      return;
    case 10:
      out.cache_handles = texts(value);
      return;
    case 11:
      out.mini_save = truth(value);
      return;
    case 12:
      out.game_speed = number<std::uint32_t>(value);
      return;
    case 13:
      out.default_difficulty = number<std::uint32_t>(value);
      return;
    case 14:
      out.mod_paths = texts(value);
      return;
    case 15:
      out.campaign = number<std::uint32_t>(value);
      return;
    case 16:
      out.restarts_as_transition_map.emplace();
      if (value.optional()) *out.restarts_as_transition_map = truth(value);
      return;
    case 17:
      out.recovering_disabled = truth(value);
      return;
    default:
      value.skip();
  }
}

// Writing

template <class Number>
void integer_field(versioned_writer& to, std::int64_t field, Number value) {
  to.field(field);
  to.integer(static_cast<std::int64_t>(value));
}

void text_field(versioned_writer& to, std::int64_t field, std::string_view value) {
  to.field(field);
  to.text(value);
}

void flag_field(versioned_writer& to, std::int64_t field, bool value) {
  to.field(field);
  to.flag(value);
}

void texts_field(versioned_writer& to, std::int64_t field,
                 const std::optional<std::vector<std::string>>& list) {
  to.field(field);
  to.optional(list.has_value());
  if (!list) return;
  to.array(list->size());
  for (const std::string& each : *list) to.text(each);
}

void write_player(versioned_writer& to, const details_player& player) {
  to.structure(9u + (player.slot ? 1 : 0) + (player.hero ? 1 : 0));
  text_field(to, 0, player.name);
  to.field(1);
  to.structure(4);
  integer_field(to, 0, player.toon.region);
  to.field(1);
  to.four_bytes(player.toon.program);
  integer_field(to, 2, player.toon.realm);
  integer_field(to, 4, player.toon.id);
  text_field(to, 2, player.race);
  to.field(3);
  to.structure(4);
  const std::uint8_t color[] = {player.color.alpha, player.color.red, player.color.green, player.color.blue};
  for (std::size_t part = 0; part < std::size(color); ++part) {
    integer_field(to, static_cast<std::int64_t>(part), color[part]);
  }
  const std::uint32_t numbers[] = {player.control, player.team, player.handicap, player.observe,
                                   player.result};
  for (std::size_t part = 0; part < std::size(numbers); ++part) {
    integer_field(to, static_cast<std::int64_t>(4 + part), numbers[part]);
  }
  if (player.slot) {
    to.field(9);
    to.optional(player.slot->has_value());
    if (*player.slot) to.integer(**player.slot);
  }
  if (player.hero) text_field(to, 10, *player.hero);
}

}  // namespace

std::string handle_text(const toon& of) {
  std::string program;
  for (int shift = 24; shift >= 0; shift -= 8) {
    const auto letter = static_cast<char>((of.program >> shift) & 0xFF);
    if (letter != '\0') program += letter;
  }
  return std::to_string(of.region) + '-' + program + '-' + std::to_string(of.realm) + '-' +
         std::to_string(of.id);
}

result<details> read_details(byte_span bytes) {
  details out;
  versioned_reader from(bytes);
  from.fields([&](std::int64_t field, versioned_reader& value) { read_field(field, value, out); });
  if (!from.ok()) return from.failure("replay.details");
  if (!from.at_end()) {
    return fail(error_code::malformed, from.offset(), "replay.details: {} trailing byte{s}",
                static_cast<std::int64_t>(from.remaining()));
  }
  return out;
}

byte_vector write_details(const details& what) {
  versioned_writer to;
  to.structure(14u + (what.mod_paths ? 1 : 0) + (what.campaign ? 1 : 0) +
               (what.restarts_as_transition_map ? 1 : 0) + (what.recovering_disabled ? 1 : 0));
  to.field(0);
  to.optional(what.players.has_value());
  if (what.players) {
    to.array(what.players->size());
    for (const details_player& each : *what.players) write_player(to, each);
  }
  text_field(to, 1, what.title);
  text_field(to, 2, what.difficulty);
  to.field(3);
  to.structure(1);
  text_field(to, 0, what.thumbnail);
  flag_field(to, 4, what.map_by_blizzard);
  integer_field(to, 5, what.ended_utc);
  integer_field(to, 6, what.local_offset);
  text_field(to, 7, what.description);
  text_field(to, 8, what.image_file);
  text_field(to, 9, what.map_file);
  texts_field(to, 10, what.cache_handles);
  flag_field(to, 11, what.mini_save);
  integer_field(to, 12, what.game_speed);
  integer_field(to, 13, what.default_difficulty);
  if (what.mod_paths) texts_field(to, 14, *what.mod_paths);
  if (what.campaign) integer_field(to, 15, *what.campaign);
  if (what.restarts_as_transition_map) {
    to.field(16);
    to.optional(what.restarts_as_transition_map->has_value());
    if (*what.restarts_as_transition_map) to.flag(**what.restarts_as_transition_map);
  }
  if (what.recovering_disabled) flag_field(to, 17, *what.recovering_disabled);
  return to.take();
}

split_name_result split_name(std::string_view stored) {
  constexpr std::string_view border = "<sp/>";
  split_name_result out;
  const auto plain = [](std::string_view text) {
    std::string unescaped;
    while (!text.empty()) {
      constexpr std::array<std::pair<std::string_view, char>, 3> escapes = {
          {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}}};
      std::size_t used = 0;
      for (const auto& [escape, letter] : escapes) {
        if (!text.starts_with(escape)) continue;
        unescaped += letter;
        used = escape.size();
      }
      if (used == 0) {
        unescaped += text.front();
        used = 1;
      }
      text.remove_prefix(used);
    }
    return unescaped;
  };
  const std::size_t at = stored.find(border);
  if (at == std::string_view::npos) {
    out.name = plain(stored);
    // Names never contain brackets.
    const bool tagged = out.name.starts_with('[') || out.name.starts_with('<');
    const std::size_t closed =
        tagged ? out.name.find(out.name.front() == '[' ? ']' : '>') : std::string::npos;
    if (closed == std::string::npos || closed + 1 == out.name.size()) return out;
    out.clan_tag = out.name.substr(1, closed - 1);
    out.name.erase(0, closed + 1);
    if (out.name.starts_with(' ') && out.name.size() > 1) out.name.erase(0, 1);
    return out;
  }
  out.name = plain(stored.substr(at + border.size()));
  out.clan_tag = plain(stored.substr(0, at));
  const bool bracketed =
      out.clan_tag.size() >= 2 && ((out.clan_tag.front() == '<' && out.clan_tag.back() == '>') ||
                                   (out.clan_tag.front() == '[' && out.clan_tag.back() == ']'));
  if (bracketed) out.clan_tag = out.clan_tag.substr(1, out.clan_tag.size() - 2);
  return out;
}

}  // namespace tickreel::sc2replay
