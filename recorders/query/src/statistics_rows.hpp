// The table `statistics`: the rows of `stats --csv` over all files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tickreel/files/monitor.hpp"
#include "tickreel/query/query.hpp"

namespace tickreel::query {

struct statistics_line {
  std::size_t file = 0;
  std::vector<value> values;  // of all columns but `recording`
};

struct statistics_reading {
  std::vector<statistics_line> lines;
  std::vector<std::optional<error>> failures;    // by file
  std::vector<std::vector<std::string>> losses;  // by file
  std::vector<std::string> notes;                // matches that do not count
};

// Of several recordings of one match the most complete one counts, and clips never do, as for `stats`.
[[nodiscard]] statistics_reading read_statistics(const std::vector<input>& inputs, std::size_t threads,
                                                 const files::monitor& watch);

}  // namespace tickreel::query
