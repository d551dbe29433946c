// tickreel npc build: its messages, output and rejections, and what scripts cannot do through it.
#include <cmath>

#include "npc_folder.hpp"

BOOST_AUTO_TEST_SUITE(cli_npc_tests)
BOOST_AUTO_TEST_SUITE(npc_build_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

}  // namespace

BOOST_FIXTURE_TEST_CASE(build_lists_its_output, npc_folder) {
  const std::string script = file("guard.lua", guard_script);
  const outcome said = run({"npc", "build", script, "-o", recordings});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.err == "");
  BOOST_TEST(said.out.starts_with(std::string("laps\t1\n") + rec("guard") + ": 50.0 m in 0:"), said.out);
  BOOST_TEST(said.out.find(", at most 1.6 m/s (6 km/h), ") != std::string::npos, said.out);
  BOOST_TEST(said.out.find(std::string("\n") + rec("car") + ": ") != std::string::npos, said.out);
  BOOST_TEST(lines_in(said.out) == 3u);
  BOOST_TEST(std::filesystem::file_size(rec("guard")) % 72 == 8u);
  BOOST_TEST(std::filesystem::file_size(rec("car")) % 67 == 8u);

  const std::string still = file("still.lua", "actor{ name='still', on_foot=true, at={0,0,3} }");
  BOOST_TEST(run({"npc", "build", still, "-o", recordings}).out ==
             rec("still") + ": 0.0 m in 0:00.0, at most 0.0 m/s (0 km/h), 1 block, 80 bytes\n");
}

BOOST_FIXTURE_TEST_CASE(build_names_the_folder_that_it_cannot_create, npc_folder) {
  const std::string out = file("taken", "a file") + "/recordings";
  const outcome said = run({"npc", "build", file("guard.lua", guard_script), "-o", out});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.err.starts_with("tickreel: " + out + ": "), said.err);
}

