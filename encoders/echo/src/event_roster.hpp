// The players of the match over time: lists change, slots are reused, players leave and return.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "tickreel/echo/event_types.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::echo {

// From `earlier` to `later`; 0 if time went back, as in a damaged file.
[[nodiscard]] constexpr std::int32_t elapsed_ms(std::int64_t later, std::int64_t earlier) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
  if (later <= earlier) return 0;
  const std::uint64_t between = static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
  return static_cast<std::int32_t>(between < most ? between : most);
}

enum class counter : std::uint8_t {
  stuns,
  steals,
  blocks,
  saves,
  interceptions,
  passes,
  catches,
  shots,
};
inline constexpr std::size_t counters = 8;
inline constexpr std::int32_t stats::* counter_members[counters] = {
    &stats::stuns,         &stats::steals, &stats::blocks,  &stats::saves,
    &stats::interceptions, &stats::passes, &stats::catches, &stats::shots_taken};

struct known_player {
  participant who;
  echo::stats stats;
  std::array<std::uint32_t, counters> gains{};  // since the tick before
  std::uint64_t seen = 0;                       // the last tick with this player
  // When the game last counted points or an assist for this player, and when a stun of this player began that
  // no event names yet.
  std::optional<std::int64_t> scored_ms;
  std::optional<std::int64_t> assisted_ms;
  std::optional<std::int64_t> unexplained_stun_ms;
  std::int64_t ping_since_ms = 0;
  float usual_ping_ms = 0;
  float top_speed_squared = 0;  // since play began
  // The head's position if only the game had moved it; and when it was last too far from there.
  vec3 playspace;
  std::optional<std::int64_t> playspace_exceeded_ms;
  side team_before = side::none;
  bool present = false;
  bool was_present = false;
  bool has_stats = false;
  bool stunned = false;
  bool newly_stunned = false;
  bool has_ping = false;
  bool ping_is_high = false;
  bool has_playspace = false;
  bool left_tube = false;  // since play began

  [[nodiscard]] std::uint32_t gain(counter of) const noexcept { return gains[static_cast<std::size_t>(of)]; }
  [[nodiscard]] bool just_left() const noexcept { return was_present && !present; }
};

class event_roster {
 public:
  static constexpr int nobody = -1;

  // Matches all players of this tick by userid and name, or by slot if several match.
  void look(const state& now) noexcept;
  void clear() noexcept { *this = {}; }

  [[nodiscard]] std::span<known_player> all() noexcept { return {players_.data(), used_}; }
  [[nodiscard]] known_player& at(int who) noexcept { return players_[static_cast<std::size_t>(who)]; }
  // For an index into state::players of the last tick.
  [[nodiscard]] int player_at(std::size_t place) const noexcept { return by_place_[place]; }
  // event_roster::nobody if no present player has that name.
  [[nodiscard]] int named(std::string_view name) const noexcept;

  struct match_by_name {
    int who = nobody;
    bool is_ambiguous = false;  // several match
  };
  // The player of that name who did something for `team`. Of several in that team, the only one whose
  // `counted` is not before `since_ms`. A player of the other team if none with that name is in `team`.
  [[nodiscard]] match_by_name named(std::string_view name, side team,
                                    std::optional<std::int64_t> known_player::* counted,
                                    std::int64_t since_ms) const noexcept;
  [[nodiscard]] participant participant_of(int who) const noexcept {
    return who == nobody ? participant{} : players_[static_cast<std::size_t>(who)].who;
  }
  // Whether the game has counted it for any present player.
  [[nodiscard]] bool counts(counter what) const noexcept;

 private:
  [[nodiscard]] int find(const player& one) const noexcept;
  int take_place() noexcept;

  std::array<known_player, 64> players_{};  // twice the maximum of a tick: players may return
  std::size_t used_ = 0;
  std::array<int, max_players> by_place_{};
  std::size_t places_ = 0;
  std::uint64_t looks_ = 0;
};

}  // namespace tickreel::echo
