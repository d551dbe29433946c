#include "own_window.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "console.hpp"
#include "stop_signal.hpp"
#include "system_console.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/version.hpp"
#include "tickreel/viewer/page.hpp"
#include "verb.hpp"

namespace tickreel::cli {

namespace {

// For shortcuts and for tests.
constexpr std::string_view window_option = "--window";
constexpr std::string_view info_verb = "info";

// The first character of a line; 0 at the end of the input, newline for an empty line.
int asked() {
  (void)standard_output().flush();
  const int first = std::getchar();
  for (int each = first; each != '\n' && each != EOF;) each = std::getchar();
  return first == EOF ? 0 : first == '\r' ? '\n' : first;
}

}  // namespace

bool is_in_own_window(const std::vector<std::string>& words) {
  if (words.size() > 1 && words[1] == window_option) return true;
  return owns_its_window() && (words.size() == 1 || (!words[1].starts_with('-') && path_exists(words[1])));
}

std::vector<std::string> ask_in_own_window(const std::vector<std::string>& words) {
  std::vector<std::string> run = {words[0]};
  auto files = words.begin() + 1;
  if (files != words.end() && *files == window_option) ++files;
  if (files != words.end()) {
    run.emplace_back(info_verb);
    run.insert(run.end(), files, words.end());
    return run;
  }
  const std::string folder = file_path(filesystem_path(documents_folder()) / "Tickreel").utf8();
  standard_output().write(fmt::format(
      "Tickreel {} records Echo VR while you play: one file for each match.\n\n"
      "  The game must run on this machine, with its API switched on: Settings, Enable API Access.\n"
      "  Files go to {}\n"
      "  Ctrl-C stops and finishes the file. Closing this window does, too.\n\n"
      "To inspect a recording, drop the file on the program.\n"
      "For everything else, open a terminal in this folder and type: tickreel --help\n\n"
      "Enter: record now. Q and Enter: close. ",
      version_text, printable(folder)));
  if (asked() != '\n') return run;
  run.insert(run.end(), {"record", "echo", "--out", folder});
  return run;
}

std::optional<std::vector<std::string>> ask_for_more(const std::vector<std::string>& words, int exit_code) {
  // The viewer takes one recording.
  const bool was_shown = words.size() == 3 && words[1] == info_verb && exit_code != failed;
  if (!was_shown || stop_requested() || !viewer::built_in_page()) return std::nullopt;
  standard_output().write("\nEnter: show it in the browser. Q and Enter: close. ");
  std::vector<std::string> run = {words[0]};
  if (asked() != '\n') return run;
  run.emplace_back("view");
  run.insert(run.end(), words.begin() + 2, words.end());
  return run;
}

void keep_own_window() {
  let_stop_signals_end();
  standard_output().write("\nEnter closes this window. ");
  (void)asked();
}

}  // namespace tickreel::cli
