// Standard output, error messages and progress.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::cli {

// Standard output as bytes. Once writing failed, everything else is dropped and ok() says so. Any thread:
// errors are reported after what was written before.
class output {
 public:
  // False when nobody takes it any more.
  bool write(std::string_view text);
  bool write_line(std::string_view text) { return write(text) && write("\n"); }
  bool flush();
  [[nodiscard]] bool ok() const noexcept { return errno_ == 0; }
  [[nodiscard]] int failure() const noexcept { return errno_; }

 private:
  std::atomic<int> errno_ = 0;
};
output& standard_output();

// Flushes standard output. A reader that closed the pipe has seen enough: the code stays. A full disk or a
// closed output is reported and makes it failed.
int finish_output(int code);

// "tickreel: FILE: at offset N: reason", and on the next line what to do about it.
void report_error(const file_path& file, const error& what, bool with_advice = true);
void report_error(std::string_view what);
// Which of a verb's two files an error is about.
[[nodiscard]] file_path file_of(const error& what, const file_path& input, const file_path& output);
// The usage is wrong in a way that only the verb can tell. Names the verb, and its help.
int report_usage(std::string_view what);
// The verb that runs, as it is typed behind the program's name: "record echo".
void set_running_verb(std::string verb);
// What somebody can do about the error that was reported, on a line of its own.
void report_advice(std::string_view what);
// "tickreel: FILE: ..." for things that are no failure.
void report_note(const file_path& file, std::string_view what);
// A note for each loss. The exit code: done_with_loss, or done if there is none.
int report_losses(const file_path& file, const std::vector<std::string>& losses);

// Before long work: `failed` when the output is there and not to be overwritten, wrong_usage when it is one
// of the inputs. Reported.
int refuse_output(const std::string& output, const std::vector<std::string>& inputs, bool overwrite);
// A file that appears whole or not at all; false, and reported, when it cannot be written.
bool write_file(const std::string& path, std::string_view text, bool overwrite);

[[nodiscard]] bool output_is_terminal();
[[nodiscard]] bool errors_are_terminal();

// Shows a line on standard error in the place of the one that was shown before, cut where the terminal ends:
// one that went on in the next row could not be taken back. Empty text takes it back.
void show_transient(std::string_view line);

// "1.5 MB", "2:03", "12:00.5".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
[[nodiscard]] std::string duration_text(std::int64_t milliseconds);

// Text without what would break a line or move a terminal's cursor.
[[nodiscard]] std::string printable(std::string_view text);

// Share, rate and time left on standard error, only on a terminal and only for work that takes a while.
class progress_bar {
 public:
  explicit progress_bar(std::string_view what) : what_(what) {}
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { clear(); }

  void show(std::uint64_t done, std::uint64_t total);
  void clear();
  // Shows here, and gives up when the user stops the program. Must not outlive this.
  [[nodiscard]] files::monitor monitor();

 private:
  using clock = std::chrono::steady_clock;
  std::string what_;
  clock::time_point started_ = clock::now();
  clock::time_point shown_ = {};
  bool visible_ = false;
};

}  // namespace tickreel::cli
