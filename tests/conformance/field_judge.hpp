// Compares one field at a time, with a sentence for each wrong one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "butter_model.hpp"
#include "fidelity_math.hpp"
#include "tickreel/butter/options.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::conformance {

// Half precision has 11 bits: rounding to nearest has at most this relative error.
inline constexpr double half_rounding = 1.0 / 2048;
// The smallest step of half precision, and its largest number.
inline constexpr double half_step = 1.0 / (1 << 24);
inline constexpr double half_max = 65504;
// Single precision, for values up to some hundred.
inline constexpr double single_rounding = 4e-5;
// One step of a packed rotation is a rotation by this angle, or twice as much if the omitted component is smallest.
inline constexpr double packed_step_deg = 2 * 1.41421356 / 1023 * 180 / std::numbers::pi;
inline constexpr double angle_slack_deg = 0.01;

inline bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

// Shared by the checks of a frame's parts. `before` is the decoded frame that differences refer to, null at a keyframe.
class field_judge {
 public:
  field_judge(const butter::encoder_options& options, echo::mode mode, const butter_model::frame* before,
              const butter_model::frame& got, const echo::state& wanted)
      : options_(options), mode_(mode), before_(before), got_(got), wanted_(wanted) {}

  std::vector<std::string> complaints;

 protected:
  void complain(std::string what) {
    if (complaints.size() < 20) complaints.push_back(std::move(what));
  }
  template <class Got, class Wanted>
  void exact(std::string_view what, const Got& got, const Wanted& wanted) {
    if (!(got == wanted)) complain(fmt::format("{}: {}, not {}", what, got, wanted));
  }
  void near(std::string_view what, double got, double wanted, double limit) {
    if (!(std::fabs(got - wanted) <= limit)) {
      complain(fmt::format("{}: {}, not {}: off by {}, allowed {}", what, got, wanted, got - wanted, limit));
    }
  }
  // A complete half each time.
  void near_half(std::string_view what, double got, double wanted, double slack = 0) {
    const double clamped = std::clamp(wanted, -half_max, half_max);
    near(what, got, clamped, std::fabs(clamped) * half_rounding + half_step + slack);
  }
  // Unchanged within the tolerance; or stored as a difference to `base` in half precision.
  void held_or_half(std::string_view what, double got, double wanted, double base, double tolerance) {
    const double way = std::fabs(wanted - base);
    if (!(way <= half_max)) return;
    near(what, got, wanted,
         std::max(way * half_rounding + half_step, tolerance) + std::fabs(wanted) * 2.4e-7);
  }
  void within(std::string_view what, double error, double limit) {
    if (!(error <= limit)) complain(fmt::format("{}: off by {}, allowed {}", what, error, limit));
  }
  void name(std::string_view what, const std::string& got, std::string_view wanted) {
    if (is_ascii(wanted)) {
      exact(what, got, wanted);
    } else if (!is_ascii(got) || got.empty()) {
      complain(fmt::format("{}: '{}' for '{}'", what, got, wanted));
    }
  }
  // A field of a byte or similar that cannot store every number.
  void clamped(std::string_view what, std::int64_t got, std::int64_t wanted, std::int64_t highest) {
    if (wanted >= 0 && wanted <= highest) {
      exact(what, got, wanted);
    } else if (got < std::min(std::max<std::int64_t>(wanted, 0), highest) ||
               got > std::max<std::int64_t>(wanted, 0)) {
      complain(fmt::format("{}: {} for {}", what, got, wanted));
    }
  }

  // Unchanged within the tolerance; or stored as a difference to `base`, in steps and in half precision.
  void vector(std::string_view what, const butter_model::vec3& got, const echo::vec3& wanted,
              const butter_model::vec3& base, double tolerance, double step) {
    const double3 aim = to_double(wanted);
    double3 rounding = minus(aim, to_double(base));
    for (double& c : rounding) {
      if (std::fabs(c) > half_max) return;
      c = std::max(std::fabs(c) * half_rounding, options_.hold.even_steps_limit * step);
    }
    const double error = length(minus(to_double(got), aim));
    within(what, error, std::max(tolerance, length(rounding)) + single_rounding);
  }
  void position(std::string_view what, const butter_model::vec3& got, const echo::vec3& wanted,
                const butter_model::vec3& base) {
    vector(what, got, wanted, base, double{options_.hold.position_m}, double{options_.hold.position_step_m});
  }
  void velocity(std::string_view what, const butter_model::vec3& got, const echo::vec3& wanted,
                const butter_model::vec3& base) {
    vector(what, got, wanted, base, double{options_.hold.velocity_mps},
           double{options_.hold.velocity_step_mps});
  }
  void rotation(std::string_view what, const butter_model::vec3& forward, const butter_model::vec3& left,
                const butter_model::vec3& up, const echo::pose& wanted) {
    const bool known =
        (wanted.fields & echo::pose::has_forward) != 0 && (wanted.fields & echo::pose::has_up) != 0;
    if (known && is_basis(to_double(wanted.forward), to_double(wanted.up))) {
      within(what, angle_deg(forward, left, up, wanted),
             std::max(2 * packed_step_deg * std::sqrt(0.75), double{options_.hold.rotation_deg}) +
                 angle_slack_deg);
    } else if (!std::isfinite(length(to_double(forward)) + length(to_double(up)))) {
      complain(fmt::format("{}: not a number", what));
    }
  }

  const butter::encoder_options& options_;
  const echo::mode mode_;
  const butter_model::frame* before_;
  const butter_model::frame& got_;
  const echo::state& wanted_;
};

// The teams, their players and the bones.
std::vector<std::string> judge_players(const butter::encoder_options& options, echo::mode mode,
                                       const butter_model::frame* before, const butter_model::frame& got,
                                       const echo::state& wanted);

}  // namespace tickreel::conformance
