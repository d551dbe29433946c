// The npc verbs as people and scripts use them: texts, documents, exit codes, files that stay.
#define BOOST_TEST_MODULE cli_npc
#include <simdjson.h>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "run_program.hpp"
#include "tickreel/samp_rec/motion.hpp"
#include "tickreel/samp_rec/reader.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::test;
namespace dom = simdjson::dom;
using samp_rec::vehicle_block;

constexpr const char* guard_script = R"(-- A guard and a car.
local laps = settings.laps or 1
print("laps", laps)
local guard = actor{ name="guard", on_foot=true, skin=71, at={10, 20, 3}, heading=0 }
for lap = 1, laps do guard:walk_to(10, 45):wait(3):back_to_start() end
actor{ name="car", model=560, at={0, 0, 3}, heading=0 }:drive_to(0, 100):drive_to(80, 140)
)";

struct workplace {
  scratch_folder folder;
  std::string recordings = folder / "recordings";

  std::string file(const std::string& name, std::string_view text) const {
    std::ofstream out(folder / name, std::ios::binary);
    out << text;
    BOOST_REQUIRE(out.flush().good());
    return folder / name;
  }
  // The script's recordings in `recordings`.
  void build_guard() const {
    const outcome said = run({"npc", "build", file("guard.lua", guard_script), "-o", recordings});
    BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  }
  std::string rec(const std::string& name) const { return recordings + "/" + name + ".rec"; }
  std::string vehicle_file(const std::string& name, const std::vector<vehicle_block>& blocks) const {
    const byte_vector bytes = samp_rec::to_bytes(std::span<const vehicle_block>(blocks));
    return file(name, as_text(bytes));
  }
};

// Goes 10 m/s to the north in good order.
std::vector<vehicle_block> straight_drive(std::size_t count) {
  std::vector<vehicle_block> blocks(count);
  for (std::size_t i = 0; i < count; ++i) {
    blocks[i].time_ms = static_cast<std::uint32_t>(50 * i);
    blocks[i].position_m = {0, 0.5f * static_cast<float>(i), 3};
    blocks[i].velocity_m_per_20ms = {0, 0.2f, 0};
    blocks[i].rotation = {1, 0, 0, 0};
    blocks[i].keys = 8;
    blocks[i].vehicle_health = 1000;
    blocks[i].driver_health = 100;
  }
  return blocks;
}

std::vector<vehicle_block> vehicle_blocks(const std::string& path) {
  const auto read = samp_rec::read_recording(read_file(path));
  BOOST_REQUIRE_MESSAGE(read, path);
  return read->vehicle;
}

