#include "browser.hpp"

#ifdef _WIN32
// Before the headers that depend on it.
#include "windows_api.hpp"

#include <shellapi.h>
#else
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

extern char** environ;
#endif

namespace tickreel::cli {

#ifdef _WIN32

bool open_in_browser(const std::string& address) {
  const auto answer = reinterpret_cast<INT_PTR>(
      ShellExecuteA(nullptr, "open", address.c_str(), nullptr, nullptr, SW_SHOWNORMAL));
  return answer > 32;
}

#else

bool open_in_browser(const std::string& address) {
#ifdef __APPLE__
  std::string program = "open";
#else
  std::string program = "xdg-open";
#endif
  std::string place = address;
  char* arguments[] = {program.data(), place.data(), nullptr};
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  // The browser's output is discarded, and the browser must not keep our output open.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t how;
  if (posix_spawnattr_init(&how) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return false;
  }
  // Its own process group: Ctrl-C ends this program, but not a browser that has just started.
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, &how, arguments, environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  // The opener ends soon after it passes the address on, or with the browser. A short wait shows whether it
  // failed.
  for (int looked = 0; looked < 20; ++looked) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  return true;
}

#endif

}  // namespace tickreel::cli
