#include "tickreel/columns/column.hpp"

#include <set>
#include <string_view>
#include <utility>

#include "tickreel/text/utf8.hpp"

namespace tickreel::columns {

result<void> check_columns(std::span<const column> columns, std::span<const key_value> facts) {
  const auto refuse = [](const char* why) {
    return fail(error_code::invalid_argument, error::no_offset, why);
  };
  if (columns.empty()) return refuse("a table without columns");
  std::set<std::string_view> names;
  for (const column& each : columns) {
    if (each.name.empty() || !text::is_utf8(each.name))
      return refuse("the name of a column is empty or not UTF-8");
    if (!names.insert(each.name).second) return refuse("two columns have the same name");
    if (!text::is_utf8(each.unit) || !text::is_utf8(each.meaning))
      return refuse("the unit of a column is not UTF-8");
  }
  for (const key_value& each : facts) {
    if (!text::is_utf8(each.key) || !text::is_utf8(each.value))
      return refuse("a fact about the file is not UTF-8");
  }
  return {};
}

result<table> make_table(std::vector<column> columns, std::vector<key_value> facts,
                         const codec_options& codec, bool takes, const char* codecs) {
  if (auto valid = check_columns(columns, facts); !valid) return fail(valid.error());
  if (!takes) return fail(error_code::invalid_argument, error::no_offset, codecs);
  auto made = compressor::create(codec);
  if (!made) return fail(made.error());
  return table{std::move(columns), std::move(facts), std::move(*made)};
}

}  // namespace tickreel::columns
