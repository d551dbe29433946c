#include "bone_error.hpp"

#include <fmt/format.h>

#include "checks.hpp"

namespace tickreel::cli {

namespace {

// A positive number before one of two units; the second one has `larger` of the first.
std::optional<double> read_measure(std::string_view text, std::string_view unit, std::string_view second,
                                   double larger, double most) {
  const bool is_second = !second.empty() && text.ends_with(second);
  if (!is_second && !text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(is_second ? second.size() : unit.size());
  double value = 0;
  if (!read_number(std::string(text), value)) return std::nullopt;
  if (is_second) value *= larger;
  if (!(value > 0 && value <= most)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<echo::bone_errors> parse_bone_errors(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return std::nullopt;
  std::string_view angle = text.substr(comma + 1);
  while (angle.starts_with(' ')) angle.remove_prefix(1);
  const auto mm = read_measure(text.substr(0, comma), "mm", "cm", 10, 100);
  const auto deg = read_measure(angle, "deg", {}, 1, 10);
  if (!mm || !deg) return std::nullopt;
  return echo::bone_errors{*mm / 1000, *deg};
}

std::string wrong_bone_errors(std::string_view text) {
  return fmt::format(
      "--bone-error {}: write a distance and an angle, at most 100mm and 10deg, such as 0.5mm,0.1deg", text);
}

}  // namespace tickreel::cli
