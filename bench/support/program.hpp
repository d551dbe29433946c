// Common parts of every benchmark program: a question, the environment, a table for people, JSON for scripts.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::bench {

class program {
 public:
  // Reads --json FILE and --quick; prints the question and the environment. Ends the process if the arguments require it.
  program(int argc, char** argv, std::string_view name, std::string_view question);

  // A short run: a smoke test whose figures have little meaning.
  [[nodiscard]] bool quick() const noexcept { return quick_; }
  // What --json writes, next to `question` and `environment`.
  [[nodiscard]] boost::json::object& results() noexcept { return results_; }
  // Writes the JSON, if asked for. The process's exit code.
  [[nodiscard]] int finish();

 private:
  std::string json_path_;
  bool quick_ = false;
  boost::json::object results_;
};

// Cells of text, columns as wide as necessary; the first column is left-aligned, numbers are right-aligned.
class table {
 public:
  explicit table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// A number with three significant digits, or without a fraction: 0.0421, 3.14, 271, 15300.
[[nodiscard]] std::string figure(double value);

}  // namespace tickreel::bench
