// The players of a game, combined from all parts of a replay.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tickreel/sc2replay/attributes.hpp"
#include "tickreel/sc2replay/details.hpp"
#include "tickreel/sc2replay/header.hpp"
#include "tickreel/sc2replay/lobby.hpp"
#include "tickreel/sc2replay/resumption.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace tickreel::sc2replay {

struct player {
  std::uint8_t number = 0;  // 1 to 15, as in tracker events
  // As in game events and messages. Empty for computers.
  std::optional<std::uint8_t> event_user = std::nullopt;
  // Its entry in lobby::users and lobby::slots.
  std::optional<std::uint8_t> user = std::nullopt;
  std::optional<std::uint8_t> slot = std::nullopt;

  std::string name;          // without clan tag
  std::string clan_tag;      // empty if there is none
  std::string handle;        // "2-S2-1-278321"; empty for computers and in the beta
  std::string race;          // as played, in the recorder's language
  std::string race_english;  // "Terran", "Zerg", "Protoss"; empty when unknown
  std::string chosen_race;   // "Terran", "Zerg", "Protoss", "random"; empty when unknown, see also replay
  player_type type = player_type::unknown;
  std::optional<std::uint32_t> team = std::nullopt;  // counted from 0
  player_color color;
  std::uint32_t handicap = 100;  // percent
  game_result result = game_result::unknown;
  // For a game that was resumed from a replay: the player who began it, if that is another person.
  std::optional<person> before = std::nullopt;
};

// A person who watched.
struct observer {
  // As in game events and messages.
  std::uint8_t event_user = 0;
  // Its entry in lobby::users and lobby::slots.
  std::uint8_t user = 0;
  std::uint8_t slot = 0;
  std::string name;
  std::string clan_tag;
  std::string handle;                           // from 2.5 on
  bool referee = false;                         // may talk to players
  std::optional<person> before = std::nullopt;  // like player::before
};

// The available sources; optional parts may be null.
struct player_sources {
  std::uint32_t base_build = 0;
  const sc2replay::details* details = nullptr;
  const sc2replay::lobby* lobby = nullptr;
  std::span<const player_setup> setups = {};  // from tracker events
};

// In the order of details.players, or of the beta's own list. Without spectators.
[[nodiscard]] std::vector<player> join_players(const player_sources& from);

// In the order of the lobby's slots; none without a lobby. Before 2.0 events number all occupied slots,
// players or not, in the order of slots.
[[nodiscard]] std::vector<observer> find_observers(const lobby* from, std::uint32_t base_build);

// Assigns to players and observers the people who had their slots last. The lobby and the details of a
// resumed game name those who began it.
void take_over(std::span<const resumption> resumptions, std::span<player> players,
               std::span<observer> observers);

// The player_setup events at the beginning of a tracker stream; reading stops after them. Empty if the stream
// has none, or is unreadable.
[[nodiscard]] std::vector<player_setup> read_player_setups(byte_span tracker_events,
                                                           std::uint32_t base_build);

// The name of `event_user` in game events and messages: a player's or a spectator's. Empty if unknown.
[[nodiscard]] std::string_view name_of_user(std::uint8_t event_user, std::span<const player> players,
                                            std::span<const observer> observers, const lobby* lobby,
                                            std::uint32_t base_build) noexcept;

// Before 2.0 game events and messages name players, later users.
inline constexpr std::uint32_t first_base_build_with_users = 24247;

}  // namespace tickreel::sc2replay
