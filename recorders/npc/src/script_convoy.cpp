// convoy{ lead, second, third, spacing=12, through={...} }: one path for several actors, each so far behind
// the one before.
#include <cmath>
#include <limits>

#include "script_world.hpp"

namespace tickreel::npc {

namespace {

struct convoy_options {
  std::vector<std::uint32_t> members;
  double spacing_m = 10;
  std::vector<vec3> points;
  enum class shape : std::uint8_t { none, through, along, loop } kind = shape::none;
  loop_options laps;
};

convoy_options read_convoy(call& of) {
  convoy_options how;
  if (!of.is_table(1))
    return of.fail("expects a table like convoy{{ lead, second, spacing=12, through={{...}} }}"), how;
  of.elements(1, [&](int at, lua_Integer) {
    if (of.actor(at, "a member") != nullptr) how.members.push_back(of.handle_at(at, actor_type)->index);
  });
  if (!of.failed() && how.members.size() < 2) of.fail("needs at least two actors");
  for (std::size_t i = 0; i < how.members.size() && !of.failed(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (how.members[i] == how.members[j]) of.fail("has an actor twice");
    }
  }
  return how;
}

gives convoy(call& of) {
  convoy_options how = read_convoy(of);
  if (of.failed()) return gives::nothing;
  std::vector<plan*> members;
  for (const std::uint32_t each : how.members) members.push_back(of.all().made.actors[each].part.get());
  plan& lead = *members.front();
  const motion_limits limits = lead.limits;
  const double corner_m = lead.corner_m;
  const auto take_points = [&](convoy_options::shape kind, std::string_view key, int at) {
    how.kind = kind;
    const double z = lead.position() ? lead.position()->z : std::numeric_limits<double>::quiet_NaN();
    how.points = of.points(at, key, z);
    of.all().points += how.points.size() * 2;
    return true;
  };
  of.fields(1, [&](std::string_view key, int at) {
    using shape = convoy_options::shape;
    if (key == "spacing") return how.spacing_m = of.number(at, key), true;
    if (key == "through") return take_points(shape::through, key, at);
    if (key == "along") return take_points(shape::along, key, at);
    if (key == "loop") return take_points(shape::loop, key, at);
    if (key == "laps") return how.laps.laps = static_cast<std::uint32_t>(of.whole(at, key, 1, 100'000)), true;
    if (key == "rolling") return how.laps.rolling = of.truth(at, false), true;
    return read_motion_option(of, lead, key, at);
  });
  const motion_limits wanted = lead.limits;
  const double rounded_m = lead.corner_m;
  lead.limits = limits;
  lead.corner_m = corner_m;
  if (of.failed()) return gives::nothing;
  if (how.points.empty()) return of.fail("needs points: through={{...}}, along={{...}} or loop={{...}}");
  if (!(how.spacing_m > 0)) return of.fail("needs a spacing above 0");
  if (of.all().points > of.all().options.limits.points) return of.fail("has too many points");

  std::size_t placed = 0;
  for (plan* each : members) {
    if (auto closed = each->close(); !closed) return of.done(closed);
    if (each->position()) ++placed;
  }
  if (placed != 0 && placed != members.size())
    return of.fail("needs all of its actors placed with at={{x, y, z}}, or none");
  const bool loops = how.kind == convoy_options::shape::loop;
  if (placed != 0 && loops) return of.fail("starts a loop with actors that nothing has placed before");

  // Who stands somewhere is where the path begins, the last of the convoy first.
  std::vector<vec3> points;
  for (std::size_t i = placed; i-- > 0;) points.push_back(*members[i]->position());
  points.insert(points.end(), how.points.begin(), how.points.end());
  auto way = std::make_shared<path>();
  way->set_limits(wanted);
  way->start_at(points.front());
  const std::span<const vec3> rest = std::span(points).subspan(1);
  std::vector<double> reached;
  switch (how.kind) {
    case convoy_options::shape::through:
      way->add_through(rest);
      break;
    case convoy_options::shape::along:
      way->add_legs(rest, std::max(rounded_m, 2.0), {}, &reached);
      break;
    default:
      way->add_loop_through(rest);
  }
  const double last_behind_m = how.spacing_m * static_cast<double>(members.size() - 1);
  if (way->empty()) return of.fail("needs points at different places");
  run route{.along = way, .end_m = way->length(), .spacing_m = how.spacing_m};
  route.members = static_cast<std::uint32_t>(members.size());
  if (loops) {
    route.laps = how.laps.laps;
    route.rolling = how.laps.rolling;
  } else if (placed == 0) {
    route.begin_m = last_behind_m;
  } else {
    route.begin_m =
        how.kind == convoy_options::shape::along ? reached[placed - 2] : way->start_of(placed - 1);
  }
  if (way->length() - (loops ? 0 : route.begin_m) < 1 ||
      (loops && way->length() < last_behind_m + how.spacing_m)) {
    return of.fail("needs a path that is longer than its {} cars with {} m between them", members.size(),
                   how.spacing_m);
  }
  // All leave together.
  std::vector<event> ready;
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i]->line = of.line();
    if (members[i]->directions().empty()) continue;
    const auto mark = members[i]->mark();
    if (!mark) return of.done(tl::unexpected<problem>(mark.error()));
    ready.push_back({how.members[i], *mark});
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (const event& each : ready) {
      if (each.actor == how.members[i]) continue;
      if (auto waited = members[i]->wait_until(each, 0); !waited) return of.done(waited);
    }
    run own = route;
    own.behind_m = placed == 0 ? how.spacing_m * static_cast<double>(i)
                   : how.kind == convoy_options::shape::along
                       ? route.begin_m - (i + 1 == placed ? 0 : reached[placed - 2 - i])
                       : route.begin_m - way->start_of(placed - 1 - i);
    if (auto joined = members[i]->convoy(own); !joined) return of.done(joined);
  }
  return gives::nothing;
}

}  // namespace

std::span<const named_function> convoy_functions() noexcept {
  static constexpr named_function all[] = {{"convoy", bound<convoy>}};
  return all;
}

}  // namespace tickreel::npc
