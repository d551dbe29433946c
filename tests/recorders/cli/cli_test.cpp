// The program as scripts use it: exit codes, JSON, messages, files.
#include <simdjson.h>

#include <algorithm>
#include <set>

#include "fixtures.hpp"
#include "lines.hpp"
#include "run_program.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(cli_test)

namespace {

using namespace tickreel::test;
namespace dom = simdjson::dom;

struct recordings {
  scratch_folder folder;
  std::string butter = folder / "m.butter";
  std::string echoreplay = folder / "m.echoreplay";
  std::string reel = folder / "m.reel";
  std::size_t ticks = 0;

  recordings() {
    tickreel::files::convert_options options;
    options.keyframe_interval_ticks = 40;  // ticks per chunk of a reel
    for (const std::string& path : {butter, echoreplay, reel}) ticks = write_match(path, options).ticks;
  }
  [[nodiscard]] std::vector<std::string> all() const { return {butter, echoreplay, reel}; }

  // The first bytes of a file, in a file of another name.
  std::string cut(const std::string& path, double share, const std::string& name) const {
    const auto bytes = read_file(path);
    const auto size = static_cast<std::size_t>(static_cast<double>(bytes.size()) * share);
    write_file(folder / name, tickreel::byte_span(bytes).first(size));
    return folder / name;
  }
};

// The object in `text`, valid as long as the parser.
dom::object parse(dom::parser& parser, const std::string& text) {
  dom::object object;
  BOOST_REQUIRE_MESSAGE(parser.parse(text).get(object) == simdjson::SUCCESS, "not a JSON object: " << text);
  return object;
}

}  // namespace

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
  const outcome refused = run({"recompress", files.reel, "-o", files.folder / "x"});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(refused.says("recordings of this format cannot be recompressed"));
}

