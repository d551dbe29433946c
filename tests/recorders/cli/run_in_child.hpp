// Runs verbs in forked processes of the test program: faster than the program, and with the test's own system calls.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "program.hpp"
#include "run_program.hpp"

namespace tickreel::test {

inline constexpr unsigned seconds_per_verb = 300;

// Runs `work` in a child process; its outputs go to files.
inline outcome in_child(const scratch_folder& folder, const std::function<int()>& work) {
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    for (const int each : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) ::signal(each, SIG_DFL);
    ::alarm(seconds_per_verb);
    const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int from = ::open("/dev/null", O_RDONLY);
    ::dup2(from, STDIN_FILENO);
    ::dup2(to_out, STDOUT_FILENO);
    ::dup2(to_err, STDERR_FILENO);
    const int code = work();
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  outcome result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = text_of_file(out);
  result.err = text_of_file(err);
  return result;
}

inline int run_verb(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"tickreel"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& each : all) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return cli::run_program(static_cast<int>(all.size()), pointers.data());
}

inline outcome run_verb_in_child(const scratch_folder& folder, const std::vector<std::string>& words) {
  return in_child(folder, [&words] { return run_verb(words); });
}

}  // namespace tickreel::test
