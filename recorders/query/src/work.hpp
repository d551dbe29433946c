// What the tables of one statement share.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "event_cache.hpp"
#include "library_tables.hpp"
#include "rows.hpp"
#include "statistics_rows.hpp"
#include "tickreel/query/query.hpp"

struct sqlite3;

namespace tickreel::query {

// All members are for the thread of the statement, except should_stop().
class work {
 public:
  work(const std::vector<input>& inputs, const options& how);

  [[nodiscard]] const std::vector<input>& inputs() const noexcept { return *inputs_; }
  [[nodiscard]] std::size_t threads() const noexcept { return threads_; }
  // Cancelled, or out of time.
  [[nodiscard]] bool should_stop();
  [[nodiscard]] bool is_out_of_time() const noexcept { return out_of_time_; }
  [[nodiscard]] files::monitor watch();

  // The names of columns beside the fixed ones.
  std::vector<std::string> paths;
  event_cache events;
  int event_scans = 0;                     // that are open at the same time
  std::unique_ptr<library_index> library;  // null: without its tables
  // The first error of a table, which ends the statement.
  std::optional<error> failure;

  // Reads all files once.
  result<const std::vector<statistics_line>*> statistics();

  // Losses of one file, or its failure.
  void note_losses(std::size_t file, const std::vector<std::string>& losses);
  void note_failure(std::size_t file, const error& why);
  void note_value(const std::string& path) { with_values_.insert(path); }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  // Notes files that cannot be opened, if the statement has read none. Not those found in folders.
  void check_unread_files();
  // The entry for a scan of a file.
  file_part& part_of(const request& what, std::size_t file);

  // Into the report.
  void finish(report& to);

 private:
  const std::vector<input>* inputs_;
  std::size_t threads_;
  std::function<bool()> cancelled_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::atomic<bool> out_of_time_ = false;

  std::optional<std::vector<statistics_line>> statistics_;
  std::map<std::size_t, file_note> files_;
  std::set<std::size_t> not_recordings_;
  std::set<std::string> with_values_;
  std::vector<std::string> notes_;
  struct part {
    table from = table::ticks;
    std::vector<std::string> columns;
    std::map<std::size_t, file_part> files;
  };
  std::vector<part> parts_;
};

// Interrupts the connection's statements when the work should stop. `of` must outlive it.
void watch_steps(sqlite3* connection, work& of);

}  // namespace tickreel::query