BOOST_AUTO_TEST_CASE(help_and_version_succeed_and_wrong_usage_fails) {
  const outcome version = run({"--version"});
  BOOST_TEST(version.code == 0);
  BOOST_TEST(version.out.starts_with("tickreel "));
  BOOST_TEST(std::count(version.out.begin(), version.out.end(), '.') == 2);
  for (const char* verb : {"record", "serve", "info", "cat", "seek", "verify", "recover", "convert"}) {
    const outcome help = run({verb, "--help"});
    BOOST_TEST(help.code == 0, verb);
    BOOST_TEST(help.out.find("Usage: ") != std::string::npos, verb);
    if (std::string_view(verb) != "record") {
      BOOST_TEST(help.out.find("Examples:\n  tickreel " + std::string(verb)) != std::string::npos, verb);
    }
    // FILE, or the source, is missing.
    BOOST_TEST(run({verb}).code == 2, verb);
    BOOST_TEST(run({verb, "--no-such-option"}).code == 2, verb);
  }
  BOOST_TEST(run({"record", "echo", "--help"}).out.find("Examples:") != std::string::npos);
  BOOST_TEST(run({}).code == 2);
  BOOST_TEST(run({"no-such-verb"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(info_is_one_stable_document, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      const outcome said = run({"info", path, "--json"});
      BOOST_TEST(said.code == 0);
      BOOST_TEST(said.err == "");
      dom::parser parser;
      const dom::object info = parse(parser, said.out);
      BOOST_TEST(std::string_view(info["format"]) == path.substr(path.rfind('.') + 1));
      BOOST_TEST(std::uint64_t(info["format_version"]) >= 1u);
      BOOST_TEST(std::uint64_t(info["bytes"]) == std::filesystem::file_size(path));
      BOOST_TEST(std::uint64_t(info["ticks"]) == ticks);
      BOOST_TEST(std::uint64_t(info["keyframes"]) >= 1u);
      BOOST_TEST(std::int64_t(info["duration_ms"]) > 10'000);
      BOOST_TEST(std::string_view(info["health"]) == "whole");
      std::size_t players = 0;
      for (const dom::element player : dom::array(info["players"])) {
        BOOST_TEST(!std::string_view(player["name"]).empty());
        BOOST_TEST(!std::string_view(player["team"]).empty());
        ++players;
      }
      BOOST_TEST(players >= 4u);
      std::set<std::string_view> keys;
      for (const auto field : info) BOOST_TEST(keys.insert(field.key).second, "twice: " << field.key);
      BOOST_TEST(run({"info", path}).out.find("health") != std::string::npos);
    }
  }
  const outcome several = run({"info", "--json", butter, reel});
  BOOST_TEST(lines_of(several.out).size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(cat_prints_one_object_per_line, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      const outcome said = run({"cat", path});
      BOOST_TEST(said.code == 0);
      BOOST_TEST(said.err == "");
      const std::vector<std::string> lines = lines_of(said.out);
      BOOST_REQUIRE(lines.size() == ticks);
      dom::parser parser;
      std::int64_t last_time = -1;
      for (std::size_t tick = 0; tick < ticks; ++tick) {
        const dom::object line = parse(parser, lines[tick]);
        BOOST_TEST(std::uint64_t(line["tick"]) == tick);
        BOOST_TEST(std::int64_t(line["time_ms"]) > last_time);
        last_time = line["time_ms"];
        BOOST_TEST(std::string_view(line["recorded_time"]).size() == 23u);
        BOOST_TEST(line["session"]["teams"].is_array());
      }
      const std::string one = run({"seek", path, "--tick", "100"}).out;
      BOOST_TEST(one == lines[100] + "\n");
      BOOST_TEST(run({"seek", path, "--time", "2"}).out == lines[60] + "\n");
      BOOST_TEST(run({"cat", path, "--from", "100", "--to", "100"}).out == one);
      BOOST_TEST(lines_of(run({"cat", path, "--from", "100", "--to", "119"}).out).size() == 20u);
      BOOST_TEST(lines_of(run({"cat", path, "--from", "1s", "--to", "2s"}).out).size() == 31u);
      BOOST_TEST(run({"cat", path, "--from", "100000"}).code == 1);
      BOOST_TEST(run({"cat", path, "--from", "soon"}).code == 2);
      BOOST_TEST(run({"seek", path, "--tick", "100000"}).code == 1);
      BOOST_TEST(run({"seek", path}).code == 2);
      BOOST_TEST(run({"seek", path, "--tick", "1", "--time", "1"}).code == 2);
      BOOST_TEST(run({"seek", path, "--clock", "soon"}).code == 2);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_clock_selects_the_same_tick_in_every_format, recordings) {
  std::set<std::string> times;
  for (const std::string& path : all()) {
    const outcome all_ticks_of = run({"cat", path});
    dom::parser parser;
    const dom::object first = parse(parser, lines_of(all_ticks_of.out).front());
    const double clock = first["session"]["game_clock"];
    const outcome found = run({"seek", path, "--clock", std::to_string(clock - 1.5)});
    BOOST_TEST(found.code == 0);
    times.insert(found.out.substr(0, found.out.find("\"session\"")));
  }
  BOOST_TEST(times.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(verify_reports_in_json_and_by_exit_code, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      dom::parser parser;
      const outcome sound = run({"verify", path, "--json"});
      BOOST_TEST(sound.code == 0);
      BOOST_TEST(bool(parse(parser, sound.out)["ok"]));
      const outcome cut_off = run({"verify", "--json", cut(path, 0.7, "cut")});
      const dom::object document = parse(parser, cut_off.out);
      const bool is_reel = path == reel;
      // A reel that just stops may still be growing: a torn record is an error, a missing end is not.
      if (!is_reel) BOOST_TEST(cut_off.code == 1);
      BOOST_TEST(bool(document["ok"]) == (cut_off.code == 0));
      std::size_t findings = 0;
      for (const dom::element each : dom::array(document["findings"])) {
        const std::string_view severity = each["severity"];
        BOOST_TEST((severity == "note" || severity == "warning" || severity == "error"));
        BOOST_TEST((each["offset"].is_uint64() || each["offset"].is_null()));
        BOOST_TEST(!std::string_view(each["message"]).empty());
        ++findings;
      }
      BOOST_TEST(findings > 0u);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(truncated_files_are_read_with_a_reported_loss_and_recovered, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      const std::string extension = path.substr(path.rfind('.'));
      const std::string damaged = cut(path, 0.8, "damaged" + extension);
      const outcome shown = run({"cat", damaged});
      BOOST_TEST(shown.code == 3);
      BOOST_TEST(shown.says("tickreel: " + damaged + ": "));
      dom::parser parser;
      BOOST_TEST(std::string_view(parse(parser, run({"info", damaged, "--json"}).out)["health"]) ==
                 "incomplete");
      const std::string saved =
          folder / ("saved" + extension + (extension == ".reel" ? ".butter" : extension));
      const outcome recovered = run({"recover", damaged, "-o", saved, "--json"});
      BOOST_TEST(recovered.code == 3);
      const dom::object document = parse(parser, recovered.out);
      BOOST_TEST(dom::array(document["lost"]).size() > 0u);
      BOOST_TEST(std::uint64_t(document["ticks"]) >= lines_of(shown.out).size());
      BOOST_TEST(run({"verify", saved}).code == 0);
      BOOST_TEST(run({"recover", damaged, "-o", saved}).code == 1);
      BOOST_TEST(run({"recover", damaged, "-o", saved, "--force"}).code == 3);
    }
  }
}

// The table of the chunks gives the end of a .butter.
BOOST_FIXTURE_TEST_CASE(trailing_bytes_of_a_butter_are_reported, recordings) {
  const auto whole = read_file(butter);
  const std::string both = folder / "both.butter";
  for (const auto& more : {whole, tickreel::byte_vector(3000, std::byte{0x5A})}) {
    auto bytes = whole;
    bytes.insert(bytes.end(), more.begin(), more.end());
    write_file(both, bytes);
    const std::string said = std::to_string(more.size()) + " bytes after the end at offset " +
                             std::to_string(whole.size()) + " are not part of this recording";
    const outcome verified = run({"verify", both});
    BOOST_TEST(verified.code == 1);
    BOOST_TEST(verified.out.find(said) != std::string::npos, verified.out);
    const outcome info = run({"info", both});
    BOOST_TEST(info.code == 3);
    BOOST_TEST(info.out.find("damaged") != std::string::npos, info.out);
    const std::vector<std::vector<std::string>> verbs = {
        {"cat", both},
        {"convert", both, folder / "out.reel", "--force"},
        {"convert", both, folder / "out.butter", "--force"},
        {"clip", both, "--from", "tick:0", "-o", folder / "out.butter", "--force"},
        {"anonymise", both, "-o", folder / "out.butter", "--force"},
        {"recompress", both, "-o", folder / "out.butter", "--force"}};
    for (const auto& verb : verbs) {
      const outcome read = run(verb);
      BOOST_TEST(read.code == 3, verb[0] << ": " << read.err);
      BOOST_TEST((read.says(said) || read.out.find(said) != std::string::npos), verb[0] << ": " << read.err);
    }
    const outcome recovered = run({"recover", both, "-o", folder / "out.butter", "--force"});
    BOOST_TEST(recovered.code == 3);
    BOOST_TEST(recovered.out.find("at offset " + std::to_string(whole.size())) != std::string::npos,
               recovered.out);
    // What it made is whole.
    BOOST_TEST(run({"verify", folder / "out.butter"}).code == 0);
  }
}

// The header of a recording is not its content.
BOOST_FIXTURE_TEST_CASE(info_fails_if_no_tick_can_be_read, recordings) {
  auto bytes = read_file(butter);
  // From the first chunk on.
  const std::size_t begin = tickreel::as_text(bytes).find("\x1F\x8B\x08");
  BOOST_REQUIRE(begin != std::string_view::npos);
  for (std::size_t at = begin; at < bytes.size(); ++at) bytes[at] = std::byte{0x55};
  const std::string damaged = folder / "damaged.butter";
  write_file(damaged, bytes);
  const outcome said = run({"info", damaged});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.out.find("damaged") != std::string::npos, said.out);
  BOOST_TEST(said.says("no tick can be read"), said.err);
  const std::string nonsense = folder / "nonsense.echoreplay";
  write_file(nonsense,
             std::string("2022/07/16 20:04:58.159\t{\"sessionid\":") + std::string(2000, 'x') + "\n");
  const outcome of_text = run({"info", nonsense});
  BOOST_TEST(of_text.code == 1, of_text.out);
  BOOST_TEST(of_text.says("no tick can be read"), of_text.err);
}

BOOST_FIXTURE_TEST_CASE(unreadable_lines_are_reported_if_a_reel_keeps_them, recordings) {
  const std::string plain = folder / "plain.echoreplay";
  BOOST_REQUIRE(run({"convert", echoreplay, plain, "--codec", "none"}).code == 0);
  const auto bytes = read_file(plain);
  std::string text(tickreel::as_text(bytes));
  const std::size_t third = text.find('\n', text.find('\n') + 1) + 1;
  text.insert(third, "nonsense\r\n");
  write_file(plain, text);
  const std::string said =
      "1 line cannot be read, the first is line 3 at offset " + std::to_string(third) + ": ";
  for (const char* name : {"of.reel", "of.butter"}) {
    const outcome made = run({"convert", plain, folder / name});
    BOOST_TEST(made.code == 3, name << made.err);
    BOOST_TEST(made.says(said), name << made.err);
  }
  // The reel has the text, which comes back without loss.
  BOOST_TEST(run({"convert", folder / "of.reel", folder / "back.echoreplay", "--codec", "none"}).code == 0);
  BOOST_TEST((read_file(folder / "back.echoreplay") == read_file(plain)));
}

// A checksum covers the whole archive: if it is wrong, any part of the archive may have been changed.
BOOST_FIXTURE_TEST_CASE(a_part_of_doubtful_lines_is_doubtful, recordings) {
  auto bytes = read_file(echoreplay);
  bytes[14] ^= std::byte{1};  // the checksum in front of the text
  const std::size_t directory = tickreel::as_text(bytes).rfind("PK\x01\x02");
  BOOST_REQUIRE(directory != std::string_view::npos);
  bytes[directory + 16] ^= std::byte{1};  // and the one in the directory
  const std::string doubtful = folder / "doubtful.echoreplay";
  write_file(doubtful, bytes);
  for (const std::string name : {"c.echoreplay", "c.reel", "c.butter"}) {
    const std::vector<std::pair<std::vector<std::string>, std::size_t>> ranges = {
        {{"--from", "tick:0"}, ticks}, {{"--from", "tick:20", "--to", "tick:29"}, 10}};
    for (const auto& [range, count] : ranges) {
      std::vector<std::string> words = {"clip", doubtful, "-o", folder / name, "--force"};
      words.insert(words.end(), range.begin(), range.end());
      const outcome made = run(words);
      BOOST_TEST(made.code == 3, name << ": " << made.err);
      BOOST_TEST(made.says(std::to_string(count) + " ticks may have been changed"), name << ": " << made.err);
      if (name == "c.butter") continue;  // which has no place for a mark
      const outcome info = run({"info", folder / name});
      BOOST_TEST(info.out.find("recovered") != std::string::npos, info.out);
      const outcome again = run({"convert", folder / name, folder / "again.butter", "--force"});
      BOOST_TEST(again.code == 3, again.err);
      BOOST_TEST(again.says(std::to_string(count) + " ticks may have been changed"), again.err);
    }
  }
  // The directory's checksum counts, wherever reading begins.
  for (const std::size_t place : {std::size_t{14}, directory + 16}) {
    auto once = read_file(echoreplay);
    once[place] ^= std::byte{1};
    write_file(doubtful, once);
    const int expected = place == 14 ? 0 : 1;
    BOOST_TEST(run({"cat", doubtful}).code == expected);
    const outcome part = run({"cat", doubtful, "--from", "tick:20"});
    BOOST_TEST(part.code == expected, part.err);
    BOOST_TEST(part.says("zip entry") == (expected != 0), part.err);
  }
  // Without fault nothing is said.
  BOOST_TEST(run({"cat", echoreplay, "--from", "tick:20"}).code == 0);
  BOOST_TEST(run({"clip", echoreplay, "--from", "tick:20", "-o", folder / "sound.reel"}).code == 0);
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

#ifndef _WIN32
// JSON has no bytes, and a terminal takes control characters for commands.
BOOST_FIXTURE_TEST_CASE(names_that_are_no_text_are_given_exactly_or_harmlessly, recordings) {
  const std::string odd = folder / "m\xFF\x1B[31m.butter";
  std::filesystem::copy_file(butter, odd);
  for (const char* const verb : {"info", "verify", "stats"}) {
    const outcome said = run({verb, odd, "--json"});
    BOOST_TEST(said.code == 0, said.err);
    BOOST_TEST(said.out.find("\"file_hex\":\"2f") != std::string::npos, said.out);
    BOOST_TEST(said.out.find("6dff1b5b33316d2e627574746572\"") != std::string::npos, said.out);
  }
  const outcome json = run({"convert", odd, folder / "m.reel", "--json", "--force"});
  BOOST_TEST(json.out.find("\"file_hex\"") != std::string::npos, json.out);
  BOOST_TEST(run({"info", butter, "--json"}).out.find("file_hex") == std::string::npos);
  const std::string out = folder / "o\x1B[31m.butter";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"convert", odd, out, "--force"},
                                                {"recover", odd, "-o", out, "--force"},
                                                {"recompress", odd, "-o", out, "--force"}}) {
    const outcome made = run(words);
    BOOST_TEST((made.code == 0 || made.code == 3), made.err);
    BOOST_TEST(made.out.find("31m.butter") != std::string::npos, made.out);
    BOOST_TEST(made.out.find('\x1B') == std::string::npos, words[0]);
    BOOST_TEST(made.err.find('\x1B') == std::string::npos, words[0]);
  }
}
#endif

BOOST_FIXTURE_TEST_CASE(recover_names_its_output_after_the_recording_and_keeps_other_temporary_files,
                        recordings) {
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const std::string left : {"x.butter.0123abcd.part", "x.butter.part"}) {
    std::filesystem::copy_file(butter, folder / left);
    const outcome made = run({"recover", folder / left, "--json", "--force"});
    BOOST_TEST((made.code == 0 || made.code == 3), made.err);
    const std::size_t name = made.out.find("x.recovered.butter\"");
    BOOST_REQUIRE_MESSAGE(name != std::string::npos && name > 0, made.out);
    BOOST_TEST((made.out[name - 1] == '/' || made.out[name - 1] == '\\'), made.out);
    BOOST_TEST(std::filesystem::exists(folder / left));
  }
  const std::string other = folder / "y.recovered.echoreplay.0123abcd.part";
  std::filesystem::copy_file(echoreplay, other);
  std::filesystem::last_write_time(other, old);
  std::filesystem::copy_file(echoreplay, folder / "y.echoreplay");
  BOOST_TEST(run({"recover", folder / "y.echoreplay", "-o", folder / "y.recovered.echoreplay"}).code == 0);
  BOOST_TEST(std::filesystem::exists(other));
}

BOOST_FIXTURE_TEST_CASE(runs_that_fail_before_they_write_remove_what_killed_ones_left, recordings) {
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  const std::string text = folder / "no.butter";
  std::ofstream(text) << "no recording";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"convert", text},
                                                {"clip", text, "--from", "1s", "-o"},
                                                {"clip", butter, "--from", "5400s", "-o"},
                                                {"anonymise", text, "--salt", "x", "-o"},
                                                {"compact", text, "-o"},
                                                {"derive", text, "-o"},
                                                {"recompress", text, "-o"},
                                                {"report", text, "-o"},
                                                {"view", text, "--html"},
                                                {"npc", "edit", text},
                                                {"convert", folder / "missing.butter"}}) {
    const std::string output = folder / "out.reel";
    const std::string left = output + ".0123abcd.part";
    std::ofstream(left) << "half";
    std::filesystem::last_write_time(left, old);
    std::vector<std::string> all = words;
    all.push_back(output);
    const outcome failing = run(all);
    BOOST_TEST(failing.code == 1, words[0] << ": " << failing.out << failing.err);
    BOOST_TEST(!std::filesystem::exists(left), words[0]);
    BOOST_TEST(!std::filesystem::exists(output), words[0]);
    std::filesystem::remove(left);
  }
  const std::string kept = folder / "out.butter.0123abcd.part";
  std::ofstream(kept) << "half";
  std::filesystem::last_write_time(kept, old);
  BOOST_TEST(run({"recover", text, "-o", folder / "out.butter"}).code == 1);
  BOOST_TEST(std::filesystem::exists(kept));
}

