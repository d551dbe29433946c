// Projects paths onto the ground.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tickreel/npc/plan.hpp"

namespace tickreel::npc {

namespace {

// Heights are sampled densely enough to follow a kerb, and joined smoothly.
constexpr double look_m = 2;

// Where a height is sampled.
struct ground_place {
  const path::interval* from = nullptr;
  double u = 0;
  double s_m = 0;
  double z = 0;
};

std::size_t looks_along(const path::interval& of) {
  return static_cast<std::size_t>(std::max(1, static_cast<int>(std::ceil(of.length_m / look_m))));
}

void add_places(const path::interval& of, std::vector<ground_place>& list) {
  const std::size_t parts = looks_along(of);
  for (std::size_t part = 0; part < parts; ++part) {
    const double share = static_cast<double>(part) / static_cast<double>(parts);
    list.push_back({&of, of.u_begin + share * (of.u_end - of.u_begin), of.begin_m + share * of.length_m, 0});
  }
}

tl::expected<void, std::string> look_up(const ground& on, const cubic& curve, double highest_m,
                                        std::vector<ground_place>& list) {
  for (ground_place& each : list) {
    const vec3 at = curve.at(each.u);
    auto height = on.height(at.x, at.y);
    if (!height) return tl::unexpected(height.error());
    each.z = *height + on.offset_m;
    if (!std::isfinite(each.z) || std::abs(each.z) > highest_m) {
      return tl::unexpected(fmt::format("the ground at ({:.1f}, {:.1f}) has no valid height", at.x, at.y));
    }
  }
  return {};
}

// The same piece at the heights of the ground.
void add_on_ground(const cubic& curve, const std::vector<ground_place>& list, path& result) {
  const auto slope = [&](std::size_t i) {
    const ground_place& a = list[i > 0 ? i - 1 : i];
    const ground_place& b = list[i + 1 < list.size() ? i + 1 : i];
    return (b.z - a.z) / std::max(b.s_m - a.s_m, 1e-9);
  };
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    const ground_place& a = list[i];
    const ground_place& b = list[i + 1];
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

}  // namespace

tl::expected<path, problem> plan::follow_ground(const path& flat,
                                                const std::vector<const leg*>& leg_of_piece) {
  const bool any = std::any_of(leg_of_piece.begin(), leg_of_piece.end(), [](const leg* each) {
    return each != nullptr && each->on_ground.has_value();
  });
  if (!any) return flat;
  std::vector<std::vector<ground_place>> places(flat.pieces().size());
  std::size_t count = 0;
  for (const path::interval& each : flat.intervals()) {
    count += looks_along(each);
    if (count > options_.limits.points * 10) {
      return refuse_at(leg_of_piece[each.piece]->line, "the path over the ground is too long");
    }
    add_places(each, places[each.piece]);
  }
  path result;
  for (std::size_t piece = 0; piece < places.size(); ++piece) {
    const cubic& curve = flat.pieces()[piece];
    const leg& of = *leg_of_piece[piece];
    auto& list = places[piece];
    const path::interval& last = *list.back().from;
    result.set_limits(flat.limits_of(*list.front().from));
    if (!of.on_ground) {
      if (result.empty()) result.start_at(curve.start());
      result.add(curve);
      continue;
    }
    list.push_back({&last, 1, last.begin_m + last.length_m, 0});
    if (auto found = look_up(*of.on_ground, curve, options_.limits.coordinate_m, list); !found) {
      return refuse_at(of.line, found.error());
    }
    add_on_ground(curve, list, result);
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
