// Pawn scripts for a server: they connect NPCs, set their skins, put them into vehicles and play recordings
// in rounds.
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
  int skin = -1;   // -1: not said
  int model = -1;  // of a vehicle; -1: not said
  vec3 start;
  double heading_deg = 0;
  // All recordings that share the clock start a round together, when the longest of the round before has
  // ended.
  bool shares_clock = false;
  // The recording, by its index, that the same NPC plays before this one. It is an earlier one, and no two
  // continue the same one.
  std::optional<std::size_t> continues = std::nullopt;
};

struct pawn_file {
  std::string name;
  std::string text;
};

// For SA-MP one NAME.pwn for each NPC, which belongs into npcmodes, and the filterscript npcs_samp.pwn; for
// open.mp, which needs no npcmodes, the filterscript npcs_openmp.pwn. One filterscript is for all actors.
// Actors that continue one another are one NPC, named after the first. Player names are unique and valid for
// the servers. No recording may have the name of a filterscript: is_server_script().
[[nodiscard]] std::vector<pawn_file> pawn_files(const std::vector<pawn_actor>& actors);

// Names of these files, in their order, for NPCs whose first recordings have these names.
[[nodiscard]] std::vector<std::string> pawn_file_names(const std::vector<std::string>& first_recordings);

// Whether a recording's own script would have the name of one that is for all, in whatever case.
[[nodiscard]] bool is_server_script(std::string_view name);

}  // namespace tickreel::npc
