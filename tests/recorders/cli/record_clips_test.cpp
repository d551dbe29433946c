// `record echo` saves the last seconds on a signal, from a terminal and into a buffer.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>

#include "eventually.hpp"
#include "fixtures.hpp"
#include "run_program.hpp"
#include "served_game.hpp"

#ifdef __linux__
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

BOOST_AUTO_TEST_SUITE(cli_record_tests)
BOOST_AUTO_TEST_SUITE(record_clips_test)

#ifndef _WIN32

namespace {

using namespace tickreel::test;

std::size_t count_in(const std::filesystem::path& folder, const std::string& part,
                     const std::string& extension) {
  std::size_t found = 0;
  std::error_code none_yet;
  for (std::filesystem::directory_iterator each(folder, none_yet), end; !none_yet && each != end; ++each) {
    const bool is = each->path().extension() == extension &&
                    each->path().filename().string().find(part) != std::string::npos;
    found += is ? std::size_t{1} : std::size_t{0};
  }
  return found;
}

// Whether a reel of the folder has a tick.
bool has_tick(const std::filesystem::path& folder) {
  std::error_code none_yet;
  for (std::filesystem::directory_iterator each(folder, none_yet), end; !none_yet && each != end; ++each) {
    if (each->path().extension() == ".reel" && shows_tick(each->path().string(), 0)) return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_signal_saves_the_buffer) {
  const scratch_folder folder;
  const served game({"--simulate", "--no-bones", "--loop"});
  const std::string pid = folder / "pid";
  const std::string code = folder / "code";
  const std::string log = folder / "log";
  const std::filesystem::path out = folder / "out";
  std::string line = "(";
  line += program_line({"record", "echo", game.address(), "--out", out.string(), "--rate", "20", "--json",
                        "--no-config", "--no-bones", "--buffer", "60s"});
  line += " > " + shell_word(log) + " 2>&1 & echo $! > " + shell_word(pid) + "; wait $!; echo $? > " +
          shell_word(code);
  run_line(line + ") &");
  BOOST_REQUIRE(eventually([&] { return has_tick(out); }));
  run_line("kill -USR1 $(cat " + shell_word(pid) + ")");
  BOOST_TEST(eventually([&] { return text_of_file(log).find("\"clip_saved\"") != std::string::npos; }));
  run_line("kill -TERM $(cat " + shell_word(pid) + ")");
  BOOST_REQUIRE(eventually([&] { return text_of_file(code).ends_with('\n'); }));
  const std::string ended = text_of_file(code);
  BOOST_TEST((ended == "0\n" || ended == "3\n"), ended << text_of_file(log));
  // The clip and nothing else.
  BOOST_TEST(count_in(out, "_clip", ".butter") == 1u);
  BOOST_TEST(count_in(out, "", ".butter") == 1u);
  BOOST_TEST(count_in(out, "", ".reel") == 0u);
  for (const auto& each : std::filesystem::directory_iterator(out)) {
    BOOST_TEST(run({"verify", each.path().string()}).code == 0, each.path());
  }
  BOOST_TEST(text_of_file(log).find("\"clips_saved\":1") != std::string::npos);
  BOOST_TEST(text_of_file(log).find("\"files_finished\":0") != std::string::npos);
}

#ifdef __linux__
BOOST_AUTO_TEST_CASE(c_and_enter_on_a_terminal_saves) {
  const scratch_folder folder;
  const served game({"--simulate", "--no-bones", "--loop"});
  const std::filesystem::path out = folder / "out";
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) {
    std::cout << "not tested: no pseudo-terminal here: " << std::strerror(errno) << "\n";
    return;
  }
  if (child == 0) {
    const std::string line = program_line({"record", "echo", game.address(), "--out", out.string(), "--rate",
                                           "20", "--no-config", "--no-bones"});
    ::execl("/bin/sh", "sh", "-c", ("exec " + line).c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  std::string shown;
  std::thread reading([&] {
    char block[4096];
    for (ssize_t count = 0; (count = ::read(terminal, block, sizeof block)) > 0;) {
      shown.append(block, static_cast<std::size_t>(count));
    }
  });
  BOOST_TEST(eventually([&] { return has_tick(out); }));
  // Longer words with the same beginning are not requests, nor is an empty line.
  const std::string_view typed = "clip\n\nx c\nc\n";
  BOOST_TEST(::write(terminal, typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
  BOOST_TEST(eventually([&] { return count_in(out, "_clip", ".butter") == 1; }));
  ::kill(child, SIGTERM);
  int status = 0;
  ::waitpid(child, &status, 0);
  reading.join();
  ::close(terminal);
  BOOST_TEST(shown.find("type c and Enter") != std::string::npos, shown);
  BOOST_TEST(count_in(out, "_clip", ".butter") == 1u);
  BOOST_TEST(count_in(out, "", ".butter") >= 2u);  // more matches after a pause of some seconds
}
#endif

BOOST_AUTO_TEST_CASE(contradictory_options_are_rejected) {
  BOOST_TEST(run({"record", "echo", "--clips", "gaol"}).says("goal"));
  BOOST_TEST(run({"record", "echo", "--clips", "gaol"}).code == 2);
  BOOST_TEST(run({"record", "echo", "--buffer", "10s", "--before", "20s"}).code == 2);
  BOOST_TEST(run({"record", "echo", "--buffer", "10s", "--split-rounds"}).code == 2);
  for (const char* option : {"--before", "--after", "--buffer"}) {
    for (const char* wrong : {"-1", "nan", "1e99", "x"}) {
      BOOST_TEST(run({"record", "echo", option, wrong}).code == 2, option << ' ' << wrong);
    }
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
