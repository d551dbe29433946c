#include "tickreel/npc/pawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pawn_server.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::npc {

namespace {

constexpr std::array<std::string_view, 2> server_scripts = {"npcs_samp", "npcs_openmp"};

std::string start_call(const pawn_actor& actor) {
  return fmt::format("StartRecordingPlayback({}, \"{}\");",
                     drives(actor) ? "PLAYER_RECORDING_TYPE_DRIVER" : "PLAYER_RECORDING_TYPE_ONFOOT",
                     actor.name);
}

// The filterscript's message that makes an NPC play a recording, and the NPC's message at the end. Every NPC
// gets only its own messages, so a number is sufficient.
std::string play_message(std::size_t recording) {
  return fmt::format("tickreel_play {}", recording);
}
std::string mode_of(const performer& npc, const std::vector<pawn_actor>& actors,
                    const std::vector<std::size_t>& row_of) {
  const pawn_actor& first = actors[npc.recordings.front()];
  if (npc.alone) {
    std::string text = fmt::format(
        "// Plays {}.rec again and again. Compile it into npcmodes; the recording belongs in "
        "npcmodes/recordings.\n"
        "#include <a_npc>\n\n"
        "main() {{}}\n\n"
        "Play() {{\n    {}\n}}\n\n",
        first.name, start_call(first));
    text += drives(first) ? "public OnNPCEnterVehicle(vehicleid, seatid) {\n    Play();\n}\n\n"
                            "public OnNPCExitVehicle() {\n    StopRecordingPlayback();\n}\n\n"
                          : "public OnNPCSpawn() {\n    Play();\n}\n\n";
    return text + "public OnRecordingPlaybackEnd() {\n    Play();\n}\n";
  }
  std::string text = fmt::format(
      "// Plays a recording when the filterscript {}.pwn asks for it, and reports its end. Compile this "
      "into\n"
      "// npcmodes; the recordings belong in npcmodes/recordings.\n"
      "#include <a_npc>\n\n"
      "main() {{}}\n\n"
      "public OnClientMessage(color, text[]) {{\n"
      "    // strcmp() reports an empty text as equal to every other.\n"
      "    if (text[0] == 0) return;\n",
      server_scripts[0]);
  for (const std::size_t each : npc.recordings) {
    text += fmt::format("    if (!strcmp(text, \"{}\")) {}\n", play_message(row_of[each]),
                        start_call(actors[each]));
  }
  return text + fmt::format("}}\n\npublic OnRecordingPlaybackEnd() {{\n    SendCommand(\"{}\");\n}}\n",
                            ended_command);
}

}  // namespace

bool is_server_script(std::string_view name) {
  return std::find(server_scripts.begin(), server_scripts.end(), text::to_lower(name)) !=
         server_scripts.end();
}

std::vector<std::string> pawn_file_names(const std::vector<std::string>& first_recordings) {
  std::vector<std::string> names;
  for (const std::string& each : first_recordings) names.push_back(each + ".pwn");
  if (first_recordings.empty()) return names;
  for (const std::string_view each : server_scripts) names.push_back(std::string(each) + ".pwn");
  return names;
}

std::vector<pawn_file> pawn_files(const std::vector<pawn_actor>& actors) {
  if (actors.empty()) return {};
  const server_tables tables = tables_of(actors);
  std::vector<pawn_file> files;
  for (const performer& each : tables.performers)
    files.push_back({actors[each.recordings.front()].name + ".pwn", mode_of(each, actors, tables.row_of)});
  files.push_back({std::string(server_scripts[0]) + ".pwn", samp_server(tables, actors)});
  files.push_back({std::string(server_scripts[1]) + ".pwn", openmp_server(tables, actors)});
  return files;
}

}  // namespace tickreel::npc
