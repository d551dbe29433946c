// System-dependent initialisation of the process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tickreel::cli {

// Switches the console to binary output, UTF-8 and colours, as other systems have by default. The destructor
// restores the settings. On POSIX systems, opens /dev/null in place of closed standard streams, so that no file of the
// program gets their descriptor; writing to a closed standard output still fails.
class system_console {
 public:
  system_console();
  ~system_console();
  system_console(const system_console&) = delete;
  system_console& operator=(const system_console&) = delete;

 private:
#ifdef _WIN32
  unsigned code_page_ = 0;
  unsigned long output_mode_ = 0;
  unsigned long error_mode_ = 0;
#endif
};

// The arguments of the command line in UTF-8. Where the shell does not expand patterns, *.butter is replaced
// by the matching files, if there are any.
[[nodiscard]] std::vector<std::string> words_of(int argc, char** argv);

// Whether the file is the target of one of the program's own streams: /dev/stdout, or the file after a
// shell's `>`. Not detected on Windows.
[[nodiscard]] bool is_standard_stream(const std::filesystem::path& file);

// Whether the program was started by a double click, so that its window closes with it.
[[nodiscard]] bool owns_its_window();

// The folder in which a user expects new files; the current folder if the system names none.
[[nodiscard]] std::string documents_folder();

// While it exists, waits have a resolution of milliseconds; the system's default clock there ticks 64 times a
// second.
class fine_clock {
 public:
  // Results of the Windows calls that begin and end a timer period (0: success). A seam for tests.
  struct calls {
    unsigned (*begin)(unsigned milliseconds) noexcept;
    unsigned (*end)(unsigned milliseconds) noexcept;
  };

  fine_clock() noexcept;
  explicit fine_clock(const calls& system) noexcept;
  ~fine_clock();
  fine_clock(const fine_clock&) = delete;
  fine_clock& operator=(const fine_clock&) = delete;

 private:
  calls system_ = {};
  bool asked_ = false;  // no effect on other systems
};

}  // namespace tickreel::cli
