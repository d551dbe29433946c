// The answers to a page that queries one recording.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "tickreel/query/query.hpp"

namespace tickreel::query {

struct page_limits {
  std::size_t max_rows = 1000;       // in the answer
  std::size_t max_text_bytes = 400;  // of a cell in the answer; "\xE2\x80\xA6" ends a longer text
};

// {"columns":[{"name":..,"unit":..,"meaning":..},..],"rows":[[..],..],"count":..,"csv_bytes":..,"losses":[sentences],
// "notes":[sentences],"error":"sentence"}. `rows` are the first ones, `count` is the number of all, and `error` is missing if
// the statement succeeds. Units and meanings are missing where they are unknown.
//
// `csv` receives all rows as CSV, in pieces; `csv_bytes` of them are the names and the rows of the answer. It returns false to
// receive no more. `sql` may be the name of a table, as for select_all().
[[nodiscard]] std::string page_answer(std::string_view sql, const input& from, const options& how,
                                      const page_limits& most,
                                      const std::function<bool(std::string_view piece)>& csv);

// [{"name":"ticks","columns":[{"name":"tick","type":"INTEGER"},..],"has_paths":true},..]
[[nodiscard]] std::string table_list();

}  // namespace tickreel::query
