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

}  // namespace tickreel::query
