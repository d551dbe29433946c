#include "tickreel/npc/pawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tickreel::npc {

namespace {

// What a model is when the script says only what kind of thing it is.
constexpr int usual_model = 420;  // a taxi
constexpr int usual_skin = 0;

bool drives(const pawn_actor& who) noexcept {
  return who.kind == samp_rec::recording_kind::vehicle;
}

constexpr std::array<std::string_view, 2> server_scripts = {"npcs_samp", "npcs_openmp"};

std::string lower(std::string_view text) {
  std::string out;
  for (const char each : text) out += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return out;
}

// Players' names have 3 to 24 letters, digits and underscores (both servers allow some other signs, but no
// -), and nobody may have somebody else's, in whatever case.
std::vector<std::string> player_names(const std::vector<pawn_actor>& actors) {
  constexpr std::size_t shortest = 3;
  constexpr std::size_t longest = 24;
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const pawn_actor& each : actors) {
    std::string wanted = each.name.size() < shortest ? "npc_" + each.name : each.name;
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    std::string name = wanted.substr(0, longest);
    for (std::size_t number = 2; !taken.insert(lower(name)).second; ++number) {
      const std::string end = fmt::format("_{}", number);
      name = wanted.substr(0, longest - end.size()) + end;
    }
    names.push_back(std::move(name));
  }
  return names;
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

std::string samp_server(const std::vector<pawn_actor>& actors, const std::vector<std::string>& players) {
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
    text += fmt::format("    ConnectNPC(\"{}\", \"{}\");\n", players[i], actors[i].name);
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
    text += fmt::format("    if (!strcmp(name, \"{}\")) {{\n", players[i]);
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

std::string openmp_server(const std::vector<pawn_actor>& actors, const std::vector<std::string>& players) {
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
    text += fmt::format("    gNPC[{0}] = NPC_Create(\"{1}\");\n", i, players[i]);
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

bool is_server_script(std::string_view name) {
  return std::find(server_scripts.begin(), server_scripts.end(), lower(name)) != server_scripts.end();
}

std::vector<std::string> pawn_file_names(const std::vector<std::string>& recordings) {
  std::vector<std::string> names;
  for (const std::string& each : recordings) names.push_back(each + ".pwn");
  if (recordings.empty()) return names;
  for (const std::string_view each : server_scripts) names.push_back(std::string(each) + ".pwn");
  return names;
}

std::vector<pawn_file> pawn_files(const std::vector<pawn_actor>& actors) {
  std::vector<std::string> recordings;
  for (const pawn_actor& each : actors) recordings.push_back(each.name);
  const std::vector<std::string> names = pawn_file_names(recordings);
  std::vector<pawn_file> files;
  for (std::size_t i = 0; i < actors.size(); ++i) files.push_back({names[i], mode_of(actors[i])});
  if (actors.empty()) return files;
  const std::vector<std::string> players = player_names(actors);
  files.push_back({names[actors.size()], samp_server(actors, players)});
  files.push_back({names[actors.size() + 1], openmp_server(actors, players)});
  return files;
}

}  // namespace tickreel::npc
