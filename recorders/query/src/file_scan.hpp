// Rows of several files, in the order of the files, read by several threads.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "rows.hpp"
#include "tickreel/workers/hand_over.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::query {

class work;

// Some rows of one file, one after the other.
struct row_block {
  std::vector<value> cells;
  std::vector<std::uint64_t> ids;  // of the rows
  std::size_t rows = 0;
  std::vector<std::string> losses;  // up to the last of them
  ticks_read read;
  std::optional<error> failure;
  bool is_last = false;  // of the file
};

// Reads up to `max_rows` rows.
[[nodiscard]] row_block read_block(file_rows& from, std::size_t width, std::size_t max_rows);

// Uses the thread of the statement, except for its jobs.
class file_scan {
 public:
  file_scan(work& of, const request& what, const limits& within, std::vector<std::size_t> files);
  file_scan(const file_scan&) = delete;
  file_scan& operator=(const file_scan&) = delete;
  ~file_scan();

  // The next rows, and the number of their file. Empty at the end; interrupted.
  result<std::optional<row_block>> next(std::size_t& file);

 private:
  using channel = workers::hand_over<row_block>;
  void add_jobs();
  void read(const std::string& file, channel& to);

  work* work_;
  limits within_;
  std::vector<std::size_t> files_;
  std::vector<std::unique_ptr<channel>> channels_;  // by place in files_
  std::size_t current_ = 0;
  std::size_t added_ = 0;
  std::atomic<bool> stop_ = false;
  request watched_;            // `what`, which also stops with this scan
  workers::worker_pool pool_;  // last member: its jobs use the others
};

}  // namespace tickreel::query
