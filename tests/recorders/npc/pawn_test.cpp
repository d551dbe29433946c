// The output of --pawn, checked with rules of the compiler and of the servers' includes.
#include "tickreel/npc/pawn.hpp"
#include "file_bytes.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "tickreel/npc/script.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(pawn_test)

namespace {

using namespace tickreel;
using namespace tickreel::npc;

constexpr auto on_foot = samp_rec::recording_kind::on_foot;
constexpr auto vehicle = samp_rec::recording_kind::vehicle;

// Text without comments and string contents.
std::string code_of(const std::string& text) {
  std::string code;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!quoted && text.compare(i, 2, "//") == 0) i = text.find('\n', i);
    if (text[i] == '"') quoted = !quoted;
    if (!quoted || text[i] == '"') code += text[i];
  }
  BOOST_CHECK(!quoted);
  return code;
}

// Arguments of a call whose ( is at `at`, in the outermost parentheses.
std::size_t arguments_at(const std::string& code, std::size_t at) {
  std::size_t depth = 0;
  std::size_t commas = 0;
  bool empty = true;
  for (; at < code.size(); ++at) {
    const char each = code[at];
    if (each == '(' || each == '[' || each == '{') ++depth;
    if (each == ')' || each == ']' || each == '}') --depth;
    if (depth == 0) break;
    if (depth == 1 && each == ',') ++commas;
    if (!(depth == 1 && each == '(') && std::isspace(static_cast<unsigned char>(each)) == 0) empty = false;
  }
  return empty ? 0 : commas + 1;
}

bool in_name(char each) {
  return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_';
}

// Natives and callbacks of the includes, with the number of their parameters; optional ones are left out.
using signatures = std::map<std::string, std::size_t, std::less<>>;

const signatures mode_names = {{"StartRecordingPlayback", 2},
                               {"StopRecordingPlayback", 0},
                               {"SendCommand", 1},
                               {"strcmp", 2},
                               {"OnNPCSpawn", 0},
                               {"OnNPCEnterVehicle", 2},
                               {"OnNPCExitVehicle", 0},
                               {"OnClientMessage", 2},
                               {"OnRecordingPlaybackEnd", 0},
                               {"main", 0}};
const signatures vehicle_names = {{"CreateVehicle", 8},      {"AddStaticVehicleEx", 8},
                                  {"DestroyVehicle", 1},     {"SetVehicleToRespawn", 1},
                                  {"OnFilterScriptInit", 0}, {"OnFilterScriptExit", 0}};
const signatures samp_names = {{"ConnectNPC", 2},
                               {"GetPlayerVehicleID", 1},
                               {"PutPlayerInVehicle", 3},
                               {"IsPlayerInAnyVehicle", 1},
                               {"RemovePlayerFromVehicle", 1},
                               {"SetPlayerPos", 4},
                               {"SetPlayerSkin", 2},
                               {"SendClientMessage", 3},
                               {"IsPlayerNPC", 1},
                               {"GetPlayerName", 3},
                               {"strcmp", 2},
                               {"format", 4},
                               {"OnPlayerSpawn", 1},
                               {"OnPlayerDisconnect", 2},
                               {"OnPlayerCommandText", 2}};
const signatures openmp_names = {{"NPC_IsValid", 1},
                                 {"NPC_Create", 1},
                                 {"NPC_Destroy", 1},
                                 {"NPC_Spawn", 1},
                                 {"NPC_Respawn", 1},
                                 {"NPC_SetSkin", 2},
                                 {"NPC_SetPos", 4},
                                 {"NPC_SetInvulnerable", 2},
                                 {"NPC_GetVehicle", 1},
                                 {"NPC_PutInVehicle", 3},
                                 {"NPC_RemoveFromVehicle", 1},
                                 {"NPC_StartPlayback", 9},
                                 {"IsVehicleDead", 1},
                                 {"OnNPCPlaybackEnd", 2},
                                 {"OnNPCDeath", 3}};

