// serve and record with each other, as two processes.
#include <cerrno>
#include <cstring>
#include <iostream>

#include <simdjson.h>

#include "eventually.hpp"
#include "fixtures.hpp"
#include "run_program.hpp"
#include "served_game.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef __linux__
#include <pty.h>
#include <sys/wait.h>
#endif

BOOST_AUTO_TEST_SUITE(cli_record_tests)
BOOST_AUTO_TEST_SUITE(live_test)

#ifndef _WIN32

namespace {

using namespace tickreel::test;

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none_yet;
  for (std::filesystem::directory_iterator each(folder, none_yet), end; !none_yet && each != end; ++each) {
    files.push_back(each->path());
  }
  return files;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_served_match_is_recorded_in_every_format) {
  const scratch_folder folder;
  const served game({"--simulate", "--seed", "3", "--players", "1", "--loop"});
  outcome said;
  // On a busy machine no poll may be answered in that time, so nothing is recorded; or polls are lost, which is reported.
  for (int seconds = 3; seconds < 60 && files_in(folder / "out").size() < 4; seconds *= 2) {
    said = run({"record", "echo", game.address(), "--out", folder / "out", "--rate", "20", "--duration",
                std::to_string(seconds), "--format", "butter,echoreplay,reel,tape"});
  }
  BOOST_TEST((said.code == 0 || said.code == 3), said.err);
  const auto files = files_in(folder / "out");
  BOOST_TEST(files.size() >= 4u);  // more after a pause of some seconds
  for (const auto& file : files) {
    const int verified = run({"verify", file.string()}).code;
    BOOST_TEST((verified == 0 || (verified == 3 && said.code == 3)), file);
    BOOST_TEST(!all_states(file).empty(), file);
  }
}

BOOST_AUTO_TEST_CASE(json_reports_the_game_while_it_runs) {
  const scratch_folder folder;
  const served game({"--simulate", "--seed", "3", "--players", "3", "--no-bones", "--match-seconds", "60",
                     "--speed", "8", "--loop"});
  const outcome said = record_until(
      [](const outcome& each) {
        return count_of(R"("event":"standing")", each.out) > 8 &&
               count_of(R"("event":"happened")", each.out) > 2;
      },
      [&] { return std::vector<std::string>{game.address(), "--out", folder / "out"}; });
  BOOST_TEST((said.code == 0 || said.code == 3), said.err);
  simdjson::dom::parser parser;
  std::size_t standings = 0;
  std::size_t happened = 0;
  for (std::size_t at = 0, end = 0; (end = said.out.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = said.out.substr(at, end - at);
    simdjson::dom::element one;
    BOOST_REQUIRE_MESSAGE(parser.parse(line).get(one) == simdjson::SUCCESS, line);
    const std::string_view event = one["event"];
    if (event == "standing" && bool(one["in_match"])) {
      ++standings;
      BOOST_TEST(std::string_view(one["game_clock"]).find(':') != std::string_view::npos);
      BOOST_TEST(std::int64_t(one["blue"]["points"]) >= 0);
    }
    if (event == "happened") {
      ++happened;
      BOOST_TEST(!std::string_view(one["what"]["type"]).empty());
      BOOST_TEST(std::string_view(one["target"]) == game.address());
    }
  }
  BOOST_TEST(standings > 5u);
  BOOST_TEST(happened > 2u);
  // For people the output stays as short as before.
  const outcome plain =
      run({"record", "echo", game.address(), "--out", folder / "plain", "--duration", "0.2"});
  BOOST_TEST(plain.out.find("standing") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_stopped_recorder_finishes_its_file) {
  for (const char* signal : {"TERM", "HUP"}) {
    const scratch_folder folder;
    const served game({"--simulate", "--no-bones", "--loop"});
    const std::string pid = folder / "pid";
    const std::string code = folder / "code";
    const std::string log = folder / "log";
    std::string line = "(";
    line +=
        program_line({"record", "echo", game.address(), "--out", folder / "out", "--rate", "20", "--json"});
    line += " > " + shell_word(log) + " 2>&1 & echo $! > " + shell_word(pid) + "; wait $!; echo $? > " +
            shell_word(code);
    run_line(line + ") &");
    BOOST_REQUIRE(eventually([&] { return text_of_file(log).find("file_started") != std::string::npos; }));
    // Ticks are sealed.
    BOOST_REQUIRE(eventually([&] {
      for (const auto& each : files_in(folder / "out")) {
        if (shows_tick(each.string(), 5)) return true;
      }
      return false;
    }));
    run_line("kill -" + std::string(signal) + " $(cat " + shell_word(pid) + ")");
    BOOST_REQUIRE(eventually([&] { return text_of_file(code).ends_with('\n'); }));
    const std::string ended = text_of_file(code);
    BOOST_TEST((ended == "0\n" || ended == "3\n"), ended);
    const auto files = files_in(folder / "out");
    BOOST_REQUIRE(!files.empty());  // more than one after a pause of some seconds
    for (const auto& each : files) {
      BOOST_TEST(each.extension() == ".butter");
      BOOST_TEST(run({"verify", each.string()}).code == 0);
    }
    BOOST_TEST(text_of_file(log).find("\"event\":\"finished\"") != std::string::npos);
  }
}

// Whether the verb cleans up or not.
BOOST_AUTO_TEST_CASE(an_interrupted_verb_reports_it_once) {
  const scratch_folder folder;
  const std::string index = folder / "index";
  std::filesystem::create_directory(folder / "empty");
  BOOST_REQUIRE(run({"library", "scan", folder / "empty", "--db", index}).code == 0);
  const std::string endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"library", "find", "--db", index, "--sql", endless},
        {"query", endless, folder / "empty"}}) {
    // timeout of coreutils sends the signal; a statement that had not begun ends in the same way.
    const std::string err = folder / "err";
    run_line("timeout -s INT 1 " + program_line(words) + " > /dev/null 2> " + shell_word(err));
    BOOST_TEST(text_of_file(err) == "tickreel: interrupted\n", words[0]);
  }
}

