// Routes along the game's roads.
#include <algorithm>

#include "plan/plan_bends.hpp"
#include "script_world.hpp"

namespace tickreel::npc {

namespace {

// drive_via_roads_to(x, y[, z][, { above=, stop_at_road=, speed=... }])
gives drive_via_roads_to(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  const body kind = who->options().kind;
  if (kind == body::on_foot || kind == body::train || kind == body::plane || kind == body::helicopter)
    return of.fail("is for road vehicles and boats; {} is {}", who->options().name, name(kind));
  const auto& roads = of.all().options.roads;
  if (roads == nullptr) return of.fail("needs the game's path nodes; give their folder with --roads FOLDER");
  if (!of.is_placed(*who)) return gives::nothing;
  int next = 2;
  const auto to = read_target(of, *who, next);
  if (!to) return gives::nothing;
  const for_this_movement restore(*who);
  route_request request;
  request.from = *who->position();
  request.heading_deg = who->arriving_heading_deg();
  request.to = *to;
  request.on_water = kind == body::boat;
  bool stop_at_road = false;
  of.fields(next, [&](std::string_view key, int at) {
    if (key == "above") return request.above_m = of.number(at, key), true;
    if (key == "stop_at_road") return stop_at_road = of.truth(at, true), true;
    return read_motion_option(of, *who, key, at);
  });
  if (of.failed()) return gives::nothing;
  if (!sandbox::of(of.state()).spend(static_cast<double>(roads->nodes()) * 4))
    return of.fail_with("the script took too many steps");
  auto places = roads->route(request);
  if (!places) return of.fail("finds no route: {}", places.error());
  // An actor that is already on the road does not go back to the first node.
  constexpr double there_m = 12;
  if (places->size() > 1 && distance(places->front(), *who->position()) < there_m)
    places->erase(places->begin());
  if (!stop_at_road) {
    if (places->size() > 1 && distance(places->back(), *to) < there_m) places->pop_back();
    places->push_back(*to);
  }
  of.all().points += places->size();
  if (of.all().points > of.all().options.limits.points) return of.fail_with("the script has too many points");
  const double corner_m = std::max(who->corner_m, tightest_corner_m);
  auto way =
      without_tight_bends(std::move(*places), {.from = request.from,
                                               .heading_deg = request.heading_deg,
                                               .corner_m = corner_m,
                                               .turning_m = std::min(corner_m, who->traits().turning_m)});
  if (!way) return of.fail("finds no route: {}", way.error());
  return of.done(who->legs(std::move(*way)));
}

}  // namespace

std::span<const named_function> road_methods() noexcept {
  static constexpr named_function all[] = {{"drive_via_roads_to", bound<drive_via_roads_to>}};
  return all;
}

}  // namespace tickreel::npc