void check_calls(const std::string& code, std::initializer_list<const signatures*> known) {
  const std::set<std::string, std::less<>> words = {"if", "for", "while", "sizeof"};
  signatures own;
  const auto visit = [&](const auto& use) {
    for (std::size_t at = code.find('('); at != std::string::npos; at = code.find('(', at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && in_name(code[begin - 1])) --begin;
      const std::string name = code.substr(begin, at - begin);
      if (!name.empty() && !words.contains(name)) use(name, begin, arguments_at(code, at));
    }
  };
  visit([&](const std::string& name, std::size_t begin, std::size_t count) {
    if (begin == 0 || code[begin - 1] == '\n') own[name] = count;  // a definition
  });
  visit([&](const std::string& name, std::size_t, std::size_t count) {
    if (name == "printf") return;
    const auto defined = own.find(name);
    bool found = defined != own.end() && defined->second == count;
    for (const signatures* each : known) {
      const auto native = each->find(name);
      found = found || (native != each->end() && native->second == count);
    }
    BOOST_CHECK_MESSAGE(found, name << " with " << count << " arguments");
  });
}

// Each table has the declared number of rows, and none repeats its last value with an ellipsis: the compiler rejects one after a
// single value that fills the array.
void check_tables(const std::string& text, const std::string& code) {
  BOOST_CHECK_EQUAL(code.find("..."), std::string::npos);
  std::map<std::string, std::size_t> sizes;
  for (const char* each : {"NPCS", "RECORDINGS"}) {
    const std::size_t at = text.find(std::string("#define ") + each + " ");
    if (at != std::string::npos)
      sizes[each] = std::stoul(text.substr(at + 9 + std::string_view(each).size()));
  }
  if (sizes.empty()) return;
  sizes["NPCS + 1"] = sizes["NPCS"] + 1;
  std::size_t tables = 0;
  for (std::size_t at = text.find("new const "); at != std::string::npos;
       at = text.find("new const ", at + 1)) {
    const std::size_t open = text.find('[', at);
    const std::string size = text.substr(open + 1, text.find(']', open) - open - 1);
    const std::size_t begin = text.find("{\n", open) + 2;
    const std::string rows = text.substr(begin, text.find("};", begin) - begin);
    BOOST_REQUIRE_MESSAGE(sizes.contains(size), size);
    const auto lines = static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n'));
    BOOST_CHECK_EQUAL(lines, sizes[size]);
    std::size_t commas = 0;
    for (std::size_t end = rows.find(",\n"); end != std::string::npos; end = rows.find(",\n", end + 1))
      ++commas;
    BOOST_CHECK_EQUAL(commas + 1, lines);
    ++tables;
  }
  BOOST_CHECK_GE(tables, 6u);
}

void check_file(const pawn_file& file) {
  BOOST_TEST_CONTEXT(file.name) {
    const std::string code = code_of(file.text);
    constexpr std::size_t max_line = 4095;  // of the compiler; longer names are truncated
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);) BOOST_CHECK_LE(line.size(), max_line);
    for (const std::string_view pair : {"()", "[]", "{}"})
      BOOST_CHECK_EQUAL(std::count(code.begin(), code.end(), pair[0]),
                        std::count(code.begin(), code.end(), pair[1]));
    check_tables(file.text, code);
    if (file.name == "npcs_samp.pwn") {
      check_calls(code, {&samp_names, &vehicle_names});
    } else if (file.name == "npcs_openmp.pwn") {
      check_calls(code, {&openmp_names, &vehicle_names});
    } else {
      check_calls(code, {&mode_names});
    }
    // Neither server creates trains and trams with CreateVehicle().
    for (const char* model : {"449", "537", "538"})
      BOOST_CHECK_EQUAL(code.find(std::string("CreateVehicle(") + model), std::string::npos);
  }
}

