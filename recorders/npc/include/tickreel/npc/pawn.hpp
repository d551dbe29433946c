// Pawn scripts for a server: they connect NPCs, set their skins, put them into vehicles and repeat their
// recordings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/npc/vec3.hpp"
#include "tickreel/samp_rec/header.hpp"

namespace tickreel::npc {

struct pawn_actor {
  std::string name;  // of the recording: letters, digits, _ and -
  samp_rec::recording_kind kind = samp_rec::recording_kind::none;
  int skin = -1;   // -1: not set
  int model = -1;  // of a vehicle; -1: not set
  vec3 start;
  double heading_deg = 0;
  // All recordings that share the clock start a round together, after the end of the previous round's longest
  // one.
  bool shares_clock = false;
  // The recording, by index, that the same NPC plays before this one. It is an earlier one, and at most one
  // recording continues it.
  std::optional<std::size_t> continues = std::nullopt;
};

struct pawn_file {
  std::string name;
  std::string text;
};

// For SA-MP one NAME.pwn for each NPC, for the folder npcmodes, and the filterscript npcs_samp.pwn; for
// open.mp, which needs no npcmodes, the filterscript npcs_openmp.pwn. One filterscript serves all actors.
// Actors that continue one another are one NPC, named after the first. Player names are unique and valid for
// the servers. A recording must not have the name of a filterscript: is_server_script().
[[nodiscard]] std::vector<pawn_file> pawn_files(const std::vector<pawn_actor>& actors);

// Names of these files, in order, for NPCs whose first recordings have these names.
[[nodiscard]] std::vector<std::string> pawn_file_names(const std::vector<std::string>& first_recordings);

// Whether a recording's script would have the name of a common script, ignoring case.
[[nodiscard]] bool is_server_script(std::string_view name);

}  // namespace tickreel::npc
