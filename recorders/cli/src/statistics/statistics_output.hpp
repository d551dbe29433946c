// Statistics of players as tables, CSV, JSON and a page: for `stats` and for `library stats --full`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/statistics.hpp"

namespace tickreel::cli {

enum class statistics_style : std::uint8_t { tables, csv, json, page };

// A file to be looked at.
struct statistics_input {
  std::string file;
  bool found_in_folder = false;  // nobody named it: what is no recording is passed over, and counted
};

// Every file's rows in the order of the files, then their sums; worked out on all cores. `sums_only`: just
// the sums. Of several recordings of one match one counts, and clips never do; see files/session_choice.hpp.
// A file that cannot be read stops none of the others. An exit code.
int print_statistics(const std::vector<statistics_input>& inputs, statistics_style style, bool sums_only);

// A match that does not count, because it is a clip or another file holds more of it.
struct left_out_match {
  std::string file;
  std::size_t match = 0;  // in the file, from 1
  std::string reason;
};

// How one style writes. Texts are joined in the order: begin, matches as they come, end.
class statistics_writer {
 public:
  virtual ~statistics_writer() = default;
  [[nodiscard]] virtual std::string begin() { return {}; }
  // `number` counts the matches of a file from 1. May be called by several threads at once.
  [[nodiscard]] virtual std::string match(std::string_view file, std::size_t number,
                                          const files::match_rows& rows) const = 0;
  // Goes between two texts of match().
  [[nodiscard]] virtual std::string_view between() const { return {}; }
  // With the sums, in the order in which they are shown, and the matches that do not count.
  [[nodiscard]] virtual std::string end(const files::statistics_sums& sums,
                                        const std::vector<left_out_match>& left_out) = 0;
};
[[nodiscard]] std::unique_ptr<statistics_writer> make_table_writer();
[[nodiscard]] std::unique_ptr<statistics_writer> make_csv_writer(bool sums_only);
[[nodiscard]] std::unique_ptr<statistics_writer> make_json_writer();
[[nodiscard]] std::unique_ptr<statistics_writer> make_page_writer();

}  // namespace tickreel::cli
