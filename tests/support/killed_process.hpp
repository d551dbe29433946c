// A child process that a test kills: the test program in a second process, by fork() or, on Windows, by starting it again.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#ifdef _WIN32
#include "windows_process.hpp"
#else
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

namespace tickreel::test {

// The function that a child runs with its arguments and the memory that it shares with the test. Returns the exit code.
using child_entry = int (*)(const std::vector<std::string>& words, void* memory);

namespace child_process {

#ifdef _WIN32

constexpr const char* words_variable = "TICKREEL_TEST_CHILD";
constexpr const char* memory_variable = "TICKREEL_TEST_MEMORY";

inline void* opened_memory(const std::string& name, std::size_t bytes) {
  const HANDLE mapping = bytes == 0 ? ::OpenFileMappingA(FILE_MAP_ALL_ACCESS, FALSE, name.c_str())
                                    : ::CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0,
                                                           static_cast<DWORD>(bytes), name.c_str());
  // Never closed: the name stays valid as long as the process.
  return mapping == nullptr ? nullptr : ::MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, 0);
}

#endif

}  // namespace child_process

// On Windows a started program becomes the child here, before any test. On other systems this does nothing.
template <child_entry Entry>
struct child_begins {
  child_begins() {
#ifdef _WIN32
    const char* const words = std::getenv(child_process::words_variable);
    const char* const memory = std::getenv(child_process::memory_variable);
    if (words == nullptr || memory == nullptr) return;
    std::vector<std::string> all(1);
    for (const char* each = words; *each != '\0'; ++each) {
      if (*each == '\n') {
        all.emplace_back();
      } else {
        all.back() += *each;
      }
    }
    void* const shared = child_process::opened_memory(memory, 0);
    std::_Exit(shared == nullptr ? 99 : Entry(all, shared));
#endif
  }
};

// A T in memory that the test and its children share.
template <class T>
class shared_memory {
 public:
  shared_memory() {
#ifdef _WIN32
    static int number = 0;
    name_ = "Local\\tickreel-" + std::to_string(::GetCurrentProcessId()) + '-' + std::to_string(++number);
    memory_ = child_process::opened_memory(name_, sizeof(T));
    BOOST_REQUIRE(memory_ != nullptr);
#else
    memory_ = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    BOOST_REQUIRE(memory_ != MAP_FAILED);
#endif
  }
  ~shared_memory() {
#ifdef _WIN32
    ::UnmapViewOfFile(memory_);
#else
    ::munmap(memory_, sizeof(T));
#endif
  }
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  T* renewed() { return new (memory_) T; }
  [[nodiscard]] void* address() const { return memory_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  void* memory_ = nullptr;
  std::string name_;
};

class killed_process {
 public:
  template <class T>
  killed_process(child_entry entry, const std::vector<std::string>& words, const shared_memory<T>& shared) {
#ifdef _WIN32
    (void)entry;  // checked by child_begins
    std::string all;
    for (const std::string& each : words) all += (all.empty() ? "" : "\n") + each;
    ::SetEnvironmentVariableA(child_process::words_variable, all.c_str());
    ::SetEnvironmentVariableA(child_process::memory_variable, shared.name().c_str());
    wchar_t program[1024] = {};
    ::GetModuleFileNameW(nullptr, program, 1023);
    const started_process child = start_process(program, line_word(program));
    ::SetEnvironmentVariableA(child_process::words_variable, nullptr);
    BOOST_REQUIRE_MESSAGE(child.process != nullptr, "no child could be started: error " << child.error);
    process_ = child.process;
#else
    process_ = ::fork();
    BOOST_REQUIRE(process_ >= 0);
    if (process_ == 0) ::_exit(entry(words, shared.address()));
#endif
  }
  ~killed_process() {
    kill();
#ifdef _WIN32
    ::CloseHandle(process_);
#endif
  }
  killed_process(const killed_process&) = delete;
  killed_process& operator=(const killed_process&) = delete;

  // The child exits, or is killed.
  [[nodiscard]] bool has_ended() {
#ifdef _WIN32
    if (!ended_) ended_ = ::WaitForSingleObject(process_, 0) == WAIT_OBJECT_0;
#else
    if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) == process_;
#endif
    return ended_;
  }
  // Kills the child immediately; the process has ended when this returns.
  void kill() {
    if (ended_) return;
#ifdef _WIN32
    ::TerminateProcess(process_, killed_code);
    ::WaitForSingleObject(process_, INFINITE);
#else
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status_, 0);
#endif
    ended_ = true;
  }
  // The exit code after the child has ended; -1 if it was killed.
  [[nodiscard]] int code() const {
#ifdef _WIN32
    DWORD code = 0;
    ::GetExitCodeProcess(process_, &code);
    return code == killed_code ? -1 : static_cast<int>(code);
#else
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
#endif
  }

 private:
  bool ended_ = false;
#ifdef _WIN32
  static constexpr DWORD killed_code = 0xDEAD;
  HANDLE process_ = nullptr;
#else
  pid_t process_ = -1;
  int status_ = 0;
#endif
};

}  // namespace tickreel::test