BOOST_AUTO_TEST_CASE(a_port_in_use_gets_a_remedy) {
  const served game({"--simulate", "--no-bones"});
  const std::string port = game.address().substr(game.address().rfind(':') + 1);
  const scratch_folder folder;
  const std::string text = folder / "m.rec";
  for (const std::string option : {"--overlay", "--view", "--prometheus"}) {
    check_run({"record", "echo", "--out", folder / "o", option, port, "--duration", "1s"}, 1,
              {"address is in use", "choose another port with " + option});
  }
  check_run({"serve", "--simulate", "--port", port}, 1, {"choose another port with --port"});
}

BOOST_AUTO_TEST_CASE(polls_do_not_wait_for_readers_of_the_output) {
  const scratch_folder folder;
  const std::string pipe = folder / "pipe";
  const std::string ended = folder / "ended";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int ends = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  BOOST_REQUIRE(ends >= 0);
  // Full before the first line is written.
  for (std::size_t step : {std::size_t{4096}, std::size_t{1}}) {
    const std::string filler(step, '\n');
    while (::write(ends, filler.data(), filler.size()) > 0) continue;
  }
  const served game({"--simulate", "--seed", "3", "--players", "1", "--no-bones", "--loop"});
  const std::string pid = folder / "pid";
  run_line("(" +
           program_line({"record", "echo", game.address(), "--out", folder / "out", "--format", "reel",
                         "--no-config", "--json"}) +
           " > " + shell_word(pipe) + " & echo $! > " + shell_word(pid) + "; wait $!; echo $? > " +
           shell_word(ended) + ") &");
  BOOST_TEST(eventually([&] {
    for (const auto& each : files_in(folder / "out")) {
      if (shows_tick(each.string(), 1)) return true;
    }
    return false;
  }));
  run_line("kill -TERM $(cat " + shell_word(pid) + ")");
  std::string said;
  BOOST_TEST(eventually([&] {
    // The last lines come before the end.
    const bool has_ended = text_of_file(ended).ends_with('\n');
    char block[4096];
    for (ssize_t count = 0; (count = ::read(ends, block, sizeof block)) > 0;) {
      said.append(block, static_cast<std::size_t>(count));
    }
    return has_ended;
  }));
  ::close(ends);
  BOOST_TEST(said.find("\"event\":\"file_started\"") != std::string::npos);
}

