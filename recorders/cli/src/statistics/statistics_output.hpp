// Players' statistics as tables, CSV, JSON and a page: for `stats` and `library stats --full`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "console/file_batch.hpp"
#include "tickreel/files/statistics.hpp"

namespace tickreel::cli {

enum class statistics_style : std::uint8_t { tables, csv, json, page };

// Writes every file's rows in the order of the files, then their sums; computed on all cores. `sums_only`:
// only the sums. Of several recordings of one part of a match one counts, and clips never do; see
// files/session_choice.hpp. An unreadable file does not stop the others. Returns an exit code.
int print_statistics(const std::vector<named_file>& inputs, statistics_style style, bool sums_only);

// A match that does not count: a clip, or a match that another file holds more of.
struct left_out_match {
  std::string file;
  std::size_t match = 0;  // in the file, from 1
  std::string reason;
};

// An output style. The texts are joined: begin, matches in order, end.
class statistics_writer {
 public:
  virtual ~statistics_writer() = default;
  [[nodiscard]] virtual std::string begin() { return {}; }
  // `number` counts the matches of a file from 1. Called by several threads at the same time.
  [[nodiscard]] virtual std::string match(std::string_view file, std::size_t number,
                                          const files::match_rows& rows) const = 0;
  // Separates two texts of match().
  [[nodiscard]] virtual std::string_view between() const { return {}; }
  // The sums in the order in which they are shown, and the matches that do not count.
  [[nodiscard]] virtual std::string end(const files::statistics_sums& sums,
                                        const std::vector<left_out_match>& left_out) = 0;
};
[[nodiscard]] std::unique_ptr<statistics_writer> make_table_writer();
[[nodiscard]] std::unique_ptr<statistics_writer> make_csv_writer(bool sums_only);
[[nodiscard]] std::unique_ptr<statistics_writer> make_json_writer();
[[nodiscard]] std::unique_ptr<statistics_writer> make_page_writer();

}  // namespace tickreel::cli