bool has(const pawn_file& file, std::string_view text) {
  return file.text.find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(generated_files_follow_the_compilers_rules) {
  std::vector<pawn_actor> many;
  for (std::size_t i = 0; i < 1000; ++i)
    many.push_back({std::string(55, 'x') + std::to_string(i),
                    i % 2 == 0 ? on_foot : vehicle,
                    -1,
                    -1,
                    {-3000.125, 2, 3},
                    90,
                    i < 900});
  const std::vector<std::vector<pawn_actor>> productions = {
      {{"guard", on_foot, 71, -1, {1, 2, 3}, 90, true}},
      {{"taxi", vehicle, -1, 420, {1, 2, 3}, 90, true}},
      {{"freight", vehicle, -1, 537, {1, 2, 3}, 90, true}},
      {{"streak", vehicle, -1, 538, {1, 2, 3}, 90, true}},
      {{"tram", vehicle, -1, 449, {1, 2, 3}, 90, true}},
      {{"lead", vehicle, -1, 596, {1, 2, 3}, 90, true}, {"rear", vehicle, -1, -1, {1, 2, 3}, 90, true}},
      {{"driver", on_foot, 5, -1, {1, 2, 3}, 0, true},
       {"car", vehicle, -1, -1, {1, 2, 3}, 0, true, 0},
       {"out", on_foot, -1, -1, {1, 2, 3}, 0, true, 1},
       {"saved", on_foot, -1, -1, {1, 2, 3}, 0}},
      many,
  };
  for (const auto& each : productions)
    for (const pawn_file& file : pawn_files(each)) check_file(file);
  BOOST_CHECK(pawn_files({}).empty());
}

// The files of all examples compiled without a warning with pawncc 3.10.10, the includes of SA-MP 0.3.7 and those
// of open.mp.
BOOST_AUTO_TEST_CASE(files_of_the_examples_keep_the_compiler_s_rules) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TICKREEL_NPC_EXAMPLES)) {
    if (entry.path().extension() != ".lua") continue;
    const auto made = run_script(test::read_text(entry.path()), entry.path().string());
    BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error()));
    std::vector<pawn_actor> actors;
    for (const auto& each : made->actors) {
      const auto& options = each.part->options();
      actors.push_back({options.name, options.kind == body::on_foot ? on_foot : vehicle, each.skin,
                        each.model, each.part->start_position().value_or(vec3{}),
                        each.part->start_heading_deg(), true, options.continues});
    }
    for (const pawn_file& file : pawn_files(actors)) {
      check_file(file);
      ++files;
    }
  }
  BOOST_CHECK_GE(files, 15u);  // two filterscripts and an npcmode of each
}

BOOST_AUTO_TEST_CASE(trains_are_static_vehicles) {
  const auto files = pawn_files({{"train", vehicle, -1, 538, {1, 2, 3}, 90, true}});
  for (std::size_t i = 1; i < 3; ++i)
    BOOST_CHECK(
        has(files[i], "gVehicle[0] = AddStaticVehicleEx(538, 1.0000, 2.0000, 3.0000, 90.0000, -1, -1, -1);"));
}

BOOST_AUTO_TEST_CASE(a_single_recording_repeats_by_itself) {
  const auto files =
      pawn_files({{"guard", on_foot, 71, -1, {1, 2, 3}, 90}, {"taxi", vehicle, -1, 420, {4, 5, 6}, 0}});
  BOOST_REQUIRE_EQUAL(files.size(), 4u);
  BOOST_CHECK_EQUAL(files[0].name, "guard.pwn");
  BOOST_CHECK(has(files[0], "StartRecordingPlayback(PLAYER_RECORDING_TYPE_ONFOOT, \"guard\")"));
  BOOST_CHECK(has(files[0], "public OnRecordingPlaybackEnd() {\n    Play();\n}"));
  BOOST_CHECK(has(files[1], "StartRecordingPlayback(PLAYER_RECORDING_TYPE_DRIVER, \"taxi\")"));
  BOOST_CHECK(has(files[1], "public OnNPCEnterVehicle(vehicleid, seatid) {\n    Play();\n}"));
  for (std::size_t i = 2; i < 4; ++i) {
    BOOST_CHECK(
        has(files[i], "gVehicle[1] = CreateVehicle(420, 4.0000, 5.0000, 6.0000, 0.0000, -1, -1, -1);"));
    BOOST_CHECK(has(files[i], "new const gSkin[NPCS] = {\n    71,\n    0\n};"));
    BOOST_CHECK(has(files[i], "new const gRound[NPCS] = {\n    0,\n    1\n};"));
  }
}