#ifdef __linux__
BOOST_AUTO_TEST_CASE(an_unwritable_folder_is_rejected_at_the_start) {
  check_run({"record", "echo", "127.0.0.1:1", "--out", "/proc/self", "--duration", "60"}, 1, {"/proc/self"});
}
#endif

BOOST_AUTO_TEST_CASE(a_running_recorder_keeps_its_reel_and_its_name) {
  const scratch_folder folder;
  const std::string out = folder / "out";
  const std::string log = folder / "log";
  const std::string pid = folder / "pid";
  const served game({"--simulate", "--seed", "6", "--players", "1", "--loop"});
  BOOST_REQUIRE(run_line(program_line({"record", "echo", game.address(), "--out", out, "--rate", "30"}) +
                         " > " + shell_word(log) + " 2>&1 & echo $! > " + shell_word(pid)) == 0);
  std::string reel;
  const bool recorded = eventually([&] {
    for (const auto& each : files_in(out)) {
      const std::string name = each.string();
      if (name.ends_with(".reel") && shows_tick(name, 1)) reel = name;
    }
    return !reel.empty();
  });
  BOOST_REQUIRE_MESSAGE(recorded, text_of_file(log));
  check_run({"recover", reel}, 1, {"this file is being written already: by another process"});
  BOOST_TEST(run({"convert", reel, folder / "so_far.butter"}).code == 3);
  run_line("kill $(cat " + shell_word(pid) + ")");
  BOOST_TEST(eventually([&] { return text_of_file(log).find(" lost, ") != std::string::npos; }));
  const auto files = files_in(out);
  BOOST_REQUIRE(!files.empty());  // more than one after a pause of some seconds
  for (const auto& each : files) BOOST_TEST(each.extension() == ".butter");
}

#ifdef __linux__
BOOST_AUTO_TEST_CASE(a_status_line_stays_in_one_row_of_the_terminal) {
  constexpr unsigned short columns = 30;
  const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) {
    // Not available to this program: some containers mount no /dev/pts.
    std::cout << "not tested: no pseudo-terminal here: " << std::strerror(errno) << "\n";
    return;
  }
  if (child == 0) {
    const std::string line =
        program_line({"serve", "--simulate", "--port", "0", "--match-seconds", "1", "--speed", "4"}) +
        " > /dev/null";
    ::execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  std::string shown;
  char block[4096];
  for (ssize_t count = 0; (count = ::read(terminal, block, sizeof block)) > 0;) {
    shown.append(block, static_cast<std::size_t>(count));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  BOOST_TEST(status == 0);
  const std::string again = "\r\x1b[K";
  std::size_t lines = 0;
  for (std::size_t at = shown.find(again); at != std::string::npos; ++lines) {
    const std::size_t next = shown.find(again, at + again.size());
    const std::string line = shown.substr(at + again.size(), next - at - again.size());
    BOOST_TEST(line.size() < columns, line);
    at = next;
  }
  BOOST_TEST(lines > 1, shown);
}
#endif

BOOST_AUTO_TEST_CASE(an_unservable_file_is_reported) {
  BOOST_TEST(run({"serve"}).code == 2);
  const scratch_folder folder;
  BOOST_TEST(run({"serve", folder / "absent.butter"}).code == 1);
  const served game({"--simulate", "--loop"});
  const std::string port = game.address().substr(game.address().rfind(':') + 1);
  check_run({"serve", "--simulate", "--port", port}, 1, {"--port"});
  BOOST_TEST(run({"record", "echo", "a:b:c"}).code == 2);
  BOOST_TEST(run({"record", "echo", "--format", "mp4"}).code == 2);
  BOOST_TEST(run({"record", "echo", "--codec", "lz4"}).code == 2);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
