// What an actor is, and how such a thing moves when nobody says otherwise.
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
// What kind of vehicle a model of the game (400 to 611) is; a car when nothing else is known of it.
[[nodiscard]] body body_of_model(int model) noexcept;

struct body_traits {
  motion_limits limits;
  double corner_m = 0;         // the radius of its corners, and the tightest turn after a stop
  double turning_m = 0;        // radius of its turning circle; on roads it takes no tighter bend
  double spot_turn_dps = 0;    // how fast it turns on the spot; 0: it cannot
  double step_s = 0.05;        // between blocks while moving
  double pitch_rate_dps = 60;  // how fast nose and wings may follow
  double lean = 0;             // share of the bank that balances a curve
  double most_lean_deg = 0;
  bool pitch_by_slope = true;  // a helicopter's nose follows its speed instead
  run_manners manners = {};
};
[[nodiscard]] const body_traits& traits_of(body kind) noexcept;

// While nothing changes there is a block every half second, as the game's own client sends them.
inline constexpr double idle_step_s = 0.5;

}  // namespace tickreel::npc
