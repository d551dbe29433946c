// Scripts for a server, to begin with: they connect an NPC, dress it, seat it and play a recording over and
// over.
#pragma once

#include <string>
#include <vector>

#include "tickreel/npc/vec3.hpp"
#include "tickreel/samp_rec/header.hpp"

namespace tickreel::npc {

struct pawn_actor {
  std::string name;  // of the recording: letters, digits, _ and -
  samp_rec::recording_kind kind = samp_rec::recording_kind::none;
  int skin = -1;   // -1: not said
  int model = -1;  // of a vehicle; -1: not said
  vec3 start;
  double heading_deg = 0;
};

struct pawn_file {
  std::string name;
  std::string text;
};

// For SA-MP NAME.pwn, which belongs into npcmodes, for each actor; for its server npcs_samp.pwn, and
// npcs_openmp.pwn for open.mp, which needs no npcmodes: filterscripts, one of which is for all actors.
[[nodiscard]] std::vector<pawn_file> pawn_files(const std::vector<pawn_actor>& actors);

}  // namespace tickreel::npc
