// A replay without the people in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/archive.hpp"

namespace tickreel::sc2replay {

struct anonymised {
  byte_vector file;
  std::uint64_t names = 0;  // places that held one, clan tags included
  std::uint64_t handles = 0;
  std::uint64_t chat_lines = 0;
  // Members that hold names in a form that nobody here can write, and that no game needs.
  std::vector<std::string> left_out;
  // Members that nobody can read, as no list says their names; left out as well.
  std::size_t nameless = 0;
};

// Names become "Player 1" after the player's number, those of spectators "Spectator 1"; computers keep
// theirs. Clan tags and logos become empty. In "region-S2-realm-id" the id becomes the player's number, or
// 100 and more for spectators. Chat becomes "...". That holds for the details, the lobby and its backups,
// chat, and game events that carry such things; anything else with a player's name in it is left out, and so
// are replay.server.battlelobby and replay.resumable.events. Everything else is kept to the byte: ticks,
// users and contents of all events, tracker events, the map's cache handles; and members stay packed and
// listed as they were.
//
// Fails when a member that has to be changed cannot be read: half an anonymous replay would be none.
result<anonymised> anonymise(byte_span file, const mpq::limits& limits = {});

}  // namespace tickreel::sc2replay
