// Removes personal data from a replay.
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
  std::uint64_t names = 0;  // replaced names, including clan tags
  std::uint64_t handles = 0;
  std::uint64_t chat_lines = 0;
  std::uint64_t texts = 0;  // other removed texts: typed text, names of saved games and of hotkeys
  // Members that may contain names in a form that cannot be written, and unknown members.
  std::vector<std::string> left_out;
  // Members without a known name, which cannot be read; also omitted.
  std::size_t nameless = 0;
  // The texts that stayed, and members that stayed byte for byte: "replay.details: title". Sorted, without
  // duplicates.
  std::vector<std::string> kept;
};

// Names become "Player 1" by the player's number, those of spectators "Spectator 1"; computers keep
// theirs. Clan tags and logos become empty. In "region-S2-realm-id" the id becomes the player's number, or
// 100 and more for spectators, or 0 if neither the details nor the lobby contain it. Chat becomes "...".
//
// The rules list what stays: every unlisted text of the details, the lobby, their backups, the
// metadata and of every event becomes empty (see text_rules.cpp), also the map's own text
// where it shares four letters with a name. Unlisted members are omitted. Members that are kept
// byte for byte (tracker events, whose texts are names in the game's data, attributes, cameras,
// checksums) are omitted if they contain a name or id. Ticks, users and numbers of all events stay, except for a
// bank's signature, which is computed from a player's id. Members keep their compression and order.
//
// Fails if a member that must be changed is unreadable, because the result would not be anonymous.
result<anonymised> anonymise(byte_span file, const mpq::limits& limits = {});

}  // namespace tickreel::sc2replay
