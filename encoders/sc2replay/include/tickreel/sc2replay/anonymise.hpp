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
  std::uint64_t texts = 0;  // other texts that were taken out: what people typed, saved or called their keys
  // Members that may hold names in a form that nobody here can write, or that nobody here knows.
  std::vector<std::string> left_out;
  // Members that nobody can read, as no list says their names; left out as well.
  std::size_t nameless = 0;
  // The texts that stayed, and members that stayed to the byte: "replay.details: title". In the order of the
  // alphabet, each once.
  std::vector<std::string> kept;
};

// Names become "Player 1" after the player's number, those of spectators "Spectator 1"; computers keep
// theirs. Clan tags and logos become empty. In "region-S2-realm-id" the id becomes the player's number, or
// 100 and more for spectators, or 0 for whom neither the details nor the lobby name. Chat becomes "...".
//
// What may stay is listed, not what must go: every text of the details, the lobby, their backups, the
// metadata and of every event that is not on the list becomes empty (see text_rules.cpp), the map's own words
// too where they share four letters with a name. Members that are not on the list are left out, and those
// that are kept to the byte (tracker events, whose texts are names in the game's data, attributes, cameras,
// checksums) when they hold a name or id. Ticks, users and numbers of all events stay, but for a bank's
// signature, which is made from a player's id. Members stay packed and listed as they were.
//
// Fails when a member that has to be changed cannot be read: half an anonymous replay would be none.
result<anonymised> anonymise(byte_span file, const mpq::limits& limits = {});

}  // namespace tickreel::sc2replay