// A round ends with the longest recording, and all start the next one together.
BOOST_AUTO_TEST_CASE(actors_of_one_clock_share_a_round) {
  const auto files = pawn_files(
      {{"lead", vehicle, -1, 596, {1, 2, 3}, 90, true}, {"rear", vehicle, -1, 596, {1, 9, 3}, 90, true}});
  BOOST_REQUIRE_EQUAL(files.size(), 4u);
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_CHECK(has(files[i], "public OnRecordingPlaybackEnd() {\n    SendCommand(\"/tickreel_ended\");\n}"));
    BOOST_CHECK(has(files[i], "tickreel_play " + std::to_string(i)));
  }
  for (std::size_t i = 2; i < 4; ++i)
    BOOST_CHECK(has(files[i], "new const gRound[NPCS] = {\n    0,\n    0\n};"));
  BOOST_CHECK(has(files[2], "!strcmp(cmdtext, \"/tickreel_ended\")") ||
              has(files[2], "strcmp(cmdtext, \"/tickreel_ended\")"));
  BOOST_CHECK(has(files[3], "max_bots") && has(files[3], "NPC_Respawn") &&
              has(files[3], "NPC_SetInvulnerable"));
}

BOOST_AUTO_TEST_CASE(actors_that_continue_one_another_are_one_npc) {
  // The tables keep the recordings of one NPC together, whatever is between them in the script.
  const auto files = pawn_files({{"driver", on_foot, 5, -1, {1, 2, 3}, 0, true},
                                 {"guard", on_foot, -1, -1, {1, 2, 3}, 0, true},
                                 {"car", vehicle, -1, 411, {7, 8, 9}, 0, true, 0},
                                 {"out", on_foot, -1, -1, {1, 2, 3}, 0, true, 2}});
  BOOST_REQUIRE_EQUAL(files.size(), 4u);
  BOOST_CHECK_EQUAL(files[0].name, "driver.pwn");
  BOOST_CHECK_EQUAL(files[1].name, "guard.pwn");
  BOOST_CHECK(
      has(files[0], "\"tickreel_play 1\")) StartRecordingPlayback(PLAYER_RECORDING_TYPE_DRIVER, \"car\")"));
  for (std::size_t i = 2; i < 4; ++i) {
    BOOST_CHECK(has(files[i], "new const gFirst[NPCS + 1] = {\n    0,\n    3,\n    4\n};"));
    BOOST_CHECK(has(files[i], "gVehicle[1] = CreateVehicle(411, "));
  }
  BOOST_CHECK(has(files[3], "\"driver\",\n    \"car\",\n    \"out\",\n    \"guard\"\n"));
}

BOOST_AUTO_TEST_CASE(each_npc_has_its_own_valid_player_name) {
  const std::string start(30, 'a');
  std::vector<pawn_actor> actors;
  for (const std::string& name : {start + "1", start + "2", std::string("A") + start, std::string("b"),
                                  std::string("to-and-fro"), std::string("to_and_fro"), std::string("npc_b")})
    actors.push_back({name, on_foot, -1, -1, {}, 0});
  std::string names = "new const gPlayerName[NPCS][] = {\n";
  const std::vector<std::string> players = {std::string(24, 'a'),
                                            std::string(22, 'a') + "_2",
                                            "A" + std::string(21, 'a') + "_3",
                                            "npc_b",
                                            "to_and_fro",
                                            "to_and_fro_2",
                                            "npc_b_2"};
  for (const std::string& each : players)
    names += "    \"" + each + (each == players.back() ? "\"\n};" : "\",\n");
  const auto files = pawn_files(actors);
  BOOST_REQUIRE_EQUAL(files.size(), actors.size() + 2);
  for (std::size_t i = 0; i < actors.size(); ++i) BOOST_CHECK_EQUAL(files[i].name, actors[i].name + ".pwn");
  BOOST_TEST(has(files[actors.size()], names), files[actors.size()].text);
  BOOST_TEST(has(files[actors.size() + 1], names), files[actors.size() + 1].text);
  BOOST_CHECK(is_server_script("npcs_samp") && is_server_script("NPCs_openmp") && !is_server_script("npcs"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
