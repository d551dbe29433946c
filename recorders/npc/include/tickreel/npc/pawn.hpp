// Scripts for a server, to begin with: they connect an NPC, dress it, seat it and play a recording over and
// over.
#pragma once

#include <string>
#include <string_view>
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
// In them each NPC has a player's name of its own: that of its recording, where servers take it. No recording
// may have the name of one of the two: is_server_script().
[[nodiscard]] std::vector<pawn_file> pawn_files(const std::vector<pawn_actor>& actors);

// Names of these files, in their order, for recordings of these names.
[[nodiscard]] std::vector<std::string> pawn_file_names(const std::vector<std::string>& recordings);

// Whether a recording's own script would have the name of one that is for all, in whatever case.
[[nodiscard]] bool is_server_script(std::string_view name);

}  // namespace tickreel::npc
