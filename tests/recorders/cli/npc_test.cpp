// The npc verbs as people and scripts use them: messages, documents, exit codes, output files.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "npc_folder.hpp"
#include "tickreel/samp_rec/motion.hpp"

BOOST_AUTO_TEST_SUITE(cli_npc_tests)
BOOST_AUTO_TEST_SUITE(npc_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

}  // namespace

BOOST_FIXTURE_TEST_CASE(nothing_is_overwritten_without_force, npc_folder) {
  build_guard();
  const std::string script = folder / "guard.lua";
  const auto refuses = [&](std::vector<std::string> words, const std::string& target) {
    const std::string before = text_of_file(target);
    BOOST_TEST(!before.empty());
    check_run(words, 1, {target + ": the file exists already", "--force"});
    BOOST_TEST((text_of_file(target) == before));
    words.push_back("--force");
    BOOST_TEST(run(words).code == 0);
    BOOST_TEST((text_of_file(target) != before));
  };
  // An existing file prevents all output.
  std::filesystem::remove(rec("car"));
  const outcome half = run({"npc", "build", script, "-o", recordings, "--set", "laps=2"});
  BOOST_TEST(half.code == 1);
  BOOST_TEST(!std::filesystem::exists(rec("car")));
  refuses({"npc", "build", script, "-o", recordings, "--set", "laps=2"}, rec("guard"));

  file("part.rec", "something else");
  refuses({"npc", "edit", rec("car"), folder / "part.rec"}, folder / "part.rec");
  check_run({"npc", "edit", rec("car"), rec("car"), "--force"}, 2, {"input and output are the same file"});
  file("a.svg", "something else");
  refuses({"npc", "plot", rec("car"), "-o", folder / "a.svg"}, folder / "a.svg");
  file("a.html", "something else");
  refuses({"npc", "plot", rec("car"), "--html", folder / "a.html"}, folder / "a.html");
  // Also one of several.
  const std::string picture = folder / "b.svg";
  check_run({"npc", "plot", rec("car"), "-o", picture, "--html", folder / "a.html"}, 1,
            {"a.html: the file exists already"});
  BOOST_TEST(!std::filesystem::exists(picture));
  // A folder contains the input.
  check_run({"npc", "plot", recordings, "-o", rec("car"), "--force"}, 2,
            {"input and output are the same file"});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    BOOST_TEST(entry.path().extension() != ".part", "left behind: " << entry.path());
}

BOOST_FIXTURE_TEST_CASE(check_reports_visible_errors, npc_folder) {
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
  // No minute has sixty seconds.
  for (const auto& [last_ms, text] : {std::pair(119'950u, " 1:59.9,"), std::pair(119'951u, " 2:00.0,"),
                                      std::pair(3'599'999u, " 1:00:00.0,")}) {
    auto longer = blocks;
    longer.back().time_ms = last_ms;
    const std::string out = run({"npc", "check", vehicle_file("longer.rec", longer)}).out;
    BOOST_TEST(out.find(text) != std::string::npos, out);
  }
  for (std::size_t i = 100; i < blocks.size(); ++i) blocks[i].position_m.x += 40;
  const std::string jump = vehicle_file("jump.rec", blocks);
  const outcome said = run({"npc", "check", jump});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.out.starts_with(jump + ": 1 defect; 200 blocks, "), said.out);
  BOOST_TEST(said.out.find("\n  defect   block 100 at 5.000 s: ") != std::string::npos, said.out);

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
  BOOST_TEST(std::uint64_t(document["defects"]) == 1u);
  BOOST_TEST(std::uint64_t(document["warnings"]) == 0u);
  BOOST_TEST(std::uint64_t(document["notes"]) == 0u);
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

BOOST_FIXTURE_TEST_CASE(check_prints_as_much_as_requested, npc_folder) {
  auto blocks = straight_drive(300);
  for (std::size_t i = 10; i < blocks.size(); i += 10) blocks[i].time_ms = blocks[i - 1].time_ms;
  const std::string many = vehicle_file("many.rec", blocks);
  const outcome usual = run({"npc", "check", many});
  // Notes are not defects.
  BOOST_TEST(usual.code == 0);
  BOOST_TEST(usual.out.starts_with(many + ": ok, "), usual.out);
  BOOST_TEST(lines_in(usual.out) == 1 + 20 + 1u);
  BOOST_TEST(usual.out.find(" more\n") != std::string::npos);
  BOOST_TEST(lines_in(run({"npc", "check", many, "--findings", "3"}).out) == 1 + 3 + 1u);
  BOOST_TEST(lines_in(run({"npc", "check", many, "--findings", "1000"}).out) > 29u);
}