BOOST_FIXTURE_TEST_CASE(build_in_json_is_one_document, npc_folder) {
  const outcome said =
      run({"npc", "build", file("guard.lua", guard_script), "-o", recordings, "--set", "laps=3", "--json"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(lines_in(said.out) == 1u);
  dom::parser parser;
  const dom::object document = parse(parser, said.out);
  BOOST_TEST(std::string_view(document["printed"]) == "laps\t3\n");
  const dom::array files = document["files"];
  BOOST_REQUIRE(files.size() == 2u);
  const dom::element guard = files.at(0);
  BOOST_TEST(std::string_view(guard["file"]) == rec("guard"));
  BOOST_TEST(std::string_view(guard["kind"]) == "on_foot");
  BOOST_TEST(std::int64_t(guard["skin"]) == 71);
  BOOST_TEST(std::uint64_t(guard["bytes"]) == std::filesystem::file_size(rec("guard")));
  BOOST_TEST(std::uint64_t(guard["bytes"]) == 8 + 72 * std::uint64_t(guard["blocks"]));
  BOOST_TEST(std::abs(double(guard["length_m"]) - 150) < 0.1);
  BOOST_TEST(double(guard["top_speed_mps"]) < 1.6);
  const dom::element car = files.at(1);
  BOOST_TEST(std::string_view(car["kind"]) == "vehicle");
  BOOST_TEST(std::int64_t(car["model"]) == 560);
  BOOST_TEST(std::uint64_t(car["duration_ms"]) == vehicle_blocks(rec("car")).back().time_ms);
}

BOOST_FIXTURE_TEST_CASE(build_reports_the_playback_check, npc_folder) {
  const std::string script = file("guard.lua", guard_script);
  const outcome said = run({"npc", "build", script, "-o", recordings, "--playback"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(lines_in(said.out) == 1 + 2 * 2u);
  BOOST_TEST(said.out.find("\n  playback: off the path by 0.00") != std::string::npos, said.out);
  const outcome json = run({"npc", "build", script, "-o", recordings, "--playback", "--json", "--force"});
  dom::parser parser;
  const dom::object document = parse(parser, json.out);
  for (const dom::element each : dom::array(document["files"])) {
    const double worst = each["playback"]["worst_error_m"];
    BOOST_TEST(worst > 0);
    BOOST_TEST(worst < 0.01);
    BOOST_TEST(double(each["playback"]["mean_error_m"]) < worst);
    BOOST_TEST(double(each["playback"]["worst_snap_m"]) < 0.001);
    BOOST_TEST(double(each["playback"]["worst_time_ms"]) <= double(each["duration_ms"]));
  }
}

BOOST_FIXTURE_TEST_CASE(an_unused_setting_is_reported, npc_folder) {
  const std::string asks =
      file("asks.lua", "local laps = settings.laps\nactor{ name='a', on_foot=true, at={0,0,3} }");
  const outcome misspelt = run({"npc", "build", asks, "-o", recordings, "--set", "laps=1", "--set", "lap=3"});
  BOOST_TEST(misspelt.code == 0, misspelt.err);
  BOOST_TEST(misspelt.says("--set lap: the script does not read settings.lap"), misspelt.err);
  BOOST_TEST(!misspelt.says("settings.laps"), misspelt.err);

  const std::string all =
      file("all.lua",
           "for k, v in pairs(settings) do print(k, v) end\nactor{ name='b', on_foot=true, at={0,0,3} }");
  const outcome listed = run({"npc", "build", all, "-o", recordings, "--set", "laps=1"});
  BOOST_TEST(listed.out.starts_with("laps\t1\n"), listed.out);
  BOOST_TEST(listed.err.empty(), listed.err);
}

BOOST_FIXTURE_TEST_CASE(settings_are_numbers_booleans_and_texts, npc_folder) {
  const std::string script = file("settings.lua", R"(
    for _, name in ipairs{ "number", "share", "yes", "no", "text", "empty", "equals", "absent" } do
      print(name, math.type(settings[name]) or type(settings[name]), settings[name])
    end
    actor{ name="a", on_foot=true, at={0,0,3} })");
  const outcome said =
      run({"npc", "build", script, "-o", recordings, "--set", "number=-3", "--set", "share=0.5", "--set",
           "yes=true", "--set", "no=false", "--set", "text=bob", "--set", "empty=", "--set", "equals=a=b"});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(
      said.out.starts_with("number\tinteger\t-3\nshare\tfloat\t0.5\nyes\tboolean\ttrue\nno\tboolean\tfalse\n"
                           "text\tstring\tbob\nempty\tstring\t\nequals\tstring\ta=b\nabsent\tnil\tnil\n"),
      said.out);
  for (const char* wrong : {"laps", "=3"}) {
    check_run({"npc", "build", script, "-o", recordings, "--set", wrong}, 2, {"expected NAME=VALUE"});
  }
}

BOOST_FIXTURE_TEST_CASE(an_unwritable_pawn_file_is_reported_before_building, npc_folder) {
  const std::string clash = file("clash.lua", "actor{ name='npcs_samp', on_foot=true, at={0,0,3} }");
  check_run({"npc", "build", clash, "-o", recordings, "--pawn", "--force"}, 1,
            {"nothing may have the name npcs_samp"});
  BOOST_TEST(!std::filesystem::exists(rec("npcs_samp")));
  BOOST_TEST(run({"npc", "build", clash, "-o", recordings}).code == 0);

  const std::string one = file("one.lua", "actor{ name='one', on_foot=true, at={0,0,3} }");
  BOOST_TEST(run({"npc", "build", one, "-o", recordings, "--pawn"}).code == 0);
  std::filesystem::remove(rec("one"));
  check_run({"npc", "build", one, "-o", recordings, "--pawn"}, 1, {"one.pwn"});
  BOOST_TEST(!std::filesystem::exists(rec("one")));
  BOOST_TEST(run({"npc", "build", one, "-o", recordings, "--pawn", "--force"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(waypoints_and_recordings_come_from_files, npc_folder) {
  build_guard();
  const std::string script = file("tour.lua", R"(
    local a = actor{ name="tour", on_foot=true }
    a:along(waypoints.route):wait(1):play(recordings.old, { here=true })
    save(recordings.old:reversed(), "back"))");
  const std::string csv = file("route.csv", "x;y;z\n0;0;3\n0;20;3\n");
  const std::string json = file("route.json", "[[0,0,3],[0,20,3]]");
  for (const std::string& route : {csv, json}) {
    const outcome said = run({"npc", "build", script, "-o", recordings, "--force", "--waypoints",
                              "route=" + route, "--rec", "old=" + rec("guard")});
    BOOST_TEST(said.code == 0, said.err);
    BOOST_TEST(said.out.starts_with(rec("tour") + ": 70.0 m in "), said.out);
  }
  BOOST_TEST(run({"npc", "check", rec("tour"), rec("back")}).code == 0);

  check_run({"npc", "build", script, "-o", recordings, "--rec", "old=" + rec("guard")}, 1,
            {"tour.lua:3: ", "--waypoints route=FILE"});
  const outcome no_points =
      run({"npc", "build", script, "--waypoints", "route=" + file("bad.csv", "x,y\n1,oops\n")});
  BOOST_TEST(no_points.code == 1);
  BOOST_TEST(no_points.err == std::string("tickreel: ") + (folder / "bad.csv") + ": line 2 has no x and y\n");
  check_run({"npc", "build", script, "--rec", "old=" + csv}, 1, {"tickreel: " + csv + ": "});
  BOOST_TEST(run({"npc", "build", script, "--rec", "old"}).code == 2);
  BOOST_TEST(run({"npc", "build", script, "--waypoints", "route"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(errors_of_scripts_name_file_and_line, npc_folder) {
  const std::pair<const char*, const char*> scripts[] = {
      {"local a = 1\n\nerror('oops')", ":3: oops"},
      {"x = = 2", ":1: "},
      {"\nlocal a = actor{ name='a', vehicle='car', at={0,0,3} }\na:walk_to(1, 2)", ":3: "},
      {"local function deep()\n  local a = nil + 1\nend\n\ndeep()", ":2: "},
  };
  for (const auto& [text, place] : scripts) {
    const outcome said = run({"npc", "build", file("wrong.lua", text), "-o", recordings});
    BOOST_TEST(said.code == 1);
    BOOST_TEST(said.out == "");
    BOOST_TEST(said.err.starts_with(std::string("tickreel: wrong.lua") + place), said.err);
    BOOST_TEST(!std::filesystem::exists(recordings));
  }
  const outcome empty = run({"npc", "build", file("empty.lua", "print('nobody')"), "-o", recordings});
  BOOST_TEST(empty.code == 1);
  BOOST_TEST(empty.out == "nobody\n");
  BOOST_TEST(empty.says("the script creates no actor and saves nothing"));
  // The output before the error helps to find it.
  const outcome traced =
      run({"npc", "build", file("traced.lua", "print('here')\nerror('there')"), "-o", recordings});
  BOOST_TEST(traced.code == 1);
  BOOST_TEST(traced.out == "here\n");
  BOOST_TEST(traced.err == "tickreel: traced.lua:2: there\n");
  check_run({"npc", "build", folder / "absent.lua"}, 1,
            {std::string("tickreel: ") + (folder / "absent.lua") + ": "});
}

BOOST_FIXTURE_TEST_CASE(scripts_cannot_control_the_terminal, npc_folder) {
  const outcome said =
      run({"npc", "build", file("paint.lua", "print('a\\27[2Jb\\0', 'c\\n')\nerror('\\27[31mred\\rline')"),
           "-o", recordings});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.out == "a\\x1b[2Jb\\x00\tc\n\n");
  BOOST_TEST(said.err == "tickreel: paint.lua:2: \\x1b[31mred\\x0dline\n");
}

BOOST_FIXTURE_TEST_CASE(hostile_scripts_end_within_the_programs_limits, npc_folder) {
  const std::pair<const char*, const char*> scripts[] = {
      {"while true do end", "hostile.lua:1: the script took too many steps; is there an endless loop?"},
      {"local t = {}\nwhile true do t[#t + 1] = {} end",
       "hostile.lua:2: the script needs more memory than its 64 MB"},
      {"local function f()\n  return 1 + f()\nend\nf()",
       "hostile.lua:2: the script needs more memory than its 64 MB"},
      {"local s = 'x'\nwhile true do s = s .. s end",
       "hostile.lua:2: the script needs more memory than its 64 MB"},
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} }\nwhile true do a:walk_to(random(100), "
       "random(100)) end",
       "hostile.lua:2: a goes through more than 100000 points"},
      {"local a = actor{ name='a', on_foot=true, at={0,0,0} }\nwhile true do a:wait(86400) end",
       "hostile.lua:2: "},
      {"while true do print(('x'):rep(1000)) end", "hostile.lua:1: the script prints too much"},
      {"for i = 1, 1e6 do\n  actor{ name='a' .. i, on_foot=true }\nend", "hostile.lua:2: "},
      {"io.open('/etc/passwd')", "hostile.lua:1: "},
      {"\x1bLuaT", "hostile.lua"},
  };
  for (const auto& [text, says] : scripts) {
    const outcome said = run({"npc", "build", file("hostile.lua", text), "-o", recordings});
    BOOST_TEST(said.code == 1, text);
    BOOST_TEST(said.err.starts_with(std::string("tickreel: ") + says), said.err);
    BOOST_TEST(!std::filesystem::exists(recordings), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
