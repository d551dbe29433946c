// The filterscripts that make a server's NPCs play recordings, for each server.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/npc/pawn.hpp"

namespace tickreel::npc {

// One NPC: the recordings that it plays in sequence.
struct performer {
  std::vector<std::size_t> recordings;  // indexes of actors
  std::string player;                   // the player's name
  std::size_t round = 0;                // performers of one round start together
  bool alone = false;                   // one recording, alone in its round
};

// The NPCs and their recordings, in the order of the scripts' tables.
struct server_tables {
  std::vector<performer> performers;
  std::vector<std::size_t> rows;    // actors in the order of the tables: NPC by NPC
  std::vector<std::size_t> row_of;  // the inverse
};

[[nodiscard]] server_tables tables_of(const std::vector<pawn_actor>& actors);

[[nodiscard]] inline bool drives(const pawn_actor& actor) noexcept {
  return actor.kind == samp_rec::recording_kind::vehicle;
}

// The command with which an NPC of SA-MP reports the end of a recording to the filterscript.
inline constexpr std::string_view ended_command = "/tickreel_ended";

[[nodiscard]] std::string samp_server(const server_tables& tables, const std::vector<pawn_actor>& actors);
[[nodiscard]] std::string openmp_server(const server_tables& tables, const std::vector<pawn_actor>& actors);

}  // namespace tickreel::npc
