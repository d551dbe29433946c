// Which restrictions of a statement a scan takes over from SQLite, and which columns it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rows.hpp"

struct sqlite3_index_info;
struct sqlite3_value;

namespace tickreel::query {

// A restriction of the column `recording`.
struct name_filter {
  enum class kind : std::uint8_t { equal, like, glob };
  kind how = kind::equal;
  std::string text;
  [[nodiscard]] bool takes(const std::string& name) const;
};

struct plan {
  std::uint64_t columns = 0;  // by number; the last bit stands for all columns from 63 on
  std::vector<name_filter> names;
  bool is_by_name = false;  // the files in the order of their names
  limits within;
};

// Of xBestIndex: fills in `info`. False without memory.
[[nodiscard]] bool choose_plan(table which, std::size_t files, sqlite3_index_info& info);
// Of xFilter, from what choose_plan() wrote.
[[nodiscard]] plan read_plan(const char* text, int count, sqlite3_value** values);

}  // namespace tickreel::query
