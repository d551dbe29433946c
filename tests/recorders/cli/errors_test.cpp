// Errors name the cause, the place and the next step.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "lines.hpp"
#include "match_recordings.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(errors_test)

using namespace match_recordings;

BOOST_FIXTURE_TEST_CASE(errors_name_the_file_the_place_and_the_next_step, recordings) {
  const std::string strange = folder / "strange.butter";
  write_file(strange, std::string_view("this is not a recording"));
  for (const char* verb : {"info", "cat", "verify", "recover"}) {
    check_run({verb, strange}, 1, {"tickreel: " + strange + ": at offset 0: "});
  }
  BOOST_TEST(run({"info", strange}).says("known formats"));
  check_run({"info", folder / "absent"}, 1, {folder / "absent"});
  const std::string nowhere = folder / "no/such/folder.butter";
  BOOST_TEST(run({"convert", echoreplay, nowhere}).says("tickreel: " + nowhere));
  BOOST_TEST(run({"recover", butter, "-o", nowhere}).says("tickreel: " + nowhere));
  // One of several inputs: the others are still printed.
  const outcome mixed = run({"info", "--json", strange, butter});
  BOOST_TEST(mixed.code == 1);
  BOOST_TEST(lines_of(mixed.out).size() == 1u);
  BOOST_TEST(run({"verify", folder.path().string()}).code == 1);
}

BOOST_FIXTURE_TEST_CASE(advice_can_be_followed, recordings) {
  check_run({"convert", butter, folder / "no" + std::string("/x.butter")}, 1,
            {"the folder " + (folder / "no")});
  // Nothing can be recovered from bytes of no known format.
  write_file(folder / "empty.rec", tickreel::byte_span());
  BOOST_TEST(!run({"npc", "check", folder / "empty.rec"}).says("tickreel recover"));
  std::filesystem::copy_file(butter, folder / "my match.butter");
  const outcome past_end = run({"seek", folder / "my match.butter", "--tick", "1000000"});
  BOOST_TEST(past_end.says("info \"" + (folder / "my match.butter") + '"'), past_end.err);
}

BOOST_FIXTURE_TEST_CASE(messages_name_cause_and_position, recordings) {
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
  check_run({"record", "echo", "127.0.0.1:1", "--no-config", "--keep", "30"}, 2,
            {"30 has no unit: write 30h or 30d"});
}

BOOST_FIXTURE_TEST_CASE(a_folder_is_not_a_recording, recordings) {
  check_run({"info", folder.path().string()}, 1, {"this is a folder", "tickreel library scan"});
  BOOST_TEST(run({"convert", butter, folder.path().string()}).code == 2);
  BOOST_TEST(run({"convert", butter, folder / "new/"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_clock_is_reported_as_such, recordings) {
  check_run({"seek", butter, "--clock", "99:00"}, 1, {"the game clock never falls to that"});
}

BOOST_FIXTURE_TEST_CASE(an_error_names_its_file, recordings) {
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

// The file cannot be served; the message does not blame the port.
BOOST_FIXTURE_TEST_CASE(a_damaged_recording_to_serve_is_named, recordings) {
  const std::string one_chunk = folder / "one_chunk.butter";
  write_match(one_chunk, {});
  auto bytes = read_file(one_chunk);
  for (std::size_t at = bytes.size() / 4; at < bytes.size(); ++at) bytes[at] ^= std::byte{0x55};
  write_file(one_chunk, bytes);
  const outcome said = run({"serve", one_chunk, "--port", "0"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("tickreel: " + one_chunk + ": "), said.err);
  BOOST_TEST(!said.says("127.0.0.1"), said.err);
}

BOOST_FIXTURE_TEST_CASE(an_invalid_address_to_serve_on_is_named, recordings) {
  const outcome said = run({"serve", butter, "--bind", "nowhere", "--port", "0"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.err.starts_with("tickreel: nowhere:0: "), said.err);
}

BOOST_FIXTURE_TEST_CASE(a_key_requires_signatures_in_every_format, recordings) {
  const std::string digits(64, '7');
  for (const std::string& path : {butter, echoreplay}) {
    BOOST_TEST(run({"verify", path}).code == 0);
    const outcome said = run({"verify", path, "--key", digits});
    BOOST_TEST(said.code == 1);
    BOOST_TEST(said.out.find("not signed") != std::string::npos, said.out);
  }
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

BOOST_FIXTURE_TEST_CASE(only_files_are_replaced, recordings) {
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
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"info", pipe}, {"view", pipe, "--html", folder / "page.html"}}) {
    const outcome said = run(words);
    BOOST_TEST(said.code == 1, words.front());
    BOOST_TEST(said.says("this is a pipe"), said.err);
  }
}

BOOST_FIXTURE_TEST_CASE(names_cannot_move_the_cursor, recordings) {
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

// A hint can be typed as printed, whatever the file's name and whatever files are beside it.
BOOST_FIXTURE_TEST_CASE(hints_can_be_followed, recordings) {
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
  auto headless = read_file(reel);
  headless[30] ^= std::byte{1};
  write_file(reel, headless);
  BOOST_TEST(!run({"cat", reel}).says("tickreel recover"));
}

BOOST_FIXTURE_TEST_CASE(names_of_files_cannot_forge_messages, recordings) {
  const std::string odd = folder / "a\x1b[31m\nb.butter";
  BOOST_TEST(run({"convert", butter, odd}).code == 0);
  for (const outcome& said : {run({"clip", odd, "--from", "tick:99999999", "-o", folder / "c.butter"}),
                              run({"convert", odd, folder / "d.butter"})}) {
    BOOST_TEST(said.err.find("a\x1b") == std::string::npos, said.err);
    BOOST_TEST(said.err.find("\nb.butter") == std::string::npos, said.err);
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
