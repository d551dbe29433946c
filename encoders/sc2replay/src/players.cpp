#include "tickreel/sc2replay/players.hpp"

#include <array>
#include <charconv>

#include "tickreel/sc2replay/races.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::size_t user_limit = 16;

bool plays(const lobby_slot& slot) noexcept {
  const bool taken = slot.control == static_cast<std::uint32_t>(slot_control::human) ||
                     slot.control == static_cast<std::uint32_t>(slot_control::computer);
  return taken && slot.observe == 0;
}

// "255,180,20,30": alpha, red, green, blue.
player_color color_of(std::string_view text) noexcept {
  std::array<std::uint8_t, 4> parts{};
  for (std::uint8_t& part : parts) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (code != std::errc{}) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  return {parts[0], parts[1], parts[2], parts[3]};
}

std::string race_text(const std::optional<std::uint32_t>& race) {
  if (!race) return "random";
  constexpr std::array<const char*, 3> names = {"Terran", "Zerg", "Protoss"};
  return *race < names.size() ? names[*race] : "";
}

// Slots name their index in the details since 2.0.3; before that, both lists have the same order.
std::optional<std::uint8_t> slot_of(const details_player* stored, std::size_t order, const lobby& lobby) {
  const bool named = stored != nullptr && stored->slot && *stored->slot;
  std::size_t playing = 0;
  for (std::size_t slot = 0; slot < lobby.slots.size() && slot < user_limit; ++slot) {
    const lobby_slot& here = lobby.slots[slot];
    if (named && here.working_set_slot_id) {
      if (*here.working_set_slot_id == **stored->slot) return static_cast<std::uint8_t>(slot);
    } else if (plays(here) && playing++ == order) {
      return static_cast<std::uint8_t>(slot);
    }
  }
  return std::nullopt;
}

void join_slot(const player_sources& from, player& out) {
  if (from.lobby == nullptr || !out.slot) return;
  const lobby_slot& slot = from.lobby->slots[*out.slot];
  if (slot.user_id && *slot.user_id < user_limit) out.user = static_cast<std::uint8_t>(*slot.user_id);
  out.team = slot.team_id;
  out.chosen_race = race_text(slot.race);
  if (out.race_english.empty()) out.race_english = english_race(out.chosen_race);
  out.handicap = slot.handicap;
  if (slot.control == static_cast<std::uint32_t>(slot_control::human)) out.type = player_type::human;
  if (slot.control == static_cast<std::uint32_t>(slot_control::computer)) out.type = player_type::computer;
  if (out.user && *out.user < from.lobby->users.size()) {
    const lobby_user& user = from.lobby->users[*out.user];
    if (out.clan_tag.empty() && user.clan_tag) out.clan_tag = *user.clan_tag;
    // Some details have the clan tag before the name in yet another form.
    if (!user.name.empty() && out.name != user.name && out.name.ends_with(user.name)) out.name = user.name;
  }
}

// The tracker's player number for that slot.
std::optional<std::uint8_t> number_of(const player_sources& from, const player& who) {
  for (const player_setup& setup : from.setups) {
    const bool same_user = setup.user && who.user && *setup.user == *who.user;
    if (same_user) return setup.player;
  }
  if (!who.slot) return std::nullopt;
  std::uint32_t place = *who.slot;
  if (from.lobby != nullptr) place = from.lobby->slots[place].working_set_slot_id.value_or(place);
  for (const player_setup& setup : from.setups) {
    if (setup.slot && !setup.user && *setup.slot == place) return setup.player;
  }
  return std::nullopt;
}

void join(const player_sources& from, std::size_t order, player& out) {
  join_slot(from, out);
  if (const auto number = number_of(from, out)) out.number = *number;
  if (out.type == player_type::computer) return;
  if (from.base_build < first_base_build_with_users) {
    out.event_user = out.number;
  } else {
    // Without a lobby, users are in the order of players.
    out.event_user = out.user ? *out.user : static_cast<std::uint8_t>(order);
  }
}

player from_details(const details_player& stored) {
  player out;
  split_name_result parts = split_name(stored.name);
  out.name = std::move(parts.name);
  out.clan_tag = std::move(parts.clan_tag);
  if (stored.toon.id != 0) out.handle = handle_text(stored.toon);
  out.race = stored.race;
  out.race_english = english_race(stored.race);
  out.color = stored.color;
  out.team = stored.team;
  out.handicap = stored.handicap;
  if (stored.result <= static_cast<std::uint32_t>(game_result::tie)) {
    out.result = static_cast<game_result>(stored.result);
  }
  if (stored.toon.id != 0) out.type = player_type::human;
  return out;
}