BOOST_FIXTURE_TEST_CASE(check_continues_after_an_unreadable_file, npc_folder) {
  const std::string sound = vehicle_file("b.rec", straight_drive(10));
  const std::string strange = file("a.rec", "this is not a recording");
  const outcome said = run({"npc", "check", folder.path().string()});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("tickreel: " + strange + ": "), said.err);
  BOOST_TEST(said.out.starts_with(sound + ": ok; 10 blocks"), said.out);
  std::filesystem::create_directory(folder / "none");
  check_run({"npc", "check", folder / "none"}, 1, {"found no .rec"});
  BOOST_TEST(run({"npc", "check", folder / "absent.rec"}).code == 1);
}

BOOST_FIXTURE_TEST_CASE(plot_lists_its_output, npc_folder) {
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
  check_run({"npc", "plot", rec("car"), "-o", folder / "no/such/folder.svg"}, 1,
            {folder / "no/such/folder.svg"});
}

BOOST_FIXTURE_TEST_CASE(edit_transforms, npc_folder) {
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
  const outcome other_name = run({"npc", "edit", in, folder / "drive.csv"});
  BOOST_TEST(other_name.code == 2);
  BOOST_TEST(other_name.says("drive.csv: the output has the format"), other_name.err);
  const auto cut = edit({"--cut", "2", "6.025"});
  near(cut.front().position_m, 0, 20, 3);
  near(cut.back().position_m, 0, 60.25, 3);
  BOOST_TEST(cut.front().time_ms == 0u);
  BOOST_TEST(cut.back().time_ms == 4025u);
  BOOST_TEST((edit({"--cut", "00:02", "0:06.025"}) == cut));
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
  BOOST_TEST(edit({"--duration", "01:04"}).back().time_ms == 64'000u);
  BOOST_TEST(edit({"--resample", "100"}).size() == 101u);
  const auto joined = edit({"--join", in, "--here", "--blend", "0"});
  near(joined.back().position_m, 0, 200, 3);
  BOOST_TEST(run({"npc", "check", out}).code == 0);
  BOOST_TEST(edit({"--repeat", "3"}).back().time_ms >= 30'000u);
  // In the order of the help, not of the arguments.
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

BOOST_FIXTURE_TEST_CASE(a_wrong_last_time_does_not_create_millions_of_blocks, npc_folder) {
  auto blocks = straight_drive(201);
  blocks.back().time_ms = 0xffffffff;
  const std::string in = vehicle_file("in.rec", blocks);
  const std::string out = folder / "out.rec";
  check_run({"npc", "edit", in, out, "--resample", "50"}, 1, {"--resample 50", "--cut"});
  BOOST_TEST(!std::filesystem::exists(out));
}

// The reader's limits are the writer's: output can be read, or there is none.
BOOST_FIXTURE_TEST_CASE(nothing_unreadable_is_written, npc_folder) {
  const std::string in = vehicle_file("in.rec", straight_drive(201));
  const std::string out = folder / "out.rec";
  const std::vector<std::vector<std::string>> edits = {{"--shift", "50000", "0", "0"},
                                                       {"--rotate", "180", "--pivot", "30000", "0"},
                                                       {"--shift", "1e38", "0", "0"},
                                                       {"--shift", "0", "0", "1e39"}};
  for (const auto& each : edits) {
    std::vector<std::string> words = {"npc", "edit", in, out};
    words.insert(words.end(), each.begin(), each.end());
    check_run(words, 1, {"block 0: "});
    BOOST_TEST(!std::filesystem::exists(out), each[1]);
  }
  for (const char* option : {"--rotate", "--retime", "--duration", "--smooth", "--blend", "--mirror"}) {
    for (const char* value : {"nan", "inf"}) {
      const outcome refused = run({"npc", "edit", in, out, option, value});
      BOOST_TEST(refused.code == 2, option << refused.err);
      BOOST_TEST(!std::filesystem::exists(out), option);
    }
  }
  for (const char* text : {"ndjson", "csv"}) {
    const std::string good = folder / ("in." + std::string(text));
    BOOST_TEST_REQUIRE(run({"convert", in, good}).code == 0);
    std::string far = text_of_file(good);
    // Every height.
    const bool csv = text == std::string("csv");
    const std::string height = csv ? ",3,0,0.2,0," : ",3],\"velocity\"";
    const std::string beyond = csv ? ",3e9,0,0.2,0," : ",3e9],\"velocity\"";
    for (std::size_t at = far.find(height); at != std::string::npos; at = far.find(height, at + 1))
      far.replace(at, height.size(), beyond);
    check_run({"convert", file("far." + std::string(text), far), out}, 1, {"line ", "20,000 m"});
    BOOST_TEST(!std::filesystem::exists(out), text);
  }
}

// The blocks would get the largest time, or the last rounds would be missing.
BOOST_FIXTURE_TEST_CASE(edit_rejects_times_that_no_block_stores, npc_folder) {
  const std::string in = vehicle_file("in.rec", straight_drive(201));  // 10 s
  const std::string day = folder / "day.rec";
  const std::string out = folder / "out.rec";
  BOOST_TEST_REQUIRE(run({"npc", "edit", in, day, "--duration", "86400"}).code == 0);
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--retime", "50"}, {"--repeat", "50"}}) {
    std::vector<std::string> words = {"npc", "edit", day, out};
    words.insert(words.end(), how.begin(), how.end());
    check_run(words, 1, {how[0] + ": the recording would take 1"});
    BOOST_TEST(!std::filesystem::exists(out), how[0]);
  }
  // As long as the times permit.
  BOOST_TEST(run({"npc", "edit", day, out, "--repeat", "49"}).code == 0);
  BOOST_TEST(vehicle_blocks(out).size() == 49u * 200 + 1);
  BOOST_TEST(vehicle_blocks(out).back().time_ms == 49u * 86'400'000);
  BOOST_TEST(run({"npc", "edit", out, folder / "joined.rec", "--join", day}).says("--join: the recording"));
}

BOOST_FIXTURE_TEST_CASE(edit_rejects_contradictory_options, npc_folder) {
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

// A block with invalid numbers is left out, reported, and counted in the exit code.
BOOST_FIXTURE_TEST_CASE(losses_are_reported, npc_folder) {
  const byte_vector whole = samp_rec::to_bytes(std::span<const vehicle_block>(straight_drive(50)));
  std::string bytes(as_text(whole));
  bytes.replace(8 + 10 * 67 + 28, 4, "\xFF\xFF\xFF\x7F");  // x of the tenth
  const std::string in = file("holes.rec", bytes);
  const std::string out = folder / "out.rec";
  check_run({"npc", "edit", in, out}, 3, {in + ": 1 block without valid numbers was omitted"});
  BOOST_TEST(vehicle_blocks(out).size() == 49u);
  check_run({"npc", "plot", in, "-o", folder / "x.svg"}, 3, {"omitted"});
  BOOST_TEST(text_of_file(folder / "x.svg").find("nan") == std::string::npos);
  BOOST_TEST(run({"npc", "check", in}).code == 1);
}

// Two recordings in one file, as some were found: the clock restarts in the middle.
BOOST_FIXTURE_TEST_CASE(decreasing_times_are_rejected_and_repaired, npc_folder) {
  auto blocks = straight_drive(201);
  for (std::size_t i = 120; i < blocks.size(); ++i) blocks[i].time_ms -= 5'900;
  const std::string in = vehicle_file("falls.rec", blocks);
  const std::string good = vehicle_file("good.rec", straight_drive(10));
  const std::string out = folder / "out.rec";
  const std::string script = file("plays.lua", "save(recordings.old:resampled(100), 'even')");
  const std::vector<std::vector<std::string>> verbs = {
      {"npc", "edit", in, out, "--resample", "100"},
      {"npc", "edit", in, out},
      {"npc", "edit", good, out, "--join", in},
      {"npc", "build", script, "-o", recordings, "--rec", "old=" + in}};
  for (const auto& words : verbs) {
    check_run(words, 1, {in + ": time decreases at block 120", "recover"});
    BOOST_TEST(!std::filesystem::exists(out));
    BOOST_TEST(!std::filesystem::exists(rec("even")));
  }
  const std::string recovered = folder / "recovered.rec";
  const outcome saved = run({"recover", in, "-o", recovered});
  BOOST_TEST(saved.code == 3);
  BOOST_TEST(saved.out.find("time went back at block 120") != std::string::npos, saved.out);
  BOOST_TEST((vehicle_blocks(recovered) == straight_drive(201)));
  BOOST_TEST(run({"npc", "edit", recovered, out, "--resample", "100"}).code == 0);
  const auto even = vehicle_blocks(out);
  BOOST_TEST(std::abs(even.back().position_m.y - 100) < 0.01);
}

// Losses of the second of two inputs are losses, too.
BOOST_FIXTURE_TEST_CASE(losses_of_every_input_are_reported, npc_folder) {
  const byte_vector whole = samp_rec::to_bytes(std::span<const vehicle_block>(straight_drive(50)));
  std::string bytes(as_text(whole));
  bytes.replace(8 + 10 * 67 + 28, 4, "\xFF\xFF\xFF\x7F");
  const std::string holes = file("holes.rec", bytes);
  const std::string good = vehicle_file("good.rec", straight_drive(50));
  check_run({"npc", "edit", good, folder / "out.rec", "--join", holes}, 3, {holes + ": 1 block"});
  const std::string script = file("saves.lua", "save(recordings.old, 'same')");
  check_run({"npc", "build", script, "-o", recordings, "--rec", "old=" + holes}, 3, {holes + ": 1 block"});
}

// Text from `cat` is accepted like text from `convert`.
BOOST_FIXTURE_TEST_CASE(cat_prints_the_metadata_of_blocks, npc_folder) {
  const byte_vector whole = samp_rec::to_bytes(std::span<const vehicle_block>(straight_drive(50)));
  const std::string bytes(as_text(whole));
  const std::pair<const char*, std::string> files[] = {{"whole.rec", bytes},
                                                       {"headerless.rec", bytes.substr(8)},
                                                       {"cut.rec", bytes.substr(0, bytes.size() - 30)},
                                                       {"both.rec", bytes.substr(8, bytes.size() - 40)},
                                                       {"empty.rec", bytes.substr(0, 8)}};
  for (const auto& [name, content] : files) {
    const outcome printed = run({"cat", file(name, content)});
    BOOST_TEST((printed.code == 0 || printed.code == 3), name << printed.err);
    const std::string back = folder / "back.rec";
    const outcome converted = run({"convert", file("text.ndjson", printed.out), back, "--force"});
    BOOST_TEST(converted.code == 0, name << converted.err);
    BOOST_TEST((text_of_file(back) == content), name);
  }
}

// The output of samp-rec-to-csv, with its comments, becomes a recording.
BOOST_FIXTURE_TEST_CASE(csv_of_samp_rec_to_csv_is_read, npc_folder) {
  const std::string vehicle = file("drive.csv",
                                   "#version,type,hydra\n1000,1,0\n#time,vehicleId,leftRight\n"
                                   "0,7,-128,0,8,1,0,0,0,10,20,3,0,0.2,0,1000,100,5,22,1,1,0,0,0.200000003\n"
                                   "50,7,0,0,8,1,0,0,0,10,20.5,3,0,0.2,0,1000,100,5,22,1,1,0,0,0.2\n");
  const std::string out = folder / "out.rec";
  const outcome made = run({"convert", vehicle, out});
  BOOST_TEST_REQUIRE(made.code == 0, made.err);
  const auto blocks = vehicle_blocks(out);
  BOOST_REQUIRE(blocks.size() == 2u);
  BOOST_TEST(blocks[0].vehicle_id == 7);
  BOOST_TEST(blocks[0].left_right == -128);
  BOOST_TEST(blocks[1].position_m.y == 20.5f);
  BOOST_TEST(blocks[0].weapon_and_key == (22 | 1 << 6));
  BOOST_TEST(blocks[0].siren == 1);
  BOOST_TEST(blocks[0].train_speed_m_per_20ms() == 0.2f);
  const outcome shown = run({"cat", out});
  BOOST_TEST(shown.out.find("\"keys_held\":[\"sprint\"],\"weapon\":\"pistol\"") != std::string::npos,
             shown.out);
  BOOST_TEST(shown.out.find("\"train_speed_m_per_s\":10") != std::string::npos, shown.out);

  const std::string hydra =
      file("hydra.csv", "1000,1,1\n0,7,0,0,8,1,0,0,0,10,20,3,0,0,0,1000,100,5,0,0,0,1,0,2500,5000\n");
  BOOST_TEST_REQUIRE(run({"convert", hydra, out, "--force"}).code == 0);
  BOOST_TEST(vehicle_blocks(out)[0].thrusters().second == 5000);
  BOOST_TEST(run({"cat", out}).out.find("\"thrusters\":[2500,5000]") != std::string::npos);

  const std::string on_foot = file("walk.csv",
                                   "#version,type\n1000,2\n#time\n0,0,-128,1024,1,2,3,1,0,0,0,100,0,24,0,11,"
                                   "0,0.03,0,0,0,0,0,1231,4,0,0,0,0,8\n");
  BOOST_TEST_REQUIRE(run({"convert", on_foot, out, "--force"}).code == 0);
  const std::string line = run({"cat", out}).out;
  BOOST_TEST(line.find("\"animation_id\":1231,\"animation_flags\":32772") != std::string::npos, line);
  BOOST_TEST(
      line.find("\"action\":\"phone\",\"animation\":{\"delta\":4,\"loop\":false,") != std::string::npos,
      line);
  const outcome wrong =
      run({"convert", file("wrong.csv", "1000,2\n0,0,-128,1024,1,2,3,1,0,0,0,100,0,99,0\n"), out, "--force"});
  BOOST_TEST(wrong.code == 1);
  BOOST_TEST(wrong.says("line 2: column 14"), wrong.err);
}

BOOST_FIXTURE_TEST_CASE(help_and_usage, npc_folder) {
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
