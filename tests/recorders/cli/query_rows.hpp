// Runs tickreel query and parses its rows.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "lines.hpp"
#include "run_program.hpp"
#include "tickreel/text/csv.hpp"

namespace tickreel::test {

using cells = std::vector<std::string>;

inline outcome run_query(const std::string& sql, const std::vector<std::string>& files,
                         const std::vector<std::string>& options = {}) {
  std::vector<std::string> words = {"query", sql};
  words.insert(words.end(), files.begin(), files.end());
  words.insert(words.end(), options.begin(), options.end());
  return run(words);
}

// The rows of a CSV output, without its header.
inline std::vector<cells> rows_of(const std::string& csv) {
  text::csv_rows rows(csv, ',');
  std::vector<cells> out;
  cells row;
  BOOST_REQUIRE(rows.next(row));
  while (rows.next(row)) out.push_back(row);
  return out;
}

// The rows of a statement that succeeds.
inline std::vector<cells> query_rows(const std::string& sql, const std::vector<std::string>& files,
                                     int code = 0) {
  const outcome said = run_query(sql, files, {"--csv"});
  BOOST_TEST(said.code == code, sql << "\n" << said.err);
  return rows_of(said.out);
}

}  // namespace tickreel::test
