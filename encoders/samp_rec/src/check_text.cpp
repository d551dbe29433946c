#include <cstdio>

#include "tickreel/samp_rec/check.hpp"

namespace tickreel::samp_rec {

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
  char text[256];
  const auto block = static_cast<unsigned long long>(finding.block);
  const double seconds = static_cast<double>(finding.time_ms) / 1000;
  const char* const space = *finding.unit == '\0' ? "" : " ";
  switch (finding.kind) {
    case check_kind::not_finite:
    case check_kind::equal_times:
      std::snprintf(text, sizeof text, "block %llu at %.3f s: %s", block, seconds, finding.detail);
      break;
    case check_kind::speed_scale:
      std::snprintf(text, sizeof text, "%s: %.3g m/s of way for a stored 1, the game has 50", finding.detail,
                    finding.measured);
      break;
    case check_kind::unknown_weapon:
    case check_kind::time_backwards:
    case check_kind::rotation_length:
    case check_kind::odd_value:
    case check_kind::life:
      std::snprintf(text, sizeof text, "block %llu at %.3f s: %s (%.4g%s%s)", block, seconds, finding.detail,
                    finding.measured, space, finding.unit);
      break;
    default:
      std::snprintf(text, sizeof text, "block %llu at %.3f s: %s (%.3g%s%s, limit %.3g%s%s)", block, seconds,
                    finding.detail, finding.measured, space, finding.unit, finding.limit, space,
                    finding.unit);
      break;
  }
  return text;
}

}  // namespace tickreel::samp_rec
