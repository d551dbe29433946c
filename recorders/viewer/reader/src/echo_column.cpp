#include "echo_column.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tickreel/text/json.hpp"

namespace tickreel::viewer {

namespace {

using found = std::optional<tick_value>;

constexpr found elsewhere = std::nullopt;
constexpr found absent = tick_value();

found number(float value) {
  if (!std::isfinite(value)) return absent;
  // A line contains a float's shortest digits.
  const auto read = text::read_shortest(value);
  return read ? found(*read) : elsewhere;
}
found number(std::int32_t value) {
  return std::int64_t{value};
}

const std::string* name_at(std::span<const step> path, std::size_t at) {
  return at < path.size() ? std::get_if<std::string>(&path[at]) : nullptr;
}

// The rest of a path must be the index of a vector.
found axis_of(bool present, const echo::vec3& of, std::span<const step> path) {
  const auto* const axis = path.size() == 1 ? std::get_if<std::size_t>(&path[0]) : nullptr;
  if (axis == nullptr || *axis > 2) return elsewhere;
  if (!present) return absent;
  return number(*axis == 0 ? of.x : *axis == 1 ? of.y : of.z);
}

// Derived values that no tick contains: metres per second, and metres. The squares of any floats are finite doubles;
// std::hypot() has other last digits on other systems.
found length_of(const echo::vec3& of) {
  const auto square = [](double each) { return each * each; };
  const double length = std::sqrt(square(of.x) + square(of.y) + square(of.z));
  return std::isfinite(length) ? found(length) : absent;
}
found distance_to_disc(const echo::player& of, const echo::session& match) {
  const echo::pose& at = (of.head.fields & echo::pose::has_position) != 0 ? of.head : of.body;
  if ((at.fields & echo::pose::has_position) == 0 || (match.fields & echo::session::has_disc) == 0 ||
      (match.disc.at.fields & echo::pose::has_position) == 0)
    return absent;
  const echo::vec3 &a = at.position, &b = match.disc.at.position;
  return length_of({a.x - b.x, a.y - b.y, a.z - b.z});
}

found of_pose(bool present, const echo::pose& of, std::string_view place, std::span<const step> path) {
  const std::string* const name = name_at(path, 0);
  if (name == nullptr) return elsewhere;
  const auto part = [&](echo::pose::field bit, const echo::vec3& value) {
    return axis_of(present && (of.fields & bit) != 0, value, path.subspan(1));
  };
  if (*name == place) return part(echo::pose::has_position, of.position);
  if (*name == "forward") return part(echo::pose::has_forward, of.forward);
  if (*name == "left") return part(echo::pose::has_left, of.left);
  if (*name == "up") return part(echo::pose::has_up, of.up);
  return elsewhere;
}

found of_stats(bool present, const echo::stats& of, std::span<const step> path) {
  constexpr std::pair<std::string_view, std::int32_t echo::stats::*> counted[] = {
      {"points", &echo::stats::points},
      {"saves", &echo::stats::saves},
      {"goals", &echo::stats::goals},
      {"stuns", &echo::stats::stuns},
      {"passes", &echo::stats::passes},
      {"catches", &echo::stats::catches},
      {"steals", &echo::stats::steals},
      {"blocks", &echo::stats::blocks},
      {"assists", &echo::stats::assists},
      {"interceptions", &echo::stats::interceptions},
      {"shots_taken", &echo::stats::shots_taken}};
  const std::string* const name = path.size() == 1 ? name_at(path, 0) : nullptr;
  if (name == nullptr) return elsewhere;
  if (*name == "possession_time") return present ? number(of.possession_time) : absent;
  for (const auto& [key, member] : counted) {
    if (*name == key) return present ? number(of.*member) : absent;
  }
  return elsewhere;
}

found of_player(const echo::player& of, const echo::session& match, std::span<const step> path) {
  const std::string* const name = name_at(path, 0);
  if (name == nullptr) return elsewhere;
  const auto has = [&](echo::player::field bit) { return (of.fields & bit) != 0; };
  const auto rest = path.subspan(1);
  if (*name == "head") return of_pose(has(echo::player::has_head), of.head, "position", rest);
  if (*name == "body") return of_pose(has(echo::player::has_body), of.body, "position", rest);
  if (*name == "lhand") return of_pose(has(echo::player::has_lhand), of.lhand, "pos", rest);
  if (*name == "rhand") return of_pose(has(echo::player::has_rhand), of.rhand, "pos", rest);
  if (*name == "velocity") return axis_of(has(echo::player::has_velocity), of.velocity, rest);
  if (*name == speed_column && rest.empty())
    return has(echo::player::has_velocity) ? length_of(of.velocity) : absent;
  if (*name == disc_distance_column && rest.empty()) return distance_to_disc(of, match);
  if (*name == "stats") return of_stats(has(echo::player::has_stats), of.stats, rest);
  if (*name == "ping" && rest.empty()) return number(of.ping);
  if (*name == "packetlossratio" && rest.empty()) return number(of.packetlossratio);
  return elsewhere;
}

found of_teams(const echo::state& of, std::span<const step> path) {
  const auto* const number = path.empty() ? nullptr : std::get_if<std::size_t>(&path[0]);
  const std::string* const part = name_at(path, 1);
  if (number == nullptr || part == nullptr) return elsewhere;
  const echo::session& match = of.match;
  const bool there = (match.fields & echo::session::has_teams) != 0 &&
                     *number < std::min<std::size_t>(match.team_count, echo::max_teams);
  if (*part == "stats") {
    const echo::team none;
    const echo::team& team = there ? match.teams[*number] : none;
    return of_stats((team.fields & echo::team::has_stats) != 0, team.stats, path.subspan(2));
  }
  const auto* const player = path.size() > 3 ? std::get_if<std::size_t>(&path[2]) : nullptr;
  if (*part != "players" || player == nullptr) return elsewhere;
  if (!there) return of_player({}, match, path.subspan(3)) ? absent : elsewhere;
  std::size_t first = 0;
  for (std::size_t team = 0; team < *number; ++team) first += match.teams[team].player_count;
  const bool plays = *player < match.teams[*number].player_count && first + *player < echo::max_players;
  if (!plays) return of_player({}, match, path.subspan(3)) ? absent : elsewhere;
  return of_player(of.players[first + *player], match, path.subspan(3));
}

}  // namespace

std::optional<tick_value> echo_number(const echo::state& of, std::span<const step> path) {
  const std::string* const name = name_at(path, 1);
  if (name == nullptr || *name_at(path, 0) != "session") return elsewhere;
  const echo::session& match = of.match;
  const auto rest = path.subspan(2);
  if (*name == "teams") return of_teams(of, rest);
  if (*name == "disc") {
    const bool there = (match.fields & echo::session::has_disc) != 0;
    const std::string* const part = name_at(rest, 0);
    const bool moves = there && (match.fields & echo::session::has_disc_velocity) != 0;
    if (part != nullptr && *part == speed_column && rest.size() == 1)
      return moves ? length_of(match.disc.velocity) : absent;
    if (part != nullptr && *part == "velocity") {
      return axis_of(moves, match.disc.velocity, rest.subspan(1));
    }
    return of_pose(there, match.disc.at, "position", rest);
  }
  if (!rest.empty()) return elsewhere;
  if (*name == "game_clock") return number(match.game_clock);
  if (*name == "blue_points") return number(match.blue_points);
  if (*name == "orange_points") return number(match.orange_points);
  return elsewhere;
}

}  // namespace tickreel::viewer
