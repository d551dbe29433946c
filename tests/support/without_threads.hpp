// A system that cannot start threads.
#pragma once

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <system_error>
#include <thread>

namespace tickreel::test {

inline constexpr int there_are_threads = 77;

// Runs `what` in a process that can start no thread, and returns its result, 0 to 76; there_are_threads if the system does not
// enforce the limit. Runs as another user, because the limit does not apply to root.
template <class Function>
int run_without_threads(Function&& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    const uid_t nobody = 65534;
    if (::getuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(there_are_threads);
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_NPROC, &none) != 0) ::_exit(there_are_threads);
    bool refused = false;
    try {
      std::thread([] {}).join();
    } catch (const std::system_error&) {
      refused = true;
    }
    int answer = there_are_threads;
    try {
      if (refused) answer = what();
    } catch (...) {
      answer = 76;  // the child must not continue as a test runner
    }
    ::_exit(answer);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace tickreel::test
#endif
