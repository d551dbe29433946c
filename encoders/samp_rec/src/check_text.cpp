#include <charconv>
#include <string>

#include "tickreel/samp_rec/check.hpp"

namespace tickreel::samp_rec {

namespace {

std::string number_text(double value, std::chars_format format, int precision) {
  char room[400];  // the longest finite double in fixed notation has 309 digits before the point
  const auto [end, failed] = std::to_chars(room, room + sizeof room, value, format, precision);
  return failed == std::errc{} ? std::string(room, end) : std::string("?");
}

// "3.14 m": with this many significant digits.
std::string quantity_text(double value, int digits, const char* unit) {
  std::string out = number_text(value, std::chars_format::general, digits);
  if (*unit != '\0') out.append(" ").append(unit);
  return out;
}

}  // namespace

std::string_view name(check_kind kind) noexcept {
  switch (kind) {
    case check_kind::not_finite:
      return "not_finite";
    case check_kind::far_position:
      return "far_position";
    case check_kind::rotation_length:
      return "rotation_length";
    case check_kind::unknown_weapon:
      return "unknown_weapon";
    case check_kind::time_backwards:
      return "time_backwards";
    case check_kind::equal_times:
      return "equal_times";
    case check_kind::long_gap:
      return "long_gap";
    case check_kind::jump:
      return "jump";
    case check_kind::height_jump:
      return "height_jump";
    case check_kind::too_fast:
      return "too_fast";
    case check_kind::speed_mismatch:
      return "speed_mismatch";
    case check_kind::heading_mismatch:
      return "heading_mismatch";
    case check_kind::turn_rate:
      return "turn_rate";
    case check_kind::keys_mismatch:
      return "keys_mismatch";
    case check_kind::speed_scale:
      return "speed_scale";
    case check_kind::odd_value:
      return "odd_value";
    case check_kind::life:
      return "life";
    case check_kind::slope:
      return "slope";
  }
  return "";
}

std::string_view name(check_severity severity) noexcept {
  switch (severity) {
    case check_severity::note:
      return "note";
    case check_severity::warning:
      return "warning";
    case check_severity::error:
      return "error";
  }
  return "";
}

std::string describe(const check_finding& finding) {
  if (finding.kind == check_kind::speed_scale) {
    return std::string(finding.detail) + ": " + quantity_text(finding.measured, 3, "") +
           " m/s of way for a stored 1, the game has 50";
  }
  const double seconds = static_cast<double>(finding.time_ms) / 1000;
  std::string out = "block " + std::to_string(finding.block) + " at " +
                    number_text(seconds, std::chars_format::fixed, 3) + " s: " + finding.detail;
  switch (finding.kind) {
    case check_kind::not_finite:
    case check_kind::equal_times:
      break;
    case check_kind::unknown_weapon:
    case check_kind::time_backwards:
    case check_kind::rotation_length:
    case check_kind::odd_value:
    case check_kind::life:
      out.append(" (").append(quantity_text(finding.measured, 4, finding.unit)).append(")");
      break;
    default:
      out.append(" (").append(quantity_text(finding.measured, 3, finding.unit));
      out.append(", limit ").append(quantity_text(finding.limit, 3, finding.unit)).append(")");
      break;
  }
  return out;
}

}  // namespace tickreel::samp_rec
