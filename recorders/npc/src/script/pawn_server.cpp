#include "pawn_server.hpp"

#include <fmt/format.h>

#include <iterator>

#include "tickreel/counted.hpp"

namespace tickreel::npc {

namespace {

// Defaults if the script names no model and no skin.
constexpr int default_model = 420;  // a taxi
constexpr int default_skin = 0;

// CreateVehicle() creates no trains and no trams on either server.
std::string vehicle_line(const pawn_actor& actor, std::size_t row) {
  const int model = actor.model >= 0 ? actor.model : default_model;
  const bool is_static = model == 449 || model == 537 || model == 538;
  return fmt::format("    gVehicle[{}] = {}({}, {:.4f}, {:.4f}, {:.4f}, {:.4f}, -1, -1, -1);{}\n", row,
                     is_static ? "AddStaticVehicleEx" : "CreateVehicle", model, actor.start.x, actor.start.y,
                     actor.start.z, actor.heading_deg,
                     actor.model >= 0 ? "" : "  // the path script names no model");
}

// One row per line: the compiler limits lines to 4095 characters.
template <class Rows, class Text>
std::string table(std::string_view declaration, const Rows& rows, const Text& text_of) {
  std::string out = fmt::format("new const {} = {{\n", declaration);
  for (auto it = rows.begin(); it != rows.end(); ++it)
    out += fmt::format("    {}{}\n", text_of(*it), std::next(it) == rows.end() ? "" : ",");
  return out + "};\n";
}

int skin_of(const performer& npc, const std::vector<pawn_actor>& actors) {
  for (const std::size_t each : npc.recordings)
    if (actors[each].skin >= 0) return actors[each].skin;
  return default_skin;
}

std::string table_text(const server_tables& tables, const std::vector<pawn_actor>& actors) {
  std::string text =
      fmt::format("#define NPCS {}\n#define RECORDINGS {}\n\n", tables.performers.size(), tables.rows.size());
  text += table("gPlayerName[NPCS][]", tables.performers,
                [](const performer& each) { return fmt::format("\"{}\"", each.player); });
  text += table("gSkin[NPCS]", tables.performers,
                [&](const performer& each) { return fmt::format("{}", skin_of(each, actors)); });
  text += "// NPCs of one round start together, after the last of them has ended.\n";
  text += table("gRound[NPCS]", tables.performers,
                [](const performer& each) { return fmt::format("{}", each.round); });
  text += "// The first recording of each NPC; it plays all up to the first of the next NPC.\n";
  std::vector<std::size_t> firsts;
  for (const performer& each : tables.performers) firsts.push_back(tables.row_of[each.recordings.front()]);
  firsts.push_back(tables.rows.size());
  text += table("gFirst[NPCS + 1]", firsts, [](std::size_t each) { return fmt::format("{}", each); });
  return text;
}

std::string start_table(const server_tables& tables, const std::vector<pawn_actor>& actors) {
  return table("Float:gStart[RECORDINGS][3]", tables.rows, [&](std::size_t each) {
    const vec3& at = actors[each].start;
    return fmt::format("{{{:.4f}, {:.4f}, {:.4f}}}", at.x, at.y, at.z);
  });
}

constexpr std::string_view round_functions =
    "// Cars of NPCs that get in and out return to their start, as their drivers do.\n"
    "StartRound(round) {\n"
    "    for (new npc = 0; npc < NPCS; npc++) {\n"
    "        if (gRound[npc] != round || gFirst[npc + 1] - gFirst[npc] == 1) continue;\n"
    "        for (new i = gFirst[npc]; i < gFirst[npc + 1]; i++) {\n"
    "            if (gVehicle[i] != 0) SetVehicleToRespawn(gVehicle[i]);\n"
    "        }\n"
    "    }\n"
    "    for (new npc = 0; npc < NPCS; npc++) {\n"
    "        if (gRound[npc] == round) Play(npc, gFirst[npc]);\n"
    "    }\n"
    "}\n\n"
    "EndRecording(npc) {\n"
    "    if (gPlaying[npc] == -1) return;\n"
    "    if (gPlaying[npc] + 1 < gFirst[npc + 1]) {\n"
    "        Play(npc, gPlaying[npc] + 1);\n"
    "        return;\n"
    "    }\n"
    "    gPlaying[npc] = -1;\n"
    "    for (new i = 0; i < NPCS; i++) {\n"
    "        if (gRound[i] == gRound[npc] && gPlaying[i] != -1) return;\n"
    "    }\n"
    "    StartRound(gRound[npc]);\n"
    "}\n\n";

std::string vehicle_lines(const server_tables& tables, const std::vector<pawn_actor>& actors) {
  std::string text;
  for (std::size_t row = 0; row < tables.rows.size(); ++row)
    if (drives(actors[tables.rows[row]])) text += vehicle_line(actors[tables.rows[row]], row);
  return text;
}

constexpr std::string_view destroy_vehicles =
    "    for (new i = 0; i < RECORDINGS; i++) {\n"
    "        if (gVehicle[i] != 0) DestroyVehicle(gVehicle[i]);\n"
    "    }\n";

constexpr std::string_view samp_play =
    "\nnew gPlayer[NPCS];\n"
    "new gPlaying[NPCS];  // the recording under way, or -1\n"
    "new gVehicle[RECORDINGS];  // 0: on foot\n\n"
    "NPCOf(playerid) {\n"
    "    for (new npc = 0; npc < NPCS; npc++) {\n"
    "        if (gPlayer[npc] == playerid) return npc;\n"
    "    }\n"
    "    return -1;\n"
    "}\n\n"
    "Play(npc, recording) {\n"
    "    new playerid = gPlayer[npc], message[32];\n"
    "    if (playerid == INVALID_PLAYER_ID) return;\n"
    "    gPlaying[npc] = recording;\n"
    "    if (gVehicle[recording] != 0) {\n"
    "        if (GetPlayerVehicleID(playerid) != gVehicle[recording]) {\n"
    "            PutPlayerInVehicle(playerid, gVehicle[recording], 0);\n"
    "        }\n"
    "    } else {\n"
    "        if (IsPlayerInAnyVehicle(playerid)) RemovePlayerFromVehicle(playerid);\n"
    "        SetPlayerPos(playerid, gStart[recording][0], gStart[recording][1], gStart[recording][2]);\n"
    "    }\n"
    "    format(message, sizeof(message), \"tickreel_play %d\", recording);\n"
    "    SendClientMessage(playerid, -1, message);\n"
    "}\n\n";

// One argument: the command with which an NPC reports the end of a recording.
constexpr const char* samp_callbacks =
    "    return 1;\n}}\n\n"
    "public OnPlayerSpawn(playerid) {{\n"
    "    if (!IsPlayerNPC(playerid)) return 1;\n"
    "    new name[MAX_PLAYER_NAME + 1], npc = 0;\n"
    "    GetPlayerName(playerid, name, sizeof(name));\n"
    "    while (npc < NPCS && strcmp(name, gPlayerName[npc])) npc++;\n"
    "    if (npc == NPCS) return 1;\n"
    "    gPlayer[npc] = playerid;\n"
    "    SetPlayerSkin(playerid, gSkin[npc]);\n"
    "    // An NPC that spawns again starts its recording again, and waits for the others at its "
    "end.\n"
    "    if (gPlaying[npc] != -1) {{\n"
    "        Play(npc, gPlaying[npc]);\n"
    "        return 1;\n"
    "    }}\n"
    "    for (new i = 0; i < NPCS; i++) {{\n"
    "        if (gRound[i] != gRound[npc]) continue;\n"
    "        if (gPlayer[i] == INVALID_PLAYER_ID || gPlaying[i] != -1) return 1;\n"
    "    }}\n"
    "    StartRound(gRound[npc]);\n"
    "    return 1;\n"
    "}}\n\n"
    "public OnPlayerDisconnect(playerid, reason) {{\n"
    "    new npc = NPCOf(playerid);\n"
    "    if (npc == -1) return 1;\n"
    "    gPlayer[npc] = INVALID_PLAYER_ID;\n"
    "    if (gPlaying[npc] != -1) {{\n"
    "        gPlaying[npc] = gFirst[npc + 1] - 1;\n"
    "        EndRecording(npc);\n"
    "    }}\n"
    "    return 1;\n"
    "}}\n\n"
    "public OnPlayerCommandText(playerid, cmdtext[]) {{\n"
    "    if (!IsPlayerNPC(playerid) || strcmp(cmdtext, \"{}\")) return 0;\n"
    "    new npc = NPCOf(playerid);\n"
    "    if (npc != -1) EndRecording(npc);\n"
    "    return 1;\n"
    "}}\n";

}  // namespace

std::string samp_server(const server_tables& tables, const std::vector<pawn_actor>& actors) {
  const std::size_t count = tables.performers.size();
  std::string text = fmt::format(
      "// Connects {1} to a SA-MP server: a filterscript. maxnpc in server.cfg must be at least {0}.\n"
      "// Load it with the server (filterscripts in server.cfg): trains can only be created then.\n"
      "#include <a_samp>\n\n",
      count, counted(count, "NPC"));
  text += table_text(tables, actors);
  text += start_table(tables, actors);
  text += table("gScript[NPCS][]", tables.performers, [&](const performer& each) {
    return fmt::format("\"{}\"", actors[each.recordings.front()].name);
  });
  text += samp_play;
  text += round_functions;
  text +=
      "public OnFilterScriptInit() {\n"
      "    for (new npc = 0; npc < NPCS; npc++) {\n"
      "        gPlayer[npc] = INVALID_PLAYER_ID;\n"
      "        gPlaying[npc] = -1;\n"
      "    }\n";
  text += vehicle_lines(tables, actors);
  text +=
      "    for (new npc = 0; npc < NPCS; npc++) ConnectNPC(gPlayerName[npc], gScript[npc]);\n"
      "    return 1;\n}\n\n"
      "public OnFilterScriptExit() {\n";
  text += destroy_vehicles;
  return text + fmt::format(fmt::runtime(samp_callbacks), ended_command);
}

namespace {

constexpr std::string_view openmp_play =
    "\nnew gNPC[NPCS];\n"
    "new gPlaying[NPCS];  // the recording under way, or -1\n"
    "new gVehicle[RECORDINGS];  // 0: on foot\n\n"
    "Play(npc, recording) {\n"
    "    gPlaying[npc] = -1;\n"
    "    if (!NPC_IsValid(gNPC[npc])) return;\n"
    "    if (gVehicle[recording] != 0) {\n"
    "        if (IsVehicleDead(gVehicle[recording])) SetVehicleToRespawn(gVehicle[recording]);\n"
    "        if (NPC_GetVehicle(gNPC[npc]) != gVehicle[recording]) {\n"
    "            NPC_PutInVehicle(gNPC[npc], gVehicle[recording], 0);\n"
    "        }\n"
    "    } else {\n"
    "        if (NPC_GetVehicle(gNPC[npc]) != INVALID_VEHICLE_ID) NPC_RemoveFromVehicle(gNPC[npc]);\n"
    "        NPC_SetPos(gNPC[npc], gStart[recording][0], gStart[recording][1], gStart[recording][2]);\n"
    "    }\n"
    "    if (NPC_StartPlayback(gNPC[npc], gRecording[recording], false, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)) {\n"
    "        gPlaying[npc] = recording;\n"
    "    } else {\n"
    "        printf(\"npcmodes/recordings/%s.rec cannot be played\", gRecording[recording]);\n"
    "    }\n"
    "}\n\n";

}  // namespace

std::string openmp_server(const server_tables& tables, const std::vector<pawn_actor>& actors) {
  const std::size_t count = tables.performers.size();
  std::string text = fmt::format(
      "// Creates {1} on an open.mp server that has the NPCs component: a filterscript. The "
      "recordings\n"
      "// belong in npcmodes/recordings. max_bots in config.json must be at least {0}; it is 0 by "
      "default.\n"
      "// Load it with the server (side_scripts in config.json): trains can only be created then.\n"
      "// NPCs cannot be hurt here: remove NPC_SetInvulnerable() for NPCs that can. NPCs that die all the "
      "same,\n"
      "// with their vehicle for example, are respawned by OnNPCDeath() and are still invulnerable then.\n"
      "#include <open.mp>\n\n",
      count, counted(count, "NPC"));
  text += table_text(tables, actors);
  text += start_table(tables, actors);
  text += table("gRecording[RECORDINGS][]", tables.rows,
                [&](std::size_t each) { return fmt::format("\"{}\"", actors[each].name); });
  text += openmp_play;
  text += round_functions;
  text +=
      "public OnFilterScriptInit() {\n"
      "    new rounds = 0;\n";
  text += vehicle_lines(tables, actors);
  text +=
      "    for (new npc = 0; npc < NPCS; npc++) {\n"
      "        gPlaying[npc] = -1;\n"
      "        gNPC[npc] = NPC_Create(gPlayerName[npc]);\n"
      "        if (gRound[npc] >= rounds) rounds = gRound[npc] + 1;\n"
      "        if (!NPC_IsValid(gNPC[npc])) {\n"
      "            printf(\"%s cannot be created: is max_bots at least %d?\", gPlayerName[npc], NPCS);\n"
      "            continue;\n"
      "        }\n"
      "        NPC_Spawn(gNPC[npc]);\n"
      "        NPC_SetSkin(gNPC[npc], gSkin[npc]);\n"
      "        NPC_SetInvulnerable(gNPC[npc], true);\n"
      "    }\n"
      "    for (new round = 0; round < rounds; round++) StartRound(round);\n"
      "    return 1;\n}\n\n"
      "public OnFilterScriptExit() {\n"
      "    for (new npc = 0; npc < NPCS; npc++) {\n"
      "        if (NPC_IsValid(gNPC[npc])) NPC_Destroy(gNPC[npc]);\n"
      "    }\n";
  text += destroy_vehicles;
  return text +
         "    return 1;\n}\n\n"
         "public OnNPCPlaybackEnd(npcid, recordid) {\n"
         "    for (new npc = 0; npc < NPCS; npc++) {\n"
         "        if (gNPC[npc] == npcid) EndRecording(npc);\n"
         "    }\n"
         "    return 1;\n}\n\n"
         "public OnNPCDeath(npcid, killerid, WEAPON:reason) {\n"
         "    for (new npc = 0; npc < NPCS; npc++) {\n"
         "        if (gNPC[npc] == npcid) NPC_Respawn(npcid);\n"
         "    }\n"
         "    return 1;\n}\n";
}

}  // namespace tickreel::npc
