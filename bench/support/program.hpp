// What every benchmark program has: a question, the environment, a table for people, JSON for scripts.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::bench {

class program {
 public:
  // Reads --json FILE and --quick; prints the question and the environment. Ends the process when the
  // arguments say so.
  program(int argc, char** argv, std::string_view name, std::string_view question);

  // A short run: shows that all works, its figures mean little.
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

// Cells of text, columns as wide as they need be; the first column to the left, numbers to the right.
class table {
 public:
  explicit table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// A number with three significant digits or none behind the point: 0.0421, 3.14, 271, 15300.
[[nodiscard]] std::string figure(double value);

}  // namespace tickreel::bench
