// Runs the real program and stores its output.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "scratch_folder.hpp"
#include "shared_data.hpp"

#ifdef _WIN32
#include "windows_process.hpp"
#else
#include <sys/wait.h>
#endif

namespace tickreel::test {

struct outcome {
  int code = -1;
  std::string out;
  std::string err;

  [[nodiscard]] bool says(std::string_view text) const { return err.find(text) != std::string::npos; }
};

#ifndef _WIN32

// For shell features: pipes, signals, background processes.
inline std::string shell_word(const std::string& word) {
  std::string text = "'";
  for (const char each : word) text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

inline std::string program_line(const std::vector<std::string>& words) {
  std::string line = shell_word(TICKREEL_PROGRAM);
  for (const std::string& each : words) line += ' ' + shell_word(each);
  return line;
}

// The exit code of a shell command.
inline int run_line(const std::string& line) {
  const int status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif

inline std::string text_of_file(const std::filesystem::path& path) {
  const byte_vector bytes = read_file(path);
  return std::string(as_text(bytes));
}

// `input` is a file name; empty: an input that is at its end.
inline outcome run(const std::vector<std::string>& words, const std::string& input = {}) {
  const scratch_folder folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  outcome result;
#ifdef _WIN32
  std::string refused;
  result.code = run_process(TICKREEL_PROGRAM, words, input, out, err, refused);
  result.out = text_of_file(out);
  result.err = text_of_file(err) + refused;
#else
  result.code = run_line(program_line(words) + " < " + shell_word(input.empty() ? "/dev/null" : input) +
                         " > " + shell_word(out) + " 2> " + shell_word(err));
  result.out = text_of_file(out);
  result.err = text_of_file(err);
#endif
  return result;
}

// Checks the exit code and that the program reports each of `texts`.
inline void check_run(const std::vector<std::string>& words, int code,
                      std::initializer_list<std::string_view> texts) {
  std::string line = "tickreel";
  for (const std::string& each : words) line += ' ' + each;
  const outcome said = run(words);
  BOOST_TEST_CONTEXT(line << ": " << said.err) {
    BOOST_TEST(said.code == code);
    for (const std::string_view text : texts) BOOST_TEST(said.says(text), text);
  }
}

}  // namespace tickreel::test
