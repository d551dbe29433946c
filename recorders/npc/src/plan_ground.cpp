// Paths laid onto the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tickreel/npc/plan.hpp"

namespace tickreel::npc {

tl::expected<path, problem> plan::follow_ground(const path& flat,
                                                const std::vector<const leg*>& leg_of_piece) {
  const bool any = std::any_of(leg_of_piece.begin(), leg_of_piece.end(), [](const leg* each) {
    return each != nullptr && each->on_ground.has_value();
  });
  if (!any) return flat;
  // Heights are looked up often enough to follow a kerb, and joined smoothly.
  constexpr double look_m = 2;
  struct place {
    const path::interval* from = nullptr;
    double u = 0;
    double s_m = 0;
    double z = 0;
  };
  std::vector<std::vector<place>> places(flat.pieces().size());
  std::size_t count = 0;
  for (const path::interval& each : flat.intervals()) {
    auto& list = places[each.piece];
    const int parts = std::max(1, static_cast<int>(std::ceil(each.length_m / look_m)));
    count += static_cast<std::size_t>(parts);
    if (count > options_.limits.points * 10) {
      return refuse_at(leg_of_piece[each.piece]->line,
                       "a path over the ground that is too long to look its heights up");
    }
    for (int part = 0; part < parts; ++part) {
      const double share = static_cast<double>(part) / parts;
      list.push_back({&each, each.u_begin + share * (each.u_end - each.u_begin),
                      each.begin_m + share * each.length_m, 0});
    }
  }
  path result;
  for (std::size_t piece = 0; piece < places.size(); ++piece) {
    const cubic& curve = flat.pieces()[piece];
    const leg& of = *leg_of_piece[piece];
    auto& list = places[piece];
    result.set_limits(flat.limits_of(*list.front().from));
    if (!of.on_ground) {
      if (result.empty()) result.start_at(curve.start());
      result.add(curve);
      continue;
    }
    list.push_back({list.back().from, 1, list.back().from->begin_m + list.back().from->length_m, 0});
    for (place& each : list) {
      const vec3 at = curve.at(each.u);
      auto height = of.on_ground->height(at.x, at.y);
      if (!height) return refuse_at(of.line, height.error());
      each.z = *height + of.on_ground->offset_m;
      if (!std::isfinite(each.z) || std::abs(each.z) > options_.limits.coordinate_m) {
        return refuse_at(of.line, fmt::format("the ground at ({:.1f}, {:.1f}) is at no height", at.x, at.y));
      }
    }
    const auto slope = [&](std::size_t i) {
      const place& a = list[i > 0 ? i - 1 : i];
      const place& b = list[i + 1 < list.size() ? i + 1 : i];
      return (b.z - a.z) / std::max(b.s_m - a.s_m, 1e-9);
    };
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const place& a = list[i];
      const place& b = list[i + 1];
      const double du = b.u - a.u;
      vec3 from = curve.at(a.u);
      vec3 to = curve.at(b.u);
      vec3 leave = curve.first(a.u) * du;
      vec3 arrive = curve.first(b.u) * du;
      from.z = a.z;
      to.z = b.z;
      leave.z = slope(i) * (b.s_m - a.s_m);
      arrive.z = slope(i + 1) * (b.s_m - a.s_m);
      if (result.empty()) result.start_at(from);
      result.add(cubic::hermite(result.empty() ? from : result.end(), leave, to, arrive));
    }
  }
  return result;
}

outcome plan::stand_on(std::optional<ground> what) {
  if (auto closed = close(); !closed) return closed;
  if (what && position_) {
    const auto height = what->height(position_->x, position_->y);
    if (!height) return refuse(height.error());
    const double z = *height + what->offset_m;
    if (directions_.empty() && std::isfinite(z)) {
      begin_at({position_->x, position_->y, z});
    } else if (!(std::abs(z - position_->z) < 0.5)) {
      return refuse(
          fmt::format("the ground is at {:.2f} m here, {} is at {:.2f} m", z, options_.name, position_->z));
    }
  }
  on_ground_ = std::move(what);
  return {};
}

}  // namespace tickreel::npc
