#include "path_values.hpp"

#include <charconv>
#include <limits>

namespace tickreel::query {

value value_of(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)())) {
    return std::to_string(number);
  }
  return static_cast<std::int64_t>(number);
}

value value_of(const viewer::tick_value& from) {
  if (const auto* const truth = std::get_if<bool>(&from)) return std::int64_t{*truth ? 1 : 0};
  if (const auto* const number = std::get_if<std::int64_t>(&from)) return *number;
  if (const auto* const number = std::get_if<std::uint64_t>(&from)) return value_of(*number);
  if (const auto* const number = std::get_if<double>(&from)) return *number;
  if (const auto* const text = std::get_if<std::string_view>(&from)) return std::string(*text);
  return {};
}

value number_or_text(const std::string& from) {
  if (from.empty()) return {};
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(from.data(), from.data() + from.size(), number);
  // "007" and "-0" remain texts.
  if (code == std::errc{} && std::to_string(number) == from) return number;
  return from;
}

result<repaired_values> repaired_values::create(std::span<const std::string_view> paths) {
  auto values = viewer::json_values::create(paths);
  if (!values) return fail(values.error());
  return repaired_values(std::move(*values), paths.size());
}

repaired_values::reading repaired_values::read(std::string_view json) {
  if (const auto found = values_.read(json)) return {*found, {}};
  repaired_ = json;
  viewer::json_repairs repairs = viewer::repair_json(repaired_);
  if (const auto found = values_.read(repaired_)) return {*found, repairs};
  repairs.is_unreadable = true;
  return {none_, repairs};
}

}  // namespace tickreel::query
