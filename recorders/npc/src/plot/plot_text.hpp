// Shared by both kinds of pictures.
#pragma once

#include <cmath>

namespace tickreel::npc {

// 1, 2 or 5 times a power of ten: about `count` of them in `range`.
inline double nice_step(double range, double count) {
  if (!(range > 0)) return 1;
  const double rough = range / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double each : {1.0, 2.0, 5.0}) {
    if (each * power >= rough * 0.999) return each * power;
  }
  return 10 * power;
}

// For times: seconds and minutes as on clocks.
inline double nice_seconds(double range, double count) {
  for (const double each :
       {0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0}) {
    if (each * count >= range) return each;
  }
  return nice_step(range, count);
}

}  // namespace tickreel::npc
