// Conversion and recompression of one match: every tick stays, options apply, and no file is overwritten.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "json_object.hpp"
#include "match_recordings.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(convert_test)

using namespace match_recordings;

BOOST_AUTO_TEST_CASE(recompressing_keeps_every_tick) {
  const recordings files;
  for (const std::string& path : {files.butter, files.echoreplay}) {
    const std::string plain = path + ".plain";
    const std::string small = path + ".small";
    BOOST_TEST(run({"recompress", path, "-o", plain, "--codec", "none"}).code == 0);
    BOOST_TEST(run({"recompress", plain, "-o", small}).code == 0);
    BOOST_TEST(read_file(small).size() < read_file(plain).size());
    const std::string ticks = run({"cat", path}).out;
    BOOST_TEST(!ticks.empty());
    BOOST_TEST((run({"cat", plain}).out == ticks));
    BOOST_TEST((run({"cat", small}).out == ticks));
  }
  check_run({"recompress", files.reel, "-o", files.folder / "x"}, 1,
            {"recordings of this format cannot be recompressed"});
}

// Through a reel the frames of a .butter stay as they are.
BOOST_FIXTURE_TEST_CASE(a_butter_comes_back_from_a_reel_with_its_frames, recordings) {
  const std::string between = folder / "r.reel";
  const std::string back = folder / "back.butter";
  const auto states_of = [](const std::string& path) {
    const outcome cat = run({"cat", path});
    BOOST_TEST(cat.code == 0, cat.err);
    return cat.out;
  };
  const std::string expected = states_of(butter);
  const auto round_trip = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words = {"convert", butter, between, "--json", "--force"};
    words.insert(words.end(), options.begin(), options.end());
    const outcome there = run(words);
    BOOST_TEST(there.code == 0, there.err);
    const outcome again = run({"convert", between, back, "--json", "--force"});
    BOOST_TEST(again.code == 0, again.err);
    BOOST_TEST(run({"verify", between, back}).code == 0);
    return std::pair(there.out.find("\"frames_kept\":true") != std::string::npos,
                     again.out.find("\"frames_kept\":true") != std::string::npos);
  };
  BOOST_TEST((round_trip({}) == std::pair(true, true)));
  BOOST_TEST((states_of(between) == expected));
  BOOST_TEST((states_of(back) == expected));
  BOOST_TEST(run({"events", between}).out == run({"events", butter}).out);
  BOOST_TEST(run({"diff", butter, back}).code == 0);
  // A second time, and from a reel into a reel.
  BOOST_REQUIRE(run({"convert", between, folder / "r2.reel"}).code == 0);
  BOOST_REQUIRE(run({"convert", folder / "r2.reel", folder / "back2.butter"}).code == 0);
  BOOST_TEST((read_file(back) == read_file(folder / "back2.butter")));
  // Options that request other frames.
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--keyframe-interval", "20"}, {"--no-bones"}, {"--repair"}}) {
    BOOST_TEST((round_trip(options) == std::pair(false, false)), options[0]);
  }
  BOOST_TEST(!round_trip({"--profile", "small"}).first);
}

BOOST_FIXTURE_TEST_CASE(convert_never_overwrites_without_force, recordings) {
  for (const std::string& from : all()) {
    for (const char* to : {"butter", "echoreplay", "reel"}) {
      BOOST_TEST_CONTEXT(from << " to " << to) {
        const std::string output = folder / (std::string("converted.") + to);
        BOOST_TEST(run({"convert", from, output}).code == 0);
        const std::string before = text_of_file(output);
        check_run({"convert", from, output}, 1, {output, "--force"});
        BOOST_TEST((text_of_file(output) == before));
        const outcome forced = run({"convert", from, output, "--force", "--json"});
        BOOST_TEST(forced.code == 0);
        dom::parser parser;
        const dom::object document = parse(parser, forced.out);
        BOOST_TEST(std::uint64_t(document["ticks"]) == ticks);
        BOOST_TEST(std::uint64_t(document["bytes"]) == std::filesystem::file_size(output));
        BOOST_TEST(run({"verify", output}).code == 0);
        std::filesystem::remove(output);
      }
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    BOOST_TEST(entry.path().extension() != ".part", "left behind: " << entry.path());
  }
}

BOOST_FIXTURE_TEST_CASE(convert_applies_its_options, recordings) {
  const std::string output = folder / "o.butter";
  const auto info = [&](const char* key) {
    dom::parser parser;
    const std::string text = run({"info", "--json", output}).out;
    return simdjson::to_string(parse(parser, text)[key].value());
  };
  BOOST_TEST(run({"convert", echoreplay, output, "--codec", "none", "--keyframe-interval", "60"}).code == 0);
  BOOST_TEST(info("codec") == "\"none\"");
  BOOST_TEST(info("keyframe_interval_ticks") == "60");
  const auto exact = std::filesystem::file_size(output);
  BOOST_TEST(run({"convert", echoreplay, output, "--codec", "none", "--profile", "small", "--force"}).code ==
             0);
  BOOST_TEST(std::filesystem::file_size(output) < exact);
  check_run({"convert", echoreplay, output, "--codec", "zstd", "--level", "19", "--force"}, 0,
            {"cannot open zstd"});
  BOOST_TEST(info("codec") == "\"zstd\"");
  BOOST_TEST(run({"convert", echoreplay, output, "--codec", "lz4", "--force"}).code == 2);
  BOOST_TEST(run({"convert", echoreplay, output, "--keyframe-interval", "0", "--force"}).code == 2);
  BOOST_TEST(run({"convert", echoreplay, folder / "o.mp4"}).code == 2);
  BOOST_TEST(run({"convert", echoreplay, folder / "o.mp4", "--to", "butter"}).code == 0);
  BOOST_TEST(run({"convert", echoreplay, output, "--to", "csv", "--force"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(messages_about_codecs_come_from_the_formats, recordings) {
  const auto refused = [&](const std::string& output, const std::vector<std::string>& options) {
    std::vector<std::string> words = {"convert", echoreplay, folder / output};
    words.insert(words.end(), options.begin(), options.end());
    const outcome said = run(words);
    BOOST_TEST(said.code == 2, output);
    return said.err;
  };
  const auto names = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  BOOST_TEST(
      names(refused("a.butter", {"--codec", "lz4"}), "--codec lz4: .butter takes none, gzip and zstd"));
  BOOST_TEST(names(refused("a.tape", {"--codec", "gzip"}), "--codec gzip: .tape takes zstd\n"));
  BOOST_TEST(
      names(refused("a.echoreplay", {"--codec", "zstd"}), "--codec zstd: .echoreplay takes none and gzip"));
  BOOST_TEST(names(refused("a.nevrcap", {"--keyframe-interval", "9"}), ".nevrcap has no keyframes"));
  BOOST_TEST(names(refused("a.tape", {"--profile", "small"}), ".tape is exact"));
  const outcome tape = run({"convert", echoreplay, folder / "a.tape", "--codec", "zstd"});
  BOOST_TEST(tape.code == 3, tape.err);  // its axes are stored as quaternions
  BOOST_TEST(!tape.says("cannot open zstd"), tape.err);
  const outcome help = run({"convert", "--help"});
  BOOST_TEST(names(help.out, ".icrep takes none and lz4"), help.out);
  const std::string recovered = run({"recover", "--help"}).out;
  for (const char* each : {".butter", ".nevrcap", ".tape"}) BOOST_TEST(names(recovered, each), recovered);
  BOOST_TEST(names(help.out, ".parquet takes none, gzip and zstd"), help.out);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