// Up to the longest name that a file system has.
BOOST_FIXTURE_TEST_CASE(outputs_may_have_long_names, recordings) {
  for (const std::string extension : {".butter", ".echoreplay", ".reel"}) {
    const std::string name = std::string(255 - extension.size(), 'n') + extension;
    const outcome made = run({"convert", echoreplay, folder / name});
    BOOST_TEST(made.code == 0, made.err);
    BOOST_TEST(run({"verify", folder / name}).code == 0);
  }
}

BOOST_FIXTURE_TEST_CASE(convert_never_overwrites_without_force, recordings) {
  for (const std::string& from : all()) {
    for (const char* to : {"butter", "echoreplay", "reel"}) {
      BOOST_TEST_CONTEXT(from << " to " << to) {
        const std::string output = folder / (std::string("converted.") + to);
        BOOST_TEST(run({"convert", from, output}).code == 0);
        const std::string before = text_of_file(output);
        const outcome refused = run({"convert", from, output});
        BOOST_TEST(refused.code == 1);
        BOOST_TEST(refused.says(output));
        BOOST_TEST(refused.says("--force"));
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
  const outcome zstd = run({"convert", echoreplay, output, "--codec", "zstd", "--level", "19", "--force"});
  BOOST_TEST(zstd.code == 0);
  BOOST_TEST(zstd.says("cannot open zstd"));
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

BOOST_FIXTURE_TEST_CASE(errors_name_the_file_the_place_and_the_next_step, recordings) {
  const std::string strange = folder / "strange.butter";
  write_file(strange, std::string_view("this is not a recording"));
  for (const char* verb : {"info", "cat", "verify", "recover"}) {
    const outcome said = run({verb, strange});
    BOOST_TEST(said.code == 1, verb);
    BOOST_TEST(said.says("tickreel: " + strange + ": at offset 0: "), said.err);
  }
  BOOST_TEST(run({"info", strange}).says("known formats"));
  const outcome absent = run({"info", folder / "absent"});
  BOOST_TEST(absent.code == 1);
  BOOST_TEST(absent.says(folder / "absent"));
  const std::string nowhere = folder / "no/such/folder.butter";
  BOOST_TEST(run({"convert", echoreplay, nowhere}).says("tickreel: " + nowhere));
  BOOST_TEST(run({"recover", butter, "-o", nowhere}).says("tickreel: " + nowhere));
  // One of several inputs: the others are still printed.
  const outcome mixed = run({"info", "--json", strange, butter});
  BOOST_TEST(mixed.code == 1);
  BOOST_TEST(lines_of(mixed.out).size() == 1u);
  BOOST_TEST(run({"verify", folder.path().string()}).code == 1);
}

BOOST_FIXTURE_TEST_CASE(the_content_decides_the_format_and_not_the_name, recordings) {
  const std::string disguised = folder / "x.echoreplay";
  std::filesystem::copy_file(butter, disguised);
  dom::parser parser;
  BOOST_TEST(std::string_view(parse(parser, run({"info", "--json", disguised}).out)["format"]) == "butter");
  BOOST_TEST(run({"cat", disguised}).out == run({"cat", butter}).out);
}

#ifndef _WIN32
BOOST_FIXTURE_TEST_CASE(a_closed_pipe_is_not_an_error, recordings) {
  const scratch_folder own;
  const std::string err = own / "err";
  const std::string code = own / "code";
  std::string line = "(";
  line += program_line({"cat", echoreplay}) + " 2> " + shell_word(err) + "; echo $? > " + shell_word(code);
  run_line(line + ") | head -n 1 > /dev/null");
  BOOST_TEST(text_of_file(code) == "0\n");
  BOOST_TEST(text_of_file(err) == "");
}

BOOST_FIXTURE_TEST_CASE(a_full_disk_is_an_error, recordings) {
  if (!std::filesystem::exists("/dev/full")) return;
  const scratch_folder own;
  const std::string err = own / "err";
  BOOST_TEST(run_line(program_line({"cat", butter}) + " > /dev/full 2> " + shell_word(err)) == 1);
  BOOST_TEST(text_of_file(err).find("standard output") != std::string::npos);
  BOOST_TEST(run_line(program_line({"info", butter}) + " > /dev/full 2> " + shell_word(err)) == 1);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
