// A cursor over one table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "file_scan.hpp"
#include "plan.hpp"
#include "rows.hpp"
#include "work.hpp"

namespace tickreel::query {

// What a scan has read of its current file.
struct current_file {
  std::size_t file = 0;
  std::uint64_t rows = 0;
  ticks_read read;
  std::vector<std::string> losses;
  bool is_from_index = false;
};

class table_scan {
 public:
  table_scan(work& of, table which);
  table_scan(const table_scan&) = delete;
  table_scan& operator=(const table_scan&) = delete;
  ~table_scan();

  // Moves to the first row.
  result<void> begin(plan how);
  result<void> next();
  [[nodiscard]] bool is_at_end() const noexcept { return is_at_end_; }
  // The file of the row, as in the list of inputs.
  [[nodiscard]] const std::string& file() const noexcept { return work_->inputs()[file_].file; }
  // Of another column than `recording`. Null for a value that the plan does not contain. Valid until next().
  [[nodiscard]] const value* at(int column);
  // Identifies the row in the table.
  [[nodiscard]] std::int64_t row_id() const noexcept;

 private:
  void choose_columns(std::uint64_t columns);
  result<void> begin_files(const plan& how);
  result<void> begin_statistics(const plan& how);
  result<bool> read_more();
  result<bool> read_one_file();
  void take(row_block block, std::size_t file);
  void account();
  void note_values();

  work* work_;
  request what_;
  std::uint64_t columns_ = 0;
  std::vector<int> slots_;  // of each column; -1: not read
  std::unique_ptr<file_scan> several_;
  // One file, read by this thread; kept for the next scan of it.
  std::unique_ptr<file_rows> one_;
  std::size_t one_file_ = 0;
  bool reads_one_ = false;
  row_block block_;
  std::size_t in_block_ = 0;
  std::size_t file_ = 0;
  std::optional<current_file> current_;
  // Of the table `statistics`.
  const std::vector<statistics_line>* lines_ = nullptr;
  std::vector<std::size_t> chosen_;
  std::size_t line_ = 0;
  bool is_at_end_ = true;
};

}  // namespace tickreel::query
