// Standard output, error messages and progress.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::cli {

// Standard output as bytes. After a write failed, further output is discarded and ok() returns false.
// Thread-safe; error messages appear after the output written before them.
class output {
 public:
  // Returns false when the output is closed.
  bool write(std::string_view text);
  bool write_line(std::string_view text) { return write(text) && write("\n"); }
  bool flush();
  [[nodiscard]] bool ok() const noexcept { return errno_ == 0; }
  [[nodiscard]] int failure() const noexcept { return errno_; }

 private:
  std::atomic<int> errno_ = 0;
};
output& standard_output();

// Flushes standard output. A closed pipe does not change the exit code: the reader has enough. A full disk or
// a closed descriptor is reported and makes it failed.
int finish_output(int code);

// "tickreel: FILE: at offset N: reason", and a remedy on the next line.
void report_error(const file_path& file, const error& what, bool with_advice = true);
void report_error(std::string_view what);
// "tickreel: interrupted", unless an error stated it.
void report_interruption();
// A port that a server cannot listen on: `where` is the address, or the option with its port.
int report_port(std::string_view where, const error& what, std::string_view option);
// Which of a verb's two files an error concerns.
[[nodiscard]] file_path file_of(const error& what, const file_path& input, const file_path& output);
// Reports wrong usage that only the verb can detect, with the verb's name and its help.
int report_usage(std::string_view what);
// The verb that runs, as typed after the program's name: "record echo".
void set_running_verb(std::string verb);
// A remedy for the reported error, on a line of its own.
void report_advice(std::string_view what);
// "tickreel: FILE: ..." for notices that are not failures.
void report_note(const file_path& file, std::string_view what);
// Prints a note for each loss. Returns done_with_loss, or done if there is none.
int report_losses(const file_path& file, const std::vector<std::string>& losses);

// Reports wrong usage if an output is one of the inputs, or two outputs are one file.
int refuse_shared_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);
// Checks all outputs of a verb before the first is written: reports `failed` if one exists and must not be
// overwritten.
int refuse_existing(const std::vector<std::string>& outputs, bool overwrite);
// A file that is replaced atomically. Returns false, and reports, if it cannot be written.
bool write_file(const std::string& path, std::string_view text, bool overwrite);

[[nodiscard]] bool errors_are_terminal();

// Replaces the status line on standard error, cut at the terminal's width: a wrapped line could not be
// erased. Empty text erases it.
void show_transient(std::string_view line);

// "1.5 MB", "2:03", "12:00.5".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
[[nodiscard]] std::string duration_text(std::int64_t milliseconds);

// Text without characters that would break a line or move a terminal's cursor.
[[nodiscard]] std::string printable(std::string_view text);
// The number of terminal columns: characters, not bytes.
[[nodiscard]] std::size_t width_of(std::string_view text);

// Share, rate and remaining time on standard error; only on a terminal and only for long work.
class progress_bar {
 public:
  explicit progress_bar(std::string_view what) : what_(what) {}
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { clear(); }

  void show(std::uint64_t done, std::uint64_t total);
  void clear();
  // A progress callback that shows here and cancels when the user stops the program. Must not outlive this
  // object.
  [[nodiscard]] files::monitor monitor();

 private:
  using clock = std::chrono::steady_clock;
  std::string what_;
  clock::time_point started_ = clock::now();
  clock::time_point shown_ = {};
  bool visible_ = false;
};

}  // namespace tickreel::cli
