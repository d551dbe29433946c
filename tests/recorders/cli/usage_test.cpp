// Wrong usage is reported before anything is opened or written.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "match_recordings.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(usage_test)

using namespace match_recordings;

BOOST_AUTO_TEST_CASE(an_unknown_verb_is_named) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"infos", "x"}, {"record", "infos"}, {"library", "infos"}}) {
    check_run(words, 2, {"has no verb 'infos'"});
  }
}

BOOST_AUTO_TEST_CASE(a_similar_name_is_suggested) {
  BOOST_TEST(run({"infos", "x"}).says("did you mean 'info'?"));
  BOOST_TEST(run({"conver"}).says("did you mean 'convert'?"));
  BOOST_TEST(run({"record", "ehco"}).says("did you mean 'echo'?"));
  BOOST_TEST(!run({"xylophone"}).says("did you mean"));
  check_run({"convert", "a.butter", "b.butter", "--keyframe-intervall", "3"}, 2,
            {"did you mean '--keyframe-interval'?", "tickreel: convert: ", "tickreel convert --help"});
}

BOOST_AUTO_TEST_CASE(usage_errors_name_the_verb) {
  BOOST_TEST(run({"convert"}).says("tickreel: convert: "));
  BOOST_TEST(run({"record", "echo", "--rate", "1e9"}).says("tickreel: record echo: "));
  BOOST_TEST(run({"cat", "x", "--from", "noon"}).says("'tickreel cat --help'"));
  BOOST_TEST(run({"seek", "x"}).says("'tickreel seek --help'"));
}

BOOST_AUTO_TEST_CASE(surplus_arguments_are_listed_in_their_order) {
  const outcome several = run({"cat", "a.butter", "3", "--fromm", "4", "--bar=c"});
  BOOST_TEST(several.code == 2);
  BOOST_TEST(several.says("cat: unexpected arguments '3', '--fromm', '4', '--bar=c'; did you mean '--from'?"),
             several.err);
  const outcome one = run({"seek", "a.butter", "b.butter", "--tick", "3"});
  BOOST_TEST(one.code == 2);
  BOOST_TEST(one.says("seek: unexpected argument 'b.butter'"), one.err);
  // An unknown option is named before a missing one.
  BOOST_TEST(run({"clip", "a.butter", "--outputt", "b.butter"}).says("did you mean '--output'?"));
}

BOOST_AUTO_TEST_CASE(a_wrong_address_of_a_game_is_explained) {
  const std::pair<const char*, const char*> wrong[] = {
      {":", "':': a host name or address is missing at offset 0; write HOST, HOST:PORT or HOST:PORT-PORT"},
      {"127.0.0.1:", "'127.0.0.1:': a port is a number from 1 to 65535 at offset 10; write HOST"},
      {"a,http://", "'a,http://': a host name or address is missing at offset 9; write HOST"}};
  for (const auto& [address, text] : wrong) {
    check_run({"record", "echo", address}, 2, {std::string("record echo: ") + text});
  }
}

BOOST_AUTO_TEST_CASE(help_and_version_are_verbs_too) {
  const outcome asked = run({"help", "record", "echo"});
  BOOST_TEST(asked.code == 0);
  BOOST_TEST(asked.out == run({"record", "echo", "--help"}).out);
  BOOST_TEST(run({"help"}).out == run({"--help"}).out);
  BOOST_TEST(run({"version"}).out == run({"--version"}).out);
  BOOST_TEST(run({"version"}).code == 0);
  BOOST_TEST(run({"help", "infos"}).code == 2);
}

// What a double click starts, without a window: the input is at its end.
BOOST_FIXTURE_TEST_CASE(a_program_in_its_own_window_explains_itself, recordings) {
  const outcome asked = run({"--window"});
  BOOST_TEST(asked.code == 0);
  BOOST_TEST(asked.out.find("Enter: record now") != std::string::npos, asked.out);
  BOOST_TEST(asked.out.find("Files go to ") != std::string::npos, asked.out);
  // Dropped on the program.
  const outcome shown = run({"--window", butter});
  BOOST_TEST(shown.code == 0);
  BOOST_TEST(shown.out.starts_with(run({"info", butter}).out), shown.out);
  // To look at, if the program contains the page.
  const bool offers = shown.out.find("Enter: show it in the browser") != std::string::npos;
  const bool ends = shown.out.find("Enter closes this window") != std::string::npos;
  BOOST_TEST(offers != ends, shown.out);
  // Several: the viewer accepts one.
  const outcome several = run({"--window", butter, butter, butter});
  BOOST_TEST(several.code == 0);
  BOOST_TEST(several.out.find("show it in the browser") == std::string::npos, several.out);
  BOOST_TEST(several.out.find("Enter closes this window") != std::string::npos, several.out);
  const outcome missing = run({"--window", butter + ".not"});
  BOOST_TEST(missing.code == 1);
  BOOST_TEST(missing.out.find("show it in the browser") == std::string::npos, missing.out);
  BOOST_TEST(missing.out.find("Enter closes this window") != std::string::npos, missing.out);
}

