#include "tickreel/npc/pawn.hpp"

#include <fmt/format.h>

namespace tickreel::npc {

namespace {

// What a model is when the script says only what kind of thing it is.
constexpr int usual_model = 420;  // a taxi
constexpr int usual_skin = 0;

bool drives(const pawn_actor& who) noexcept {
  return who.kind == samp_rec::recording_kind::vehicle;
}

// Players' names have at most 24 letters.
std::string player_name(const std::string& name) {
  constexpr std::size_t longest = 24;
  return name.substr(0, longest);
}

std::string mode_of(const pawn_actor& who) {
  const char* type = drives(who) ? "PLAYER_RECORDING_TYPE_DRIVER" : "PLAYER_RECORDING_TYPE_ONFOOT";
  std::string text = fmt::format(
      "// Plays {0}.rec over and over. Compile into npcmodes; the recording belongs into "
      "npcmodes/recordings.\n"
      "#include <a_npc>\n\n"
      "main() {{}}\n\n"
      "Play() StartRecordingPlayback({1}, \"{0}\");\n\n",
      who.name, type);
  text += drives(who) ? "public OnNPCEnterVehicle(vehicleid, seatid) Play();\n"
                        "public OnNPCExitVehicle() StopRecordingPlayback();\n"
                      : "public OnNPCSpawn() Play();\n";
  return text + "public OnRecordingPlaybackEnd() Play();\n";
}

std::string vehicle_line(const pawn_actor& who, std::size_t index) {
  return fmt::format("    gVehicle[{}] = CreateVehicle({}, {:.4f}, {:.4f}, {:.4f}, {:.2f}, -1, -1, -1);{}\n",
                     index, who.model >= 0 ? who.model : usual_model, who.start.x, who.start.y, who.start.z,
                     who.heading_deg, who.model >= 0 ? "" : "  // the script did not say which model");
}

std::string samp_server(const std::vector<pawn_actor>& actors) {
  std::string text = fmt::format(
      "// Connects {0} NPC{1} to a SA-MP server: a filterscript. maxnpc in server.cfg must be {0} at least, "
      "and\n"
      "// trains and cars are created here so that the NPCs can be put into them.\n"
      "#include <a_samp>\n\n"
      "new gVehicle[{0}];\n\n"
      "public OnFilterScriptInit() {{\n",
      actors.size(), actors.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (drives(actors[i])) text += vehicle_line(actors[i], i);
    text += fmt::format("    ConnectNPC(\"{}\", \"{}\");\n", player_name(actors[i].name), actors[i].name);
  }
  text += "    return 1;\n}\n\npublic OnFilterScriptExit() {\n";
  for (std::size_t i = 0; i < actors.size(); ++i)
    if (drives(actors[i])) text += fmt::format("    DestroyVehicle(gVehicle[{}]);\n", i);
  text +=
      "    return 1;\n}\n\n"
      "public OnPlayerSpawn(playerid) {\n"
      "    if (!IsPlayerNPC(playerid)) return 1;\n"
      "    new name[MAX_PLAYER_NAME + 1];\n"
      "    GetPlayerName(playerid, name, sizeof(name));\n";
  for (std::size_t i = 0; i < actors.size(); ++i) {
    text += fmt::format("    if (!strcmp(name, \"{}\")) {{\n", player_name(actors[i].name));
    text += fmt::format("        SetPlayerSkin(playerid, {});\n",
                        actors[i].skin >= 0 ? actors[i].skin : usual_skin);
    if (drives(actors[i])) {
      text += fmt::format("        PutPlayerInVehicle(playerid, gVehicle[{}], 0);\n", i);
    } else {
      text += fmt::format("        SetPlayerPos(playerid, {:.4f}, {:.4f}, {:.4f});\n", actors[i].start.x,
                          actors[i].start.y, actors[i].start.z);
    }
    text += "    }\n";
  }
  return text + "    return 1;\n}\n";
}

std::string openmp_server(const std::vector<pawn_actor>& actors) {
  std::string text = fmt::format(
      "// Makes {0} NPC{1} on an open.mp server that has the NPCs component: a filterscript. The recordings "
      "belong\n"
      "// into npcmodes/recordings.\n"
      "#include <open.mp>\n\n"
      "new gNPC[{0}] = {{INVALID_PLAYER_ID, ...}};\n"
      "new gVehicle[{0}];\n"
      "new const gRecording[{0}][] = {{",
      actors.size(), actors.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < actors.size(); ++i)
    text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", actors[i].name);
  text +=
      "};\n\n"
      "Play(index) NPC_StartPlayback(gNPC[index], gRecording[index], false, 0.0, 0.0, 0.0, 0.0, 0.0, "
      "0.0);\n\n"
      "public OnFilterScriptInit() {\n";
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const pawn_actor& who = actors[i];
    text += fmt::format("    gNPC[{0}] = NPC_Create(\"{1}\");\n", i, player_name(who.name));
    if (drives(who)) text += vehicle_line(who, i);
    text += fmt::format("    NPC_Spawn(gNPC[{}]);\n    NPC_SetSkin(gNPC[{}], {});\n", i, i,
                        who.skin >= 0 ? who.skin : usual_skin);
    if (drives(who)) {
      text += fmt::format("    NPC_PutInVehicle(gNPC[{0}], gVehicle[{0}], 0);\n", i);
    } else {
      text += fmt::format("    NPC_SetPos(gNPC[{}], {:.4f}, {:.4f}, {:.4f});\n", i, who.start.x, who.start.y,
                          who.start.z);
    }
    text += fmt::format("    Play({});\n", i);
  }
  text +=
      "    return 1;\n}\n\n"
      "public OnFilterScriptExit() {\n"
      "    for (new i = 0; i < sizeof(gNPC); i++) NPC_Destroy(gNPC[i]);\n";
  for (std::size_t i = 0; i < actors.size(); ++i)
    if (drives(actors[i])) text += fmt::format("    DestroyVehicle(gVehicle[{}]);\n", i);
  return text +
         "    return 1;\n}\n\n"
         "public OnNPCPlaybackEnd(npcid, recordid) {\n"
         "    for (new i = 0; i < sizeof(gNPC); i++) if (gNPC[i] == npcid) Play(i);\n"
         "    return 1;\n}\n";
}

}  // namespace

std::vector<pawn_file> pawn_files(const std::vector<pawn_actor>& actors) {
  std::vector<pawn_file> files;
  for (const pawn_actor& each : actors) files.push_back({each.name + ".pwn", mode_of(each)});
  if (actors.empty()) return files;
  files.push_back({"npcs_samp.pwn", samp_server(actors)});
  files.push_back({"npcs_openmp.pwn", openmp_server(actors)});
  return files;
}

}  // namespace tickreel::npc
