// Declarations shared by the verbs of `tickreel library`. One file for each group of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "console/verb.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/library/catalogue.hpp"
#include "tickreel/library/index_reader.hpp"
#include "tickreel/library/index_writer.hpp"

namespace tickreel::cli {

void add_library_scan(command& library);      // scan, watch
void add_library_find(command& library);      // find
void add_library_stats(command& library);     // stats
void add_library_exchange(command& library);  // import, export

// --db, an option of every verb here and of query.
struct library_place {
  std::string database;

  void add_to(command& app);
  // Reports, and returns an empty result, if the index cannot be opened.
  [[nodiscard]] std::optional<library::catalogue> open(bool create) const;
  // The same for reading alone.
  [[nodiscard]] std::optional<library::connection> open_to_read() const;
  // The same for an index that is written, but not created.
  [[nodiscard]] std::optional<library::connection> open_to_write() const;
  [[nodiscard]] file_path path() const;

 private:
  // Reports, and returns false, without one.
  [[nodiscard]] bool has_path() const;
  [[nodiscard]] std::optional<library::connection> report_opened(result<library::connection> opened) const;
  void report_unopened(const error& why, bool create) const;
};

// The filters of find, stats and export.
struct library_filter {
  library::query what;
  std::string after;
  std::string before;
  std::optional<double> min_length_s;
  std::optional<double> max_length_s;

  void add_to(command& app);
  // Reports, and returns false, if a time cannot be parsed.
  [[nodiscard]] bool complete();
};

// Output of rows as a table or for programs.
enum class row_style : std::uint8_t { table, json, csv };
struct row_arguments {
  bool json = false;
  bool csv = false;

  void add_to(command& app);
  [[nodiscard]] row_style style() const noexcept {
    return json ? row_style::json : csv ? row_style::csv : row_style::table;
  }
};

[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

// Pads columns to their widest cell. On a terminal, lines are cut at its width.
class text_table {
 public:
  explicit text_table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void row(std::vector<std::string> cells);
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tickreel::cli
