#include "system_console.hpp"

#ifdef _WIN32
// Before the headers that depend on it.
#include "windows_api.hpp"

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <shlobj.h>
#include <timeapi.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#endif

namespace tickreel::cli {

#ifdef _WIN32

namespace {

// Newer than some headers.
constexpr DWORD colours = 0x0004;  // ENABLE_VIRTUAL_TERMINAL_PROCESSING

DWORD with_colours(DWORD stream) {
  const HANDLE console = ::GetStdHandle(stream);
  DWORD mode = 0;
  if (::GetConsoleMode(console, &mode) == 0) return 0;
  ::SetConsoleMode(console, mode | colours);
  return mode;
}

void put_back(DWORD stream, DWORD mode) {
  if (mode != 0) ::SetConsoleMode(::GetStdHandle(stream), mode);
}

std::string utf8_of(const std::wstring& wide) {
  const int length = static_cast<int>(wide.size());
  const int size = ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(std::max(size, 0)), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, text.data(), size, nullptr, nullptr);
  return text;
}

// Windows takes paths of 260 characters and more only in absolute form with a prefix.
std::wstring prefixed_if_long(const std::wstring& path) {
  constexpr std::size_t longest_plain = 240;
  std::error_code unknown;
  const std::wstring whole =
      std::filesystem::absolute(path, unknown).lexically_normal().make_preferred().wstring();
  if (unknown || whole.size() < longest_plain || whole.starts_with(LR"(\\)")) return path;
  return LR"(\\?\)" + whole;
}

// The files that match a pattern with * or ? in its last part, sorted; empty if it is not a pattern.
std::vector<std::string> files_that_fit(const std::wstring& word) {
  std::vector<std::string> found;
  const std::size_t slash = word.find_last_of(L"/\\:");
  const std::size_t name = slash == std::wstring::npos ? 0 : slash + 1;
  const std::size_t first = word.find_first_of(L"*?");
  if (word.starts_with(L'-') || first == std::wstring::npos || first < name) return found;
  WIN32_FIND_DATAW each{};
  const HANDLE search = ::FindFirstFileW(prefixed_if_long(word).c_str(), &each);
  if (search == INVALID_HANDLE_VALUE) return found;
  do {
    if ((each.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) continue;
    found.push_back(utf8_of(word.substr(0, name) + each.cFileName));
  } while (::FindNextFileW(search, &each) != 0);
  ::FindClose(search);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

system_console::system_console() {
  for (std::FILE* const each : {stdin, stdout, stderr}) (void)::_setmode(::_fileno(each), _O_BINARY);
  // When stderr is a file or a pipe this C library would buffer it until the program ends, and lose it if the
  // program is killed.
  (void)std::setvbuf(stderr, nullptr, _IONBF, 0);
  code_page_ = ::GetConsoleOutputCP();
  if (code_page_ != 0) ::SetConsoleOutputCP(CP_UTF8);
  output_mode_ = with_colours(STD_OUTPUT_HANDLE);
  error_mode_ = with_colours(STD_ERROR_HANDLE);
}

system_console::~system_console() {
  (void)std::fflush(stdout);
  put_back(STD_OUTPUT_HANDLE, output_mode_);
  put_back(STD_ERROR_HANDLE, error_mode_);
  if (code_page_ != 0) ::SetConsoleOutputCP(code_page_);
}

// Not from argv, which is in the user's code page.
std::vector<std::string> words_of(int argc, char** argv) {
  int count = 0;
  wchar_t** const all = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (all == nullptr) return {argv, argv + argc};
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) {
    const std::wstring word(all[i]);
    std::vector<std::string> files = i == 0 ? std::vector<std::string>() : files_that_fit(word);
    if (files.empty()) files.push_back(utf8_of(word));
    words.insert(words.end(), files.begin(), files.end());
  }
  ::LocalFree(all);
  return words;
}

bool is_standard_stream(const std::filesystem::path& /*file*/) {
  return false;
}

bool owns_its_window() {
  DWORD processes[2] = {};
  return ::GetConsoleProcessList(processes, 2) == 1;
}

std::string documents_folder() {
  wchar_t found[MAX_PATH] = {};
  if (::SHGetFolderPathW(nullptr, CSIDL_PERSONAL, nullptr, 0, found) != S_OK) return ".";
  return utf8_of(found);
}

fine_clock::fine_clock() noexcept
    : fine_clock(
          calls{[](unsigned milliseconds) noexcept -> unsigned { return ::timeBeginPeriod(milliseconds); },
                [](unsigned milliseconds) noexcept -> unsigned { return ::timeEndPeriod(milliseconds); }}) {
  // Windows 11 ignores the timer resolution of minimised windows unless this is set.
  PROCESS_POWER_THROTTLING_STATE keep{};
  keep.Version = PROCESS_POWER_THROTTLING_CURRENT_VERSION;
  keep.ControlMask = 0x4;  // PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION
  ::SetProcessInformation(::GetCurrentProcess(), ProcessPowerThrottling, &keep, sizeof keep);
}

#else

system_console::system_console() {
  // open() returns the lowest free descriptor. The opposite direction makes reads of 0 and writes to 1 and 2 fail.
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(each, F_GETFD) != -1 || errno != EBADF) continue;
    if (::open("/dev/null", each == STDIN_FILENO ? O_WRONLY : O_RDONLY) != each) return;
  }
}
system_console::~system_console() = default;

std::vector<std::string> words_of(int argc, char** argv) {
  return {argv, argv + argc};
}

bool is_standard_stream(const std::filesystem::path& file) {
  struct stat there{};
  if (::stat(file.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return false;
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    struct stat stream{};
    if (::fstat(each, &stream) == 0 && stream.st_dev == there.st_dev && stream.st_ino == there.st_ino)
      return true;
  }
  return false;
}

bool owns_its_window() {
  return false;
}

std::string documents_folder() {
  const char* const home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "." : home;
}

fine_clock::fine_clock() noexcept = default;

#endif

fine_clock::fine_clock(const calls& system) noexcept : system_(system), asked_(system.begin(1) == 0) {}

fine_clock::~fine_clock() {
  if (asked_) (void)system_.end(1);
}

}  // namespace tickreel::cli
