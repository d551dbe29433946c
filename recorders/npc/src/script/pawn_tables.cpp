#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "pawn_server.hpp"

#include "tickreel/text/ascii.hpp"

namespace tickreel::npc {

namespace {

// Player names have 3 to 24 letters, digits and underscores (servers allow a few other characters, but no -),
// and are unique without regard to case.
void name_players(std::vector<performer>& performers, const std::vector<pawn_actor>& actors) {
  constexpr std::size_t min_size = 3;
  constexpr std::size_t max_size = 24;
  std::set<std::string> taken;
  for (performer& each : performers) {
    const std::string& own = actors[each.recordings.front()].name;
    std::string wanted = own.size() < min_size ? "npc_" + own : own;
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    each.player = wanted.substr(0, max_size);
    for (std::size_t number = 2; !taken.insert(text::to_lower(each.player)).second; ++number) {
      const std::string end = fmt::format("_{}", number);
      each.player = wanted.substr(0, max_size - end.size()) + end;
    }
  }
}

std::vector<performer> performers_of(const std::vector<pawn_actor>& actors) {
  std::vector<performer> performers;
  std::vector<std::size_t> performer_of(actors.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (actors[i].continues && *actors[i].continues < i) {
      performer_of[i] = performer_of[*actors[i].continues];
    } else {
      performer_of[i] = performers.size();
      performers.emplace_back();
    }
    performers[performer_of[i]].recordings.push_back(i);
  }
  // All that share the clock are one round; each other recording is a separate round.
  std::size_t rounds = 0;
  std::optional<std::size_t> shared_round;
  std::vector<std::size_t> members;
  for (performer& each : performers) {
    const bool shares = actors[each.recordings.front()].shares_clock;
    if (shares && shared_round) {
      each.round = *shared_round;
    } else {
      each.round = rounds++;
      members.push_back(0);
      if (shares) shared_round = each.round;
    }
    ++members[each.round];
  }
  for (performer& each : performers) each.alone = members[each.round] == 1 && each.recordings.size() == 1;
  name_players(performers, actors);
  return performers;
}

}  // namespace

server_tables tables_of(const std::vector<pawn_actor>& actors) {
  server_tables made;
  made.performers = performers_of(actors);
  made.row_of.resize(actors.size());
  for (const performer& each : made.performers) {
    for (const std::size_t recording : each.recordings) {
      made.row_of[recording] = made.rows.size();
      made.rows.push_back(recording);
    }
  }
  return made;
}

}  // namespace tickreel::npc