player from_beta(const beta_player& stored) {
  player out;
  out.name = stored.name;
  out.race = stored.race;
  out.race_english = english_race(stored.race);
  out.color = color_of(stored.color);
  return out;
}

}  // namespace

std::vector<player> join_players(const player_sources& from) {
  std::vector<player> out;
  if (from.details != nullptr && from.details->players) {
    for (std::size_t order = 0; order < from.details->players->size(); ++order) {
      const details_player& stored = (*from.details->players)[order];
      player& here = out.emplace_back(from_details(stored));
      here.number = static_cast<std::uint8_t>(order + 1);
      if (from.lobby != nullptr) here.slot = slot_of(&stored, order, *from.lobby);
      join(from, order, here);
    }
  } else if (from.lobby != nullptr) {
    for (std::size_t number = 1; number < from.lobby->players.size() && number < user_limit; ++number) {
      if (from.lobby->players[number].name.empty()) continue;
      player& here = out.emplace_back(from_beta(from.lobby->players[number]));
      here.number = static_cast<std::uint8_t>(number);
      here.slot = slot_of(nullptr, out.size() - 1, *from.lobby);
      join(from, out.size() - 1, here);
    }
  }
  return out;
}

std::vector<observer> find_observers(const lobby* from, std::uint32_t base_build) {
  std::vector<observer> out;
  if (from == nullptr) return out;
  constexpr std::uint32_t referees = 2;
  std::uint8_t seated = 0;
  for (std::size_t slot = 0; slot < from->slots.size() && slot < user_limit; ++slot) {
    const lobby_slot& here = from->slots[slot];
    const bool human = here.control == static_cast<std::uint32_t>(slot_control::human);
    if (!human && here.control != static_cast<std::uint32_t>(slot_control::computer)) continue;
    ++seated;
    const bool watches = human && here.observe != 0 && here.user_id && *here.user_id < from->users.size();
    if (!watches || *here.user_id >= user_limit) continue;
    const lobby_user& who = from->users[*here.user_id];
    observer& each = out.emplace_back();
    each.user = static_cast<std::uint8_t>(*here.user_id);
    each.slot = static_cast<std::uint8_t>(slot);
    each.event_user = base_build < first_base_build_with_users ? seated : each.user;
    split_name_result parts = split_name(who.name);
    each.name = std::move(parts.name);
    each.clan_tag = std::move(parts.clan_tag);
    if (who.clan_tag && !who.clan_tag->empty()) each.clan_tag = *who.clan_tag;
    each.handle = here.toon_handle;
    each.referee = here.observe == referees;
  }
  return out;
}

void take_over(std::span<const resumption> resumptions, std::span<player> players,
               std::span<observer> observers) {
  const auto replace = [](auto& who, const person& by) {
    person old{who.name, who.clan_tag, who.handle};
    const bool by_handle = !old.handle.empty() && !by.handle.empty();
    if (by_handle ? old.handle == by.handle : old.name == by.name) return;
    who.name = by.name;
    who.clan_tag = by.clan_tag;
    who.handle = by.handle;
    if (!who.before) who.before = std::move(old);
  };
  for (const resumption& each : resumptions) {
    for (const resumption::taken_user& user : each.users) {
      for (player& who : players) {
        if (who.event_user == user.event_user) replace(who, user.by);
      }
      for (observer& who : observers) {
        if (who.event_user == user.event_user) replace(who, user.by);
      }
    }
  }
}

std::vector<player_setup> read_player_setups(byte_span tracker_events, std::uint32_t base_build) {
  std::vector<player_setup> out;
  tracker_event_reader events(tracker_events, base_build);
  tracker_event event;
  for (auto more = events.next(event); more && *more; more = events.next(event)) {
    player_setup setup;
    if (event.tick != 0) break;
    if (event.is(tracker_kind::player_setup) && read_player_setup(event, setup)) out.push_back(setup);
    if (!event.is(tracker_kind::player_setup) && !out.empty()) break;
    if (out.size() == user_limit) break;
  }
  return out;
}

std::string_view name_of_user(std::uint8_t event_user, std::span<const player> players,
                              std::span<const observer> observers, const lobby* lobby,
                              std::uint32_t base_build) noexcept {
  for (const player& each : players) {
    if (each.event_user == event_user) return each.name;
  }
  for (const observer& each : observers) {
    if (each.event_user == event_user) return each.name;
  }
  const bool in_lobby =
      lobby != nullptr && base_build >= first_base_build_with_users && event_user < lobby->users.size();
  return in_lobby ? std::string_view(lobby->users[event_user].name) : std::string_view();
}

}  // namespace tickreel::sc2replay
