// Matches of the simulator, and the rows of their statistics as CSV.
#pragma once

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "tickreel/text/csv.hpp"

namespace tickreel::test {

// The rows of a CSV output, by the names of their columns.
inline std::vector<std::map<std::string, std::string>> named_rows(const std::string& csv) {
  text::csv_rows rows(csv, ',');
  std::vector<std::string> names, cells;
  BOOST_REQUIRE(rows.next(names));
  std::vector<std::map<std::string, std::string>> out;
  while (rows.next(cells)) {
    BOOST_REQUIRE(cells.size() == names.size());
    auto& row = out.emplace_back();
    for (std::size_t at = 0; at < names.size(); ++at) row[names[at]] = cells[at];
  }
  return out;
}

inline echo_vr::simulation_options match_of(std::uint64_t seed) {
  auto options = short_match();
  options.seed = seed;
  options.match_seconds = 40;
  return options;
}

}  // namespace tickreel::test