BOOST_FIXTURE_TEST_CASE(a_file_name_that_begins_like_an_option_gets_a_hint, recordings) {
  std::filesystem::copy_file(butter, folder / "-d.butter");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const outcome said = run({"info", "-d.butter"});
  const outcome named = run({"info", "./-d.butter"});
  std::filesystem::current_path(before);
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("'./-d.butter'"), said.err);
  BOOST_TEST(named.code == 0, named.err);
}

BOOST_FIXTURE_TEST_CASE(a_clock_with_a_fraction_is_not_read_as_seconds, recordings) {
  check_run({"seek", butter, "--clock", "8.30"}, 2, {"8:30"});
}

BOOST_FIXTURE_TEST_CASE(negative_numbers_are_rejected, recordings) {
  const std::vector<std::vector<std::string>> wrong = {
      {"seek", butter, "--tick", "-1"},
      {"seek", butter, "--time", "-1"},
      {"serve", "--simulate", "--port", "70000"},
      {"serve", "--simulate", "--port", "0", "--match-seconds", "-1"},
      {"record", "echo", "--idle-rate", "-1", "--duration", "0.1"},
      {"library", "find", "--limit", "-1"},
      {"library", "find", "--min-length", "-1"},
      {"convert", butter, folder / "x.butter", "--level", "-1"},
  };
  for (const auto& words : wrong) BOOST_TEST(run(words).code == 2, words[0] + ' ' + words[2]);
}

// CLI11's own ranges would interpret it as a number in them.
BOOST_FIXTURE_TEST_CASE(non_numbers_are_in_no_range, recordings) {
  const std::vector<std::vector<std::string>> wrong = {
      {"record", "echo", "127.0.0.1:1", "--duration", "0.1", "--out", folder / "nan", "--rate", "nan"},
      {"record", "echo", "127.0.0.1:1", "--duration", "nan", "--out", folder / "nan"},
      {"serve", butter, "--port", "0", "--speed", "nan"},
      {"serve", "--simulate", "--port", "0", "--match-seconds", "nan"},
      {"library", "watch", folder / "absent", "--poll", "nan"},
  };
  for (const auto& words : wrong) {
    const outcome said = run(words);
    BOOST_TEST(said.code == 2, words.front() << ' ' << words.back() << ": " << said.err);
  }
}