dom::object parse(dom::parser& parser, const std::string& text) {
  dom::object object;
  BOOST_REQUIRE_MESSAGE(parser.parse(text).get(object) == simdjson::SUCCESS, "not a JSON object: " << text);
  return object;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(build_says_what_it_made, workplace) {
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

BOOST_FIXTURE_TEST_CASE(build_in_json_is_one_document, workplace) {
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

BOOST_FIXTURE_TEST_CASE(build_tells_how_playback_looks, workplace) {
  const std::string script = file("guard.lua", guard_script);
  const outcome said = run({"npc", "build", script, "-o", recordings, "--playback"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(lines_in(said.out) == 1 + 2 * 2u);
  BOOST_TEST(said.out.find("\n  played, off the way by 0.00") != std::string::npos, said.out);
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

BOOST_FIXTURE_TEST_CASE(settings_are_numbers_truths_and_texts, workplace) {
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
  for (const char* wrong : {"laps", "=3", ""}) {
    const outcome refused = run({"npc", "build", script, "-o", recordings, "--set", wrong});
    BOOST_TEST(refused.code == 2);
    BOOST_TEST(refused.says("expected NAME=VALUE"), refused.err);
  }
}

BOOST_FIXTURE_TEST_CASE(waypoints_and_recordings_come_from_files, workplace) {
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

  const outcome unnamed = run({"npc", "build", script, "-o", recordings, "--rec", "old=" + rec("guard")});
  BOOST_TEST(unnamed.code == 1);
  BOOST_TEST(unnamed.says("tour.lua:3: "), unnamed.err);
  BOOST_TEST(unnamed.says("--waypoints route=FILE"), unnamed.err);
  const outcome no_points =
      run({"npc", "build", script, "--waypoints", "route=" + file("bad.csv", "x,y\n1,oops\n")});
  BOOST_TEST(no_points.code == 1);
  BOOST_TEST(no_points.err == std::string("tickreel: ") + (folder / "bad.csv") + ": line 2 has no x and y\n");
  const outcome no_rec = run({"npc", "build", script, "--rec", "old=" + csv});
  BOOST_TEST(no_rec.code == 1);
  BOOST_TEST(no_rec.says("tickreel: " + csv + ": "), no_rec.err);
  BOOST_TEST(run({"npc", "build", script, "--rec", "old"}).code == 2);
  BOOST_TEST(run({"npc", "build", script, "--waypoints", "route"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(errors_of_scripts_name_file_and_line, workplace) {
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
  BOOST_TEST(empty.says("the script has no actor and saves nothing"));
  // What was printed before the error helps to find it.
  const outcome traced =
      run({"npc", "build", file("traced.lua", "print('here')\nerror('there')"), "-o", recordings});
  BOOST_TEST(traced.code == 1);
  BOOST_TEST(traced.out == "here\n");
  BOOST_TEST(traced.err == "tickreel: traced.lua:2: there\n");
  const outcome absent = run({"npc", "build", folder / "absent.lua"});
  BOOST_TEST(absent.code == 1);
  BOOST_TEST(absent.says(std::string("tickreel: ") + (folder / "absent.lua") + ": "), absent.err);
}

BOOST_FIXTURE_TEST_CASE(scripts_do_nothing_to_the_terminal, workplace) {
  const outcome said =
      run({"npc", "build", file("paint.lua", "print('a\\27[2Jb\\0', 'c\\n')\nerror('\\27[31mred\\rline')"),
           "-o", recordings});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.out == "a\\x1b[2Jb\\x00\tc\n\n");
  BOOST_TEST(said.err == "tickreel: paint.lua:2: \\x1b[31mred\\x0dline\n");
}

BOOST_FIXTURE_TEST_CASE(hostile_scripts_end_within_the_program_s_limits, workplace) {
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

BOOST_FIXTURE_TEST_CASE(nothing_is_overwritten_without_force, workplace) {
  build_guard();
  const std::string script = folder / "guard.lua";
  const auto refuses = [&](std::vector<std::string> words, const std::string& target) {
    const std::string before = text_of_file(target);
    BOOST_TEST(!before.empty());
    const outcome refused = run(words);
    BOOST_TEST(refused.code == 1);
    BOOST_TEST(refused.says(target + ": the file exists already"), refused.err);
    BOOST_TEST(refused.says("--force"), refused.err);
    BOOST_TEST((text_of_file(target) == before));
    words.push_back("--force");
    BOOST_TEST(run(words).code == 0);
    BOOST_TEST((text_of_file(target) != before));
  };
  // One that is there already keeps all from being written.
  std::filesystem::remove(rec("car"));
  const outcome half = run({"npc", "build", script, "-o", recordings, "--set", "laps=2"});
  BOOST_TEST(half.code == 1);
  BOOST_TEST(!std::filesystem::exists(rec("car")));
  refuses({"npc", "build", script, "-o", recordings, "--set", "laps=2"}, rec("guard"));

  file("part.rec", "something else");
  refuses({"npc", "edit", rec("car"), folder / "part.rec"}, folder / "part.rec");
  file("a.svg", "something else");
  refuses({"npc", "plot", rec("car"), "-o", folder / "a.svg"}, folder / "a.svg");
  file("a.html", "something else");
  refuses({"npc", "plot", rec("car"), "--html", folder / "a.html"}, folder / "a.html");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    BOOST_TEST(entry.path().extension() != ".part", "left behind: " << entry.path());
}

BOOST_FIXTURE_TEST_CASE(check_tells_what_looks_wrong, workplace) {
  build_guard();
  const outcome good = run({"npc", "check", recordings});
  BOOST_TEST(good.code == 0);
  BOOST_TEST(lines_in(good.out) == 2u);
  BOOST_TEST(good.out.starts_with(rec("car") + ": ok; "), good.out);
  BOOST_TEST(good.out.find(rec("guard") + ": ok; ") != std::string::npos, good.out);

  auto blocks = straight_drive(200);
  const std::string sound = vehicle_file("sound.rec", blocks);
  BOOST_TEST(run({"npc", "check", sound}).out ==
             sound + ": ok; 200 blocks, 0:09.9, 100 m, at most 10.0 m/s\n");
  for (std::size_t i = 100; i < blocks.size(); ++i) blocks[i].position_m.x += 40;
  const std::string jump = vehicle_file("jump.rec", blocks);
  const outcome said = run({"npc", "check", jump});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.out.starts_with(jump + ": 1 finding; 200 blocks, "), said.out);
  BOOST_TEST(said.out.find("\n  error    block 100 at 5.000 s: ") != std::string::npos, said.out);

  dom::parser parser;
  const outcome documents = run({"npc", "check", "--json", sound, jump});
  BOOST_TEST(documents.code == 1);
  BOOST_REQUIRE(lines_in(documents.out) == 2u);
  const std::size_t second = documents.out.find('\n') + 1;
  BOOST_TEST(bool(parse(parser, documents.out.substr(0, second))["ok"]));
  const std::string wrong = documents.out.substr(second);
  const dom::object document = parse(parser, wrong);
  BOOST_TEST(!bool(document["ok"]));
  BOOST_TEST(std::uint64_t(document["finding_count"]) == 1u);
  const dom::element finding = dom::array(document["findings"]).at(0);
  BOOST_TEST(std::string_view(finding["kind"]) == "jump");
  BOOST_TEST(std::string_view(finding["severity"]) == "error");
  BOOST_TEST(std::uint64_t(finding["block"]) == 100u);
  BOOST_TEST(std::uint64_t(finding["offset"]) == 8u + 100 * 67);
  BOOST_TEST(std::uint64_t(finding["time_ms"]) == 5000u);
  BOOST_TEST(std::abs(double(finding["measured"]) - 40) < 1);
  BOOST_TEST(double(finding["limit"]) < 40);
  const dom::element statistics = document["statistics"];
  BOOST_TEST(std::uint64_t(statistics["blocks"]) == 200u);
  BOOST_TEST(double(statistics["moving_interval_ms"]["median"]) == 50);
  BOOST_TEST(std::abs(double(statistics["displacement_per_velocity"]["median"]) - 50) < 0.01);
}

BOOST_FIXTURE_TEST_CASE(check_shows_as_much_as_is_asked_for, workplace) {
  auto blocks = straight_drive(300);
  for (std::size_t i = 10; i < blocks.size(); i += 10) blocks[i].time_ms = blocks[i - 1].time_ms;
  const std::string many = vehicle_file("many.rec", blocks);
  const outcome usual = run({"npc", "check", many});
  BOOST_TEST(usual.code == 1);
  BOOST_TEST(lines_in(usual.out) == 1 + 20 + 1u);
  BOOST_TEST(usual.out.find(" more\n") != std::string::npos);
  BOOST_TEST(lines_in(run({"npc", "check", many, "--findings", "3"}).out) == 1 + 3 + 1u);
  BOOST_TEST(lines_in(run({"npc", "check", many, "--findings", "1000"}).out) > 29u);
}

BOOST_FIXTURE_TEST_CASE(check_goes_on_after_what_it_cannot_read, workplace) {
  const std::string sound = vehicle_file("b.rec", straight_drive(10));
  const std::string strange = file("a.rec", "this is no recording");
  const outcome said = run({"npc", "check", folder.path().string()});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("tickreel: " + strange + ": "), said.err);
  BOOST_TEST(said.out.starts_with(sound + ": ok; 10 blocks"), said.out);
  std::filesystem::create_directory(folder / "none");
  const outcome nothing = run({"npc", "check", folder / "none"});
  BOOST_TEST(nothing.code == 1);
  BOOST_TEST(nothing.says("no .rec in what was given"));
  BOOST_TEST(run({"npc", "check", folder / "absent.rec"}).code == 1);
}

BOOST_FIXTURE_TEST_CASE(plot_names_what_it_wrote, workplace) {
  build_guard();
  const std::string picture = folder / "both.svg";
  const std::string page = folder / "both.html";
  const outcome said = run({"npc", "plot", recordings, "-o", picture, "--html", page});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out == picture + "\n" + page + "\n");
  BOOST_TEST(text_of_file(picture).starts_with("<svg"));
  BOOST_TEST(text_of_file(picture).find(">car, guard</text>") != std::string::npos);
  BOOST_TEST(text_of_file(page).starts_with("<!doctype html>"));

  const outcome json =
      run({"npc", "plot", rec("car"), rec("guard"), "-o", picture, "--title", "A & B", "--force", "--json"});
  dom::parser parser;
  const dom::object document = parse(parser, json.out);
  BOOST_TEST(std::uint64_t(document["recordings"]) == 2u);
  const dom::array outputs = document["outputs"];
  BOOST_REQUIRE(outputs.size() == 1u);
  BOOST_TEST(std::string_view(outputs.at(0)) == picture);
  BOOST_TEST(text_of_file(picture).find(">A &amp; B</text>") != std::string::npos);

  // Many names do not fit above a picture.
  std::vector<std::string> words = {"npc", "plot", "-o", picture, "--force"};
  for (int i = 0; i < 40; ++i) words.push_back(rec("guard"));
  BOOST_TEST(run(words).code == 0);
  BOOST_TEST(text_of_file(picture).find("guard and ") != std::string::npos);

  BOOST_TEST(run({"npc", "plot", rec("car")}).code == 2);
  BOOST_TEST(run({"npc", "plot", folder / "absent.rec", "-o", folder / "x.svg"}).code == 1);
  BOOST_TEST(!std::filesystem::exists(folder / "x.svg"));
  const outcome nowhere = run({"npc", "plot", rec("car"), "-o", folder / "no/such/folder.svg"});
  BOOST_TEST(nowhere.code == 1);
  BOOST_TEST(nowhere.says(folder / "no/such/folder.svg"), nowhere.err);
}

BOOST_FIXTURE_TEST_CASE(edit_transforms, workplace) {
  const std::string in = vehicle_file("in.rec", straight_drive(201));  // 10 s, 100 m to the north
  const std::string out = folder / "out.rec";
  const auto edit = [&](std::vector<std::string> how) {
    how.insert(how.begin(), {"npc", "edit", in, out, "--force"});
    const outcome said = run(how);
    BOOST_TEST_REQUIRE(said.code == 0, said.err);
    BOOST_TEST(said.out.starts_with(out + ": "), said.out);
    return vehicle_blocks(out);
  };
  const auto near = [](const auto& at, double x, double y, double z) {
    BOOST_TEST(std::abs(at.x - x) < 0.01);
    BOOST_TEST(std::abs(at.y - y) < 0.01);
    BOOST_TEST(std::abs(at.z - z) < 0.01);
  };
  BOOST_TEST((edit({}) == straight_drive(201)));
  const auto cut = edit({"--cut", "2", "6.025"});
  near(cut.front().position_m, 0, 20, 3);
  near(cut.back().position_m, 0, 60.25, 3);
  BOOST_TEST(cut.front().time_ms == 0u);
  BOOST_TEST(cut.back().time_ms == 4025u);
  const auto shifted = edit({"--shift", "1", "-2", "0.5"});
  near(shifted.front().position_m, 1, -2, 3.5);
  const auto rotated = edit({"--rotate", "90"});  // north becomes west
  near(rotated.back().position_m, -100, 0, 3);
  near(rotated.back().velocity_m_per_20ms, -0.2, 0, 0);
  BOOST_TEST(std::abs(samp_rec::heading_degrees(rotated.back().rotation) - 90) < 0.01);
  near(edit({"--rotate", "180", "--pivot", "10", "0"}).front().position_m, 20, 0, 3);
  near(edit({"--mirror", "90"}).back().position_m, 0, -100, 3);
  const auto reversed = edit({"--reverse"});
  near(reversed.front().position_m, 0, 100, 3);
  near(reversed.front().velocity_m_per_20ms, 0, -0.2, 0);
  BOOST_TEST(edit({"--retime", "1.5"}).back().time_ms == 15'000u);
  BOOST_TEST(edit({"--duration", "4"}).back().time_ms == 4'000u);
  BOOST_TEST(edit({"--resample", "100"}).size() == 101u);
  const auto joined = edit({"--join", in, "--here", "--blend", "0"});
  near(joined.back().position_m, 0, 200, 3);
  BOOST_TEST(run({"npc", "check", out}).code == 0);
  BOOST_TEST(edit({"--repeat", "3"}).back().time_ms >= 30'000u);
  // In the order of the help, not of the words.
  near(edit({"--shift", "10", "0", "0", "--cut", "0", "1"}).back().position_m, 10, 10, 3);

  dom::parser parser;
  const std::string said = run({"npc", "edit", in, out, "--force", "--json", "--cut", "0", "5"}).out;
  const dom::object document = parse(parser, said);
  BOOST_TEST(std::string_view(document["file"]) == in);
  BOOST_TEST(std::string_view(document["output"]) == out);
  BOOST_TEST(std::uint64_t(document["blocks"]) == 101u);
  BOOST_TEST(std::uint64_t(document["bytes"]) == std::filesystem::file_size(out));
  BOOST_TEST(std::int64_t(document["duration_ms"]) == 5000);
}

BOOST_FIXTURE_TEST_CASE(edit_refuses_what_makes_no_sense, workplace) {
  build_guard();
  const std::string out = folder / "out.rec";
  const std::pair<std::vector<std::string>, int> cases[] = {
      {{"--cut", "5", "2"}, 2},      {{"--cut", "5"}, 2},
      {{"--repeat", "0"}, 2},        {{"--repeat", "100000"}, 2},
      {{"--retime", "0"}, 2},        {{"--resample", "1"}, 2},
      {{"--rotate", "north"}, 2},    {{"--cut", "5000", "5001"}, 1},
      {{"--join", rec("guard")}, 1}, {{"--join", folder / "absent"}, 1},
  };
  for (const auto& [how, code] : cases) {
    std::vector<std::string> words = {"npc", "edit", rec("car"), out};
    words.insert(words.end(), how.begin(), how.end());
    const outcome refused = run(words);
    BOOST_TEST(refused.code == code, how[0] << ": " << refused.err);
    BOOST_TEST(!refused.err.empty());
    BOOST_TEST(!std::filesystem::exists(out), how[0]);
  }
  BOOST_TEST(run({"npc", "edit", rec("car"), out, "--join", rec("guard")}).says("on_foot"));
}

// A block that holds no numbers is left out, said, and told by the exit code.
BOOST_FIXTURE_TEST_CASE(losses_are_told, workplace) {
  const byte_vector whole = samp_rec::to_bytes(std::span<const vehicle_block>(straight_drive(50)));
  std::string bytes(as_text(whole));
  bytes.replace(8 + 10 * 67 + 28, 4, "\xFF\xFF\xFF\x7F");  // x of the tenth
  const std::string in = file("holes.rec", bytes);
  const std::string out = folder / "out.rec";
  const outcome edited = run({"npc", "edit", in, out});
  BOOST_TEST(edited.code == 3, edited.err);
  BOOST_TEST(edited.says(in + ": 1 block that holds no numbers was left out"), edited.err);
  BOOST_TEST(vehicle_blocks(out).size() == 49u);
  const outcome plotted = run({"npc", "plot", in, "-o", folder / "x.svg"});
  BOOST_TEST(plotted.code == 3);
  BOOST_TEST(plotted.says("left out"));
  BOOST_TEST(text_of_file(folder / "x.svg").find("nan") == std::string::npos);
  BOOST_TEST(run({"npc", "check", in}).code == 1);
}

BOOST_FIXTURE_TEST_CASE(help_and_usage, workplace) {
  BOOST_TEST(run({"npc"}).code == 2);
  BOOST_TEST(run({"npc", "paint"}).code == 2);
  for (const char* verb : {"build", "check", "plot", "edit"}) {
    const outcome help = run({"npc", verb, "--help"});
    BOOST_TEST(help.code == 0, verb);
    BOOST_TEST(help.out.find(std::string("Examples:\n  tickreel npc ") + verb) != std::string::npos,
               help.out);
    BOOST_TEST(run({"npc", verb}).code == 2, verb);
    BOOST_TEST(run({"npc", verb, "x", "y", "--no-such-option"}).code == 2, verb);
  }
}
