// Kinds of actors and their default motion.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tickreel/npc/path.hpp"
#include "tickreel/npc/run.hpp"

namespace tickreel::npc {

enum class body : std::uint8_t { on_foot, car, bike, truck, boat, helicopter, plane, train };

[[nodiscard]] std::string_view name(body kind) noexcept;
[[nodiscard]] std::optional<body> body_named(std::string_view name) noexcept;
// The kind of a vehicle model of the game (400 to 611); a car for models that are not in the list.
[[nodiscard]] body body_of_model(int model) noexcept;

struct body_traits {
  motion_limits limits;
  double corner_m = 0;         // the radius of its corners, and the tightest turn after a stop
  double turning_m = 0;        // radius of its turning circle; it takes no tighter bend on roads
  double spot_turn_dps = 0;    // turning rate on the spot; 0: it cannot turn
  double step_s = 0.05;        // between blocks while moving
  double pitch_rate_dps = 60;  // how fast nose and wings may follow
  double lean = 0;             // fraction of the bank that balances a curve
  double max_lean_deg = 0;
  bool pitch_by_slope = true;  // a helicopter's pitch follows its speed instead
  run_manners manners = {};
};
[[nodiscard]] const body_traits& traits_of(body kind) noexcept;

// Interval of blocks while nothing changes: half a second, as the game's client sends them.
inline constexpr double idle_step_s = 0.5;

}  // namespace tickreel::npc
