// Wrong usage is reported before anything is opened or written.
#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "run_program.hpp"

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(usage_test)

namespace {

using namespace tickreel::test;

struct one_match {
  scratch_folder folder;
  std::string butter = folder / "m.butter";
  std::string echoreplay = folder / "m.echoreplay";

  one_match() {
    write_match(butter, {});
    write_match(echoreplay, {});
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_unknown_verb_is_named) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"infos", "x"}, {"record", "infos"}, {"library", "infos"}}) {
    const outcome said = run(words);
    BOOST_TEST(said.code == 2);
    BOOST_TEST(said.says("has no verb 'infos'"), said.err);
  }
}

BOOST_AUTO_TEST_CASE(a_similar_name_is_suggested) {
  BOOST_TEST(run({"infos", "x"}).says("did you mean 'info'?"));
  BOOST_TEST(run({"conver"}).says("did you mean 'convert'?"));
  BOOST_TEST(run({"record", "ehco"}).says("did you mean 'echo'?"));
  BOOST_TEST(!run({"xylophone"}).says("did you mean"));
  const outcome said = run({"convert", "a.butter", "b.butter", "--keyframe-intervall", "3"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("did you mean '--keyframe-interval'?"), said.err);
  BOOST_TEST(said.says("tickreel: convert: "), said.err);
  BOOST_TEST(said.says("tickreel convert --help"), said.err);
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
    const outcome said = run({"record", "echo", address});
    BOOST_TEST(said.code == 2);
    BOOST_TEST(said.says(std::string("record echo: ") + text), said.err);
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
BOOST_FIXTURE_TEST_CASE(a_program_in_its_own_window_explains_itself, one_match) {
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

BOOST_FIXTURE_TEST_CASE(a_file_name_that_begins_like_an_option_gets_a_hint, one_match) {
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

BOOST_FIXTURE_TEST_CASE(a_clock_with_a_fraction_is_not_read_as_seconds, one_match) {
  const outcome said = run({"seek", butter, "--clock", "8.30"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("8:30"), said.err);
}

BOOST_FIXTURE_TEST_CASE(negative_numbers_are_rejected, one_match) {
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
BOOST_FIXTURE_TEST_CASE(non_numbers_are_in_no_range, one_match) {
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

BOOST_FIXTURE_TEST_CASE(a_reversed_range_is_reported, one_match) {
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
  const outcome said = run({"cat", butter, "--from", "2s", "--to", "3"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("--to 3 comes before --from 2s"), said.err);
  BOOST_TEST(run({"cat", butter, "--from", "5", "--to", "5"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(codecs_accept_only_their_levels, one_match) {
  const std::string output = folder / "x.butter";
  const outcome refused = run({"convert", butter, output, "--level", "10"});
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(refused.says("gzip has levels 1 to 9"), refused.err);
  BOOST_TEST(!std::filesystem::exists(output));
  BOOST_TEST(run({"recompress", echoreplay, "-o", output, "--level", "22"}).code == 2);
  BOOST_TEST(run({"record", "echo", "--level", "10", "--duration", "0.1"}).code == 2);
  BOOST_TEST(run({"convert", butter, folder / "x.reel", "--level", "4"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(a_key_requires_signatures_in_every_format, one_match) {
  const std::string digits(64, '7');
  for (const std::string& path : {butter, echoreplay}) {
    BOOST_TEST(run({"verify", path}).code == 0);
    const outcome said = run({"verify", path, "--key", digits});
    BOOST_TEST(said.code == 1);
    BOOST_TEST(said.out.find("not signed") != std::string::npos, said.out);
  }
}

BOOST_FIXTURE_TEST_CASE(advice_can_be_followed, one_match) {
  const outcome nowhere = run({"convert", butter, folder / "no" + std::string("/x.butter")});
  BOOST_TEST(nowhere.code == 1);
  BOOST_TEST(nowhere.says("the folder " + (folder / "no")), nowhere.err);
  // Nothing can be recovered from bytes of no known format.
  write_file(folder / "empty.rec", tickreel::byte_span());
  BOOST_TEST(!run({"npc", "check", folder / "empty.rec"}).says("tickreel recover"));
  std::filesystem::copy_file(butter, folder / "my match.butter");
  const outcome past_end = run({"seek", folder / "my match.butter", "--tick", "1000000"});
  BOOST_TEST(past_end.says("info \"" + (folder / "my match.butter") + '"'), past_end.err);
}

BOOST_FIXTURE_TEST_CASE(a_verb_lists_the_supported_formats, one_match) {
  const outcome said = run({"strip-voice", butter, "-o", folder / "x.butter"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("strip-voice takes .icrep"), said.err);
}

BOOST_FIXTURE_TEST_CASE(diff_names_what_it_compares, one_match) {
  BOOST_REQUIRE(run({"convert", butter, folder / "m.mcap"}).code == 0);
  BOOST_TEST(run({"diff", folder / "m.mcap", folder / "m.mcap"}).code == 0);
  const outcome said = run({"diff", folder / "m.mcap", butter});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("m.mcap (.mcap) and " + butter + " (.butter) cannot be compared"), said.err);
  BOOST_TEST(said.says("of one other format, such as .mcap"), said.err);
}

BOOST_FIXTURE_TEST_CASE(a_conversion_that_does_not_exist_is_wrong_usage, one_match) {
  const std::string mcap = folder / "m.mcap";
  BOOST_REQUIRE(run({"convert", butter, mcap}).code == 0);
  for (const char* const name : {"x.butter", "x.echoreplay", "x.rec"}) {
    const outcome said = run({"convert", mcap, folder / name});
    BOOST_TEST(said.code == 2, said.err);
    BOOST_TEST(said.says(".mcap files become "), said.err);
  }
  BOOST_TEST(run({"clip", mcap, "--from", "0s", "-o", folder / "x.butter"}).code == 2);
}

// The content of a copy would contradict its name.
BOOST_FIXTURE_TEST_CASE(verbs_that_keep_the_format_refuse_the_name_of_another, one_match) {
  for (const char* const verb : {"recompress", "anonymise"}) {
    for (const char* const name : {"x.reel", "x.echoreplay", "x.csv", "x.MCAP"}) {
      const outcome said = run({verb, butter, "-o", folder / name});
      BOOST_TEST(said.code == 1, verb << ' ' << name << ": " << said.err);
      BOOST_TEST(said.says("'tickreel convert' writes other formats"), said.err);
      BOOST_TEST(!std::filesystem::exists(folder.path() / name));
    }
    for (const char* const name : {"x.Butter", "x", "x.copy"}) {
      const outcome said = run({verb, butter, "-o", folder / name, "--force"});
      BOOST_TEST(said.code == 0, verb << ' ' << name << ": " << said.err);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_clip_equals_a_converted_range, one_match) {
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
  const outcome past_end = run({"clip", butter, "--from", "1h", "-o", folder / "x.butter"});
  BOOST_TEST(past_end.code == 1);
  BOOST_TEST(past_end.says("outside the recording: it ends with tick "), past_end.err);
}

BOOST_FIXTURE_TEST_CASE(messages_name_cause_and_position, one_match) {
  // Every verb reports where the recording ends, whatever its format.
  for (const char* name : {"end.echoreplay", "end.reel"}) {
    BOOST_REQUIRE(run({"convert", butter, folder / name}).code == 0);
  }
  const std::string all = run({"cat", butter}).out;
  const std::string last = all.substr(all.rfind("\n", all.size() - 2) + 1);
  const std::string end = "it ends with tick " + last.substr(8, last.find(',') - 8) + ", ";
  for (const std::string& file : {butter, folder / "end.echoreplay", folder / "end.reel"}) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"seek", file, "--tick", "100000"},
                                                  {"seek", file, "--time", "1h"},
                                                  {"cat", file, "--from", "1h"},
                                                  {"clip", file, "--from", "1h", "-o", folder / "x.reel"}}) {
      const outcome said = run(words);
      BOOST_TEST(said.says("outside the recording: " + end), words.front() << ": " << said.err);
    }
    const outcome nobody = run({"events", file, "--player", "No One"});
    BOOST_TEST(nobody.says("an argument is not valid: the recording has no player of that name or number"),
               nobody.err);
  }
  const outcome age = run({"record", "echo", "127.0.0.1:1", "--no-config", "--keep", "30"});
  BOOST_TEST(age.code == 2);
  BOOST_TEST(age.says("30 has no unit: write 30h or 30d"), age.err);
}

BOOST_FIXTURE_TEST_CASE(options_may_precede_the_files, one_match) {
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

BOOST_FIXTURE_TEST_CASE(a_margin_has_an_upper_limit, one_match) {
  for (const std::string option : {"--before", "--after"}) {
    BOOST_TEST(run({"clip", butter, "--around", "goal", option, "1e300", "-o", folder / "x.butter"}).code ==
               2);
  }
}

BOOST_FIXTURE_TEST_CASE(a_folder_is_not_a_recording, one_match) {
  const outcome said = run({"info", folder.path().string()});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("this is a folder"), said.err);
  BOOST_TEST(said.says("tickreel library scan"), said.err);
  BOOST_TEST(run({"convert", butter, folder.path().string()}).code == 2);
  BOOST_TEST(run({"convert", butter, folder / "new/"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_clock_is_reported_as_such, one_match) {
  const outcome never = run({"seek", butter, "--clock", "99:00"});
  BOOST_TEST(never.code == 1);
  BOOST_TEST(never.says("the game clock never falls to that"), never.err);
}

#ifndef _WIN32
BOOST_FIXTURE_TEST_CASE(only_files_are_replaced, one_match) {
  const std::string pipe = folder / "pipe.butter";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"convert", butter, pipe, "--force"},
                                                {"recompress", butter, "-o", pipe, "--force"},
                                                {"recover", butter, "-o", pipe, "--force"},
                                                {"keygen", pipe, "--force"},
                                                {"library", "stats", "--html", pipe, "--force"}}) {
    const outcome said = run(words);
    BOOST_TEST(said.code == 2, words.front());
    BOOST_TEST(said.says("not a file"), said.err);
  }
  BOOST_TEST(std::filesystem::is_fifo(pipe));
  // Opening it would block forever.
  const outcome said = run({"info", pipe});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("this is a pipe"), said.err);
}

BOOST_FIXTURE_TEST_CASE(names_cannot_move_the_cursor, one_match) {
  const std::string plain = folder / "plain.echoreplay";
  BOOST_REQUIRE(run({"convert", echoreplay, plain, "--codec", "none"}).code == 0);
  std::string text = text_of_file(plain);
  const std::string key = "\"client_name\":\"";
  BOOST_REQUIRE(text.find(key) != std::string::npos);
  for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += key.size()) {
    text.insert(at + key.size(), "\\u001b[31m");
  }
  write_file(plain, tickreel::as_bytes(text));
  const outcome said = run({"info", plain});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("\\x1b[31m") != std::string::npos);
  BOOST_TEST(said.out.find('\x1b') == std::string::npos);
}
#endif

// An option without effect is a mistake that the user would not notice.
BOOST_FIXTURE_TEST_CASE(options_without_effect_are_reported, one_match) {
  const std::string reel = folder / "m.reel";
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

BOOST_FIXTURE_TEST_CASE(an_error_names_its_file, one_match) {
  const std::string missing = folder / "missing";
  const std::string other = folder / "notes.txt";
  const std::string match = folder / "lines.reel";
  write_file(other, "no recording");
  write_match(match, {});
  struct mistake {
    std::vector<std::string> words;
    std::string named;
  };
  const std::vector<mistake> mistakes = {
      {{"diff", butter, missing}, missing},
      {{"diff", missing, butter}, missing},
      {{"diff", match, missing}, missing},
      {{"diff", butter, other}, other},
      {{"diff", other, butter}, other},
      {{"verify", echoreplay, "--against", missing}, missing},
      {{"verify", echoreplay, "--against", butter}, butter},
      {{"verify", butter, "--against", echoreplay}, butter},
      {{"verify", "--json", echoreplay, "--against", missing}, missing},
      {{"convert", missing, butter, "--force"}, missing},
      {{"convert", butter, folder / "none/x.butter"}, folder / "none/x.butter"},
  };
  for (const auto& [words, named] : mistakes) {
    const outcome said = run(words);
    BOOST_TEST(said.code == 1);
    BOOST_TEST(said.err.starts_with("tickreel: " + named + ": "), said.err);
  }
}

#ifndef _WIN32
// Its own message, without a mention of recordings.
BOOST_AUTO_TEST_CASE(an_unwritable_folder_is_reported_as_such) {
  const scratch_folder folder;
  // Permissions do not apply to the system's own user; only a path that is not a folder does.
  const bool is_root = ::geteuid() == 0;
  const std::string closed = is_root ? "/sys" : folder / "closed";
  if (!is_root) {
    std::filesystem::create_directory(closed);
    std::filesystem::permissions(closed, std::filesystem::perms::owner_read);
  }
  const outcome said = run({"record", "echo", "--no-config", "--duration", "1", "--out", closed});
  BOOST_TEST(said.code == 1, said.err);
  BOOST_TEST(said.says(closed), said.err);
  BOOST_TEST(said.says("choose another folder"), said.err);
  BOOST_TEST(!said.says("name the files in it"), said.err);
  if (!is_root) std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
  BOOST_TEST(run({"info", folder.path().string()}).says("name the files in it"));
}
#endif

// The file cannot be served; the message does not blame the port.
BOOST_FIXTURE_TEST_CASE(a_damaged_recording_to_serve_is_named, one_match) {
  auto bytes = read_file(butter);
  for (std::size_t at = bytes.size() / 4; at < bytes.size(); ++at) bytes[at] ^= std::byte{0x55};
  write_file(butter, bytes);
  const outcome said = run({"serve", butter, "--port", "0"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("tickreel: " + butter + ": "), said.err);
  BOOST_TEST(!said.says("127.0.0.1"), said.err);
}

#ifndef _WIN32
// A hint can be typed as printed, whatever the file's name and whatever files are beside it.
BOOST_FIXTURE_TEST_CASE(hints_can_be_followed, one_match) {
  auto bytes = read_file(std::string(TICKREEL_KEPT_RECORDINGS) + "/0.2.0/recordings/match.described.icrep");
  bytes.pop_back();
  for (const char* const name :
       {"plain.icrep", "two words.icrep", "a\x1b[31m\n'%s\\b.icrep", "a'b$c`d\"e.icrep"}) {
    const std::string cut = folder / name;
    write_file(cut, bytes);
    for (int round = 0; round < 2; ++round) {
      const outcome said = run({"info", cut});
      const std::string all = said.out + said.err;
      const std::size_t begin = all.find("'tickreel recover ");
      BOOST_REQUIRE_MESSAGE(begin != std::string::npos, all);
      const std::size_t end = all.rfind("' recovers the readable part");
      BOOST_REQUIRE_MESSAGE(end != std::string::npos, all);
      const std::string command = all.substr(begin + 10, end - begin - 10);
      const int code = run_line(shell_word(TICKREEL_PROGRAM) + ' ' + command + " > " +
                                shell_word(folder / "said") + " 2>&1");
      BOOST_TEST(code == 3, command + text_of_file(folder / "said"));
    }
  }
  // No hint if no command would help.
  auto headless = read_file(butter);
  const std::string reel = folder / "r.reel";
  BOOST_REQUIRE(run({"convert", butter, reel}).code == 0);
  headless = read_file(reel);
  headless[30] ^= std::byte{1};
  write_file(reel, headless);
  BOOST_TEST(!run({"cat", reel}).says("tickreel recover"));
}
#endif

#ifndef _WIN32
BOOST_FIXTURE_TEST_CASE(names_of_files_cannot_forge_messages, one_match) {
  const std::string odd = folder / "a\x1b[31m\nb.butter";
  BOOST_TEST(run({"convert", butter, odd}).code == 0);
  for (const outcome& said : {run({"clip", odd, "--from", "tick:99999999", "-o", folder / "c.butter"}),
                              run({"convert", odd, folder / "d.butter"})}) {
    BOOST_TEST(said.err.find("a\x1b") == std::string::npos, said.err);
    BOOST_TEST(said.err.find("\nb.butter") == std::string::npos, said.err);
  }
}
#endif

BOOST_AUTO_TEST_CASE(a_file_name_that_begins_like_the_help_option_is_wrong_usage) {
  const outcome said = run({"verify", "whole.butter", "-hx.butter"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("write './-hx.butter'"), said.err);
  BOOST_TEST(run({"verify", "-h"}).code == 0);
}

BOOST_AUTO_TEST_CASE(an_option_before_its_verb_gets_a_hint) {
  const outcome said = run({"library", "--db", "x", "scan", "y"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("--db must come before 'library scan'"), said.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