BOOST_FIXTURE_TEST_CASE(a_reversed_range_is_reported, recordings) {
  BOOST_TEST(run({"cat", butter, "--from", "10", "--to", "5"}).code == 2);
  BOOST_TEST(run({"cat", butter, "--from", "2s", "--to", "1s"}).code == 2);
  BOOST_TEST(run({"events", butter, "--from", "10", "--to", "5"}).code == 2);
  // Every verb interprets a place in the same way, and rejects the same ones.
  for (const auto& verb : {std::vector<std::string>{"cat", butter},
                           {"events", butter},
                           {"clip", butter, "-o", folder / "place.butter", "--force"},
                           {"convert", butter, folder / "place.reel", "--force"}}) {
    const auto with = [&](const char* from, const char* to) {
      std::vector<std::string> words = verb;
      words.insert(words.end(), {"--from", from});
      if (to != nullptr) words.insert(words.end(), {"--to", to});
      return run(words);
    };
    BOOST_TEST(with("00:50", nullptr).says("either clock"), verb.front());
    BOOST_TEST(with("2s", "1s").code == 2, verb.front());
    BOOST_TEST(with("00:00:01", "00:00:02").code == 0, verb.front());
    BOOST_TEST(with("00:01", "00:02").code == 0, verb.front());
  }
  BOOST_TEST(run({"cat", butter, "--from", "00:00:01", "--to", "00:00:02"}).out ==
             run({"cat", butter, "--from", "1s", "--to", "2s"}).out);
  BOOST_TEST(run({"cat", butter, "--from", "00:01", "--to", "00:02"}).out ==
             run({"cat", butter, "--from", "1s", "--to", "2s"}).out);
  // Only the recording determines which of these comes first.
  check_run({"cat", butter, "--from", "2s", "--to", "3"}, 1, {"--to 3 comes before --from 2s"});
  BOOST_TEST(run({"cat", butter, "--from", "5", "--to", "5"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(codecs_accept_only_their_levels, recordings) {
  const std::string output = folder / "x.butter";
  check_run({"convert", butter, output, "--level", "10"}, 2, {"gzip has levels 1 to 9"});
  BOOST_TEST(!std::filesystem::exists(output));
  BOOST_TEST(run({"recompress", echoreplay, "-o", output, "--level", "22"}).code == 2);
  BOOST_TEST(run({"record", "echo", "--level", "10", "--duration", "0.1"}).code == 2);
  BOOST_TEST(run({"convert", butter, folder / "x.reel", "--level", "4"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(a_verb_lists_the_supported_formats, recordings) {
  const outcome said = run({"strip-voice", butter, "-o", folder / "x.butter"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("strip-voice takes .icrep"), said.err);
}

BOOST_FIXTURE_TEST_CASE(diff_names_what_it_compares, recordings) {
  BOOST_REQUIRE(run({"convert", butter, folder / "m.mcap"}).code == 0);
  BOOST_TEST(run({"diff", folder / "m.mcap", folder / "m.mcap"}).code == 0);
  const outcome said = run({"diff", folder / "m.mcap", butter});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("m.mcap (.mcap) and " + butter + " (.butter) cannot be compared"), said.err);
  BOOST_TEST(said.says("of one other format, such as .mcap"), said.err);
}

BOOST_FIXTURE_TEST_CASE(a_conversion_that_does_not_exist_is_wrong_usage, recordings) {
  const std::string mcap = folder / "m.mcap";
  BOOST_REQUIRE(run({"convert", butter, mcap}).code == 0);
  for (const char* const name : {"x.butter", "x.echoreplay", "x.rec"}) {
    check_run({"convert", mcap, folder / name}, 2, {".mcap files become "});
  }
  BOOST_TEST(run({"clip", mcap, "--from", "0s", "-o", folder / "x.butter"}).code == 2);
}

// The content of a copy would contradict its name.
BOOST_FIXTURE_TEST_CASE(verbs_that_keep_the_format_refuse_the_name_of_another, recordings) {
  for (const char* const verb : {"recompress", "anonymise"}) {
    for (const char* const name : {"x.reel", "x.echoreplay", "x.csv", "x.MCAP"}) {
      check_run(
          {verb, butter, "-o", folder / name}, 2,
          {std::string(name) + ": the output has the format", "'tickreel convert' writes other formats"});
      BOOST_TEST(!std::filesystem::exists(folder.path() / name));
    }
    for (const char* const name : {"x.Butter", "x", "x.copy"}) {
      const outcome said = run({verb, butter, "-o", folder / name, "--force"});
      BOOST_TEST(said.code == 0, verb << ' ' << name << ": " << said.err);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_clip_equals_a_converted_range, recordings) {
  BOOST_TEST(run({"clip", butter, "--from", "1s", "--to", "2s", "-o", folder / "clip.butter"}).code == 0);
  BOOST_TEST(
      run({"convert", butter, folder / "part.any", "--from", "1s", "--to", "2s", "--to", "butter"}).code ==
      0);
  BOOST_TEST((read_file(folder / "clip.butter") == read_file(folder / "part.any")));
  // Either clock could be meant; reversed ranges; a format given twice.
  BOOST_TEST(run({"clip", butter, "--from", "08:30", "-o", folder / "x.butter"}).says("either clock"));
  BOOST_TEST(run({"clip", butter, "--from", "2s", "--to", "1s", "-o", folder / "x.butter"}).code == 2);
  BOOST_TEST(run({"clip", butter, "-o", folder / "x.butter"}).code == 2);
  BOOST_TEST(run({"convert", butter, folder / "x.any", "--to", "reel", "--to", "butter"}).code == 2);
  BOOST_TEST(run({"convert", butter, folder / "x.any", "--to", "bmp"}).code == 2);
  check_run({"clip", butter, "--from", "1h", "-o", folder / "x.butter"}, 1,
            {"outside the recording: it ends with tick "});
}

BOOST_FIXTURE_TEST_CASE(options_may_precede_the_files, recordings) {
  const auto check = [](const std::vector<std::string>& words) {
    const outcome said = run(words);
    BOOST_TEST(said.code == 0, words.front() << ": " << said.err);
  };
  check({"convert", "--to", "reel", butter, folder / "x.any"});
  check({"convert", "--from", "tick:1", "--to", "tick:9", "--to", "butter", butter, folder / "y.any"});
  check({"events", "--type", "goal,save", "--type", "throw", butter});
  const outcome said = run({"clip", "--around", "goals,save", "-o", folder / "z.butter", butter});
  BOOST_TEST((said.code == 0 || said.says("has no event of type goals or save")), said.err);
}

BOOST_FIXTURE_TEST_CASE(a_margin_has_an_upper_limit, recordings) {
  for (const std::string option : {"--before", "--after"}) {
    BOOST_TEST(run({"clip", butter, "--around", "goal", option, "1e300", "-o", folder / "x.butter"}).code ==
               2);
  }
}

// An option without effect is a mistake that the user would not notice.
BOOST_FIXTURE_TEST_CASE(options_without_effect_are_reported, recordings) {
  const std::string out = folder / "out";
  struct mistake {
    std::vector<std::string> words;
    std::string named;
  };
  const std::vector<mistake> mistakes = {
      {{"record", "echo", "--publish-keep", "3d"}, "--publish"},
      {{"record", "echo", "--publish-keep-bytes", "3G"}, "--publish"},
      {{"record", "echo", "--publish-replicas", "3"}, "--publish"},
      {{"record", "echo", "--publish-drop-oldest"}, "--publish"},
      {{"record", "echo", "--webhook-events", "goal"}, "--webhook"},
      {{"record", "echo", "--after", "3s"}, "--clips"},
      {{"record", "echo", "--format", "reel", "--extra"}, ".butter"},
      {{"record", "echo", "--format", "echoreplay", "--profile", "small"}, ".butter"},
      {{"clip", butter, "--from", "1", "--before", "3s", "-o", out + ".butter"}, "--around"},
      {{"clip", butter, "--from", "1", "--after", "3s", "-o", out + ".butter"}, "--around"},
      {{"clip", butter, "--from", "1", "--player", "Ada", "-o", out + ".butter"}, "--around"},
      {{"convert", butter, out + ".reel", "--extra"}, ".butter"},
      {{"convert", butter, out + ".echoreplay", "--keyframe-interval", "9"}, "keyframes"},
      {{"convert", butter, out + ".echoreplay", "--profile", "small"}, "exact"},
      {{"serve", butter, "--seed", "3"}, "--simulate"},
      {{"serve", butter, "--players", "3"}, "--simulate"},
      {{"serve", butter, "--no-bones"}, "--simulate"},
      {{"serve", "--simulate", "--repair"}, "--repair"},
      {{"view", butter, "--force"}, "--html"},
      {{"view", butter, "--html", out + ".html", "--port", "0"}, "--html"},
      {{"library", "stats", "--json", "--csv"}, "--csv"},
      {{"library", "find", "--sql", "SELECT 1", "--player", "Ada"}, "--player"},
      {{"fleet", "status", "nats://127.0.0.1:1", "--json", "--prometheus", "9"}, "--prometheus"},
  };
  for (const mistake& each : mistakes) {
    const outcome said = run(each.words);
    std::string line;
    for (const std::string& word : each.words) line += word + ' ';
    BOOST_TEST(said.code == 2, line);
    BOOST_TEST(said.says(each.named), line + ": " + said.err);
  }
  // The other one may be in the options file, where an option of another mode is not a mistake.
  const std::string config = folder / "tickreel.toml";
  write_file(config, tickreel::as_bytes("[record.echo]\nwebhook-events = \"goal\"\n"));
  BOOST_TEST(
      !run({"record", "echo", "--duration", "0.05", "127.0.0.1:1", "--out", folder / "o", "--config", config})
           .says("has no effect"));
}

BOOST_AUTO_TEST_CASE(a_file_name_that_begins_like_the_help_option_is_wrong_usage) {
  check_run({"verify", "whole.butter", "-hx.butter"}, 2, {"write './-hx.butter'"});
  BOOST_TEST(run({"verify", "-h"}).code == 0);
}

BOOST_AUTO_TEST_CASE(an_option_before_its_verb_gets_a_hint) {
  check_run({"library", "--db", "x", "scan", "y"}, 2, {"--db must come before 'library scan'"});
  check_run({"cat", "--", "-x.butter", "--from", "3"}, 2,
            {"unexpected arguments '--from', '3'", "--from must come before '--'"});
}

#ifndef _WIN32
BOOST_FIXTURE_TEST_CASE(everything_after_two_hyphens_is_a_file_name, recordings) {
  const scratch_folder here;
  std::filesystem::copy_file(butter, here / "-b.butter");
  std::filesystem::copy_file(butter, here / "a.butter");
  const auto info = [&](const std::string& words) {
    return run_line("cd " + shell_word(here.path().string()) + " && " + shell_word(TICKREEL_PROGRAM) +
                    " info " + words + " > out 2>&1");
  };
  for (const std::string words :
       {"-- -b.butter a.butter", "a.butter -- -b.butter", "--json a.butter -- -b.butter"}) {
    BOOST_TEST(info(words) == 0, words << ": " << text_of_file(here / "out"));
    BOOST_TEST(text_of_file(here / "out").find("-b.butter") != std::string::npos, words);
    BOOST_TEST(text_of_file(here / "out").find("./-b.butter") == std::string::npos, words);
  }
  check_run({"info", butter, "--", "--json"}, 1, {"tickreel: --json: no such file"});
}
#endif

// As of an unset variable of a shell.
BOOST_FIXTURE_TEST_CASE(an_empty_value_does_not_count_as_no_option, recordings) {
  const std::string out = folder / "x.butter";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"cat", butter, "--from", ""},
                                                {"cat", butter, "--to", ""},
                                                {"events", butter, "--from", ""},
                                                {"events", butter, "--to", ""},
                                                {"seek", butter, "--clock", ""},
                                                {"clip", butter, "--from", "1", "--to", "", "-o", out},
                                                {"convert", butter, out, "--from", ""},
                                                {"convert", butter, out, "--to", ""},
                                                {"anonymise", butter, "-o", out, "--salt", ""},
                                                {"events", butter, "--player", ""},
                                                {"npc", "build", "x.lua", "--set", ""}}) {
    check_run(words, 2, {words[0], ": the value is empty"});
    BOOST_TEST(!std::filesystem::exists(out));
  }
}

BOOST_FIXTURE_TEST_CASE(an_output_that_is_an_input_or_another_output_is_wrong_usage, recordings) {
  const std::string own = folder / "own.reel";
  BOOST_REQUIRE(run({"convert", butter, own}).code == 0);
  const std::string before = text_of_file(butter);
  const std::string reel_before = text_of_file(own);
  for (std::vector<std::string> words : {std::vector<std::string>{"convert", butter, butter},
                                         {"clip", butter, "--from", "1", "-o", butter},
                                         {"recompress", butter, "-o", butter},
                                         {"anonymise", butter, "-o", butter},
                                         {"compact", own, "-o", own},
                                         {"derive", own, "-o", own},
                                         {"recover", butter, "-o", butter},
                                         {"report", butter, "-o", butter},
                                         {"view", butter, "--html", butter},
                                         {"npc", "edit", butter, butter},
                                         {"npc", "plot", butter, "-o", butter},
                                         {"npc", "plot", butter, "-o", folder / "x", "--html", butter},
                                         {"sign", butter, "--key", own, "-o", own}}) {
    words.emplace_back("--force");
    check_run(words, 2, {": input and output are the same file"});
  }
  check_run({"npc", "plot", butter, "-o", folder / "x", "--html", folder / "x"}, 2,
            {": two outputs are the same file"});
  BOOST_TEST((text_of_file(butter) == before));
  BOOST_TEST((text_of_file(own) == reel_before));
}

BOOST_AUTO_TEST_CASE(an_output_that_needs_no_option_gets_a_hint) {
  check_run({"convert", "a.reel", "-o", "b.reel"}, 2,
            {"unexpected argument '-o'", "name the output after the input"});
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
