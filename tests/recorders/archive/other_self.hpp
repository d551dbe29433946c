// A second process of the test program, which runs one case.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

extern char** environ;

namespace tickreel::test {

// Runs the case, named with its suites, with additional environment variables.
class other_self {
 public:
  other_self(const std::string& test, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"other_self", "--run_test=" + test, "--log_level=error",
                                      "--report_level=no"};
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    std::vector<std::string> given = more;
    std::vector<char*> all;
    for (std::string& each : given) all.push_back(each.data());
    for (char** each = environ; *each != nullptr; ++each) all.push_back(*each);
    all.push_back(nullptr);
    if (::posix_spawn(&process_, "/proc/self/exe", nullptr, nullptr, arguments.data(), all.data()) != 0) {
      process_ = -1;
    }
    BOOST_REQUIRE(process_ > 0);
  }
  other_self(const other_self&) = delete;
  other_self& operator=(const other_self&) = delete;
  ~other_self() { kill(); }

  // SIGKILL: no time to react.
  void kill() {
    if (process_ > 0 && !code_) {
      ::kill(process_, SIGKILL);
      (void)note(::waitpid(process_, &status_, 0));
    }
  }
  // The exit code, -1 if killed; nothing while it runs.
  std::optional<int> ended() {
    if (!code_) (void)note(::waitpid(process_, &status_, WNOHANG));
    return code_;
  }

 private:
  bool note(pid_t which) {
    if (which == process_) code_ = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
    return code_.has_value();
  }

  pid_t process_ = -1;
  int status_ = 0;
  std::optional<int> code_;
};

}  // namespace tickreel::test
