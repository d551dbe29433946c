// What the program asks of the system before anything else, where systems differ.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tickreel::cli {

// Bytes go out as they are, text is UTF-8 and colours are understood, as elsewhere by themselves. What was
// changed of the console is put back at the end.
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

// The words of the command line in UTF-8. Where the shell leaves patterns to its programs, *.butter becomes
// the files that it fits, if there are any.
[[nodiscard]] std::vector<std::string> words_of(int argc, char** argv);

// Whether a file is what one of the program's own streams goes to or comes from: /dev/stdout, or the name
// behind a shell's `>`. Not told on Windows.
[[nodiscard]] bool is_standard_stream(const std::filesystem::path& file);

// Whether the program was started by a double click: its window will close with it.
[[nodiscard]] bool owns_its_window();

// Where somebody looks for what they made; the current folder when the system does not say.
[[nodiscard]] std::string documents_folder();

// While it lives, waiting for milliseconds takes milliseconds; the system's usual clock there ticks 64 times
// a second.
class fine_clock {
 public:
  // What Windows answers to those who ask for milliseconds and give them back (0: done). A seam for tests.
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
  bool asked_ = false;  // elsewhere nothing is
};

}  // namespace tickreel::cli
