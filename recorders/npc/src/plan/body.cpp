#include "tickreel/npc/body.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace tickreel::npc {

namespace {

constexpr std::array<std::string_view, 8> names = {"on_foot", "car",        "bike",  "truck",
                                                   "boat",    "helicopter", "plane", "train"};

// Walking pace as in recordings; vehicles are driven calmly. A person turns half round in a second.
constexpr body_traits all_traits[] = {
    {.limits = {.speed_mps = 1.56,
                .accelerate_mps2 = 5,
                .brake_mps2 = 6,
                .lateral_mps2 = 8,
                .turn_rate_dps = 170,
                .pitch_rate_dps = 0},
     .corner_m = 1,
     .spot_turn_dps = 170,
     .step_s = 0.04,
     .pitch_by_slope = false,
     .manners = {.smooth_s = 0.3, .calm_s = 0.2, .wheelbase_m = 0.5}},
    {.limits = {.speed_mps = 14,
                .accelerate_mps2 = 3,
                .brake_mps2 = 4.5,
                .lateral_mps2 = 4.5,
                .turn_rate_dps = 60,
                .pitch_rate_dps = 40},
     .corner_m = 8,
     .turning_m = 5,
     .manners = {.smooth_s = 0.6, .calm_s = 0.8, .wheelbase_m = 3}},
    {.limits = {.speed_mps = 14,
                .accelerate_mps2 = 3.5,
                .brake_mps2 = 4.5,
                .lateral_mps2 = 4.5,
                .turn_rate_dps = 70,
                .pitch_rate_dps = 40},
     .corner_m = 6,
     .turning_m = 3,
     .lean = 1,
     .max_lean_deg = 40,
     .manners = {.smooth_s = 0.5, .calm_s = 0.7, .wheelbase_m = 1.5}},
    {.limits = {.speed_mps = 12,
                .accelerate_mps2 = 1.5,
                .brake_mps2 = 3,
                .lateral_mps2 = 3,
                .turn_rate_dps = 40,
                .pitch_rate_dps = 25},
     .corner_m = 12,
     .turning_m = 8,
     .manners = {.smooth_s = 1, .calm_s = 1, .wheelbase_m = 5}},
    {.limits = {.speed_mps = 12,
                .accelerate_mps2 = 2,
                .brake_mps2 = 2,
                .lateral_mps2 = 3,
                .turn_rate_dps = 40,
                .pitch_rate_dps = 20},
     .corner_m = 18,
     .turning_m = 12,
     .manners = {.smooth_s = 1, .calm_s = 1, .wheelbase_m = 5}},
    {.limits = {.speed_mps = 25,
                .accelerate_mps2 = 3,
                .brake_mps2 = 3,
                .lateral_mps2 = 5,
                .turn_rate_dps = 45,
                .pitch_rate_dps = 0},
     .corner_m = 25,
     .spot_turn_dps = 45,
     .pitch_rate_dps = 15,
     .lean = 0.6,
     .max_lean_deg = 25,
     .pitch_by_slope = false,
     .manners = {.smooth_s = 1, .calm_s = 1, .wheelbase_m = 4}},
    {.limits = {.speed_mps = 45,
                .accelerate_mps2 = 4,
                .brake_mps2 = 4,
                .lateral_mps2 = 8,
                .turn_rate_dps = 30,
                .pitch_rate_dps = 8},
     .corner_m = 200,
     .pitch_rate_dps = 15,
     .lean = 1,
     .max_lean_deg = 45,
     .manners = {.smooth_s = 1.5, .calm_s = 1.5, .wheelbase_m = 10}},
    {.limits = {.speed_mps = 25,
                .accelerate_mps2 = 0.8,
                .brake_mps2 = 0.9,
                .lateral_mps2 = 2.5,
                .turn_rate_dps = 20,
                .pitch_rate_dps = 6},
     .corner_m = 120,
     .manners = {.smooth_s = 2, .calm_s = 2, .wheelbase_m = 12}},
};
static_assert(std::size(all_traits) == names.size());

}  // namespace

std::string_view name(body kind) noexcept {
  return names[static_cast<std::size_t>(kind)];
}

std::optional<body> body_named(std::string_view name) noexcept {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<body>(it - names.begin());
}

const body_traits& traits_of(body kind) noexcept {
  return all_traits[static_cast<std::size_t>(kind)];
}

// The game's list of vehicle models (data/vehicles.ide, as named in the SA-MP documentation).
body body_of_model(int model) noexcept {
  constexpr int helicopters[] = {417, 425, 447, 465, 469, 487, 488, 497, 501, 548, 563};
  constexpr int planes[] = {460, 464, 476, 511, 512, 513, 519, 520, 539, 553, 577, 592, 593};
  constexpr int boats[] = {430, 446, 452, 453, 454, 472, 473, 484, 493, 595};
  constexpr int bikes[] = {448, 461, 462, 463, 468, 471, 481, 509, 510, 521, 522, 523, 581, 586};
  constexpr int trains[] = {449, 537, 538, 569, 570, 590};
  constexpr int trucks[] = {403, 406, 407, 408, 414, 416, 427, 428, 431, 432, 433, 437, 443, 455, 456,
                            486, 498, 499, 508, 514, 515, 524, 532, 544, 573, 578, 588, 601, 609};
  const auto among = [model](const auto& list) {
    return std::find(std::begin(list), std::end(list), model) != std::end(list);
  };
  if (among(helicopters)) return body::helicopter;
  if (among(planes)) return body::plane;
  if (among(boats)) return body::boat;
  if (among(bikes)) return body::bike;
  if (among(trains)) return body::train;
  if (among(trucks)) return body::truck;
  return body::car;
}

}  // namespace tickreel::npc
