// convoy{ lead, second, third, spacing=12, through={...} }: one path for several actors, each at a distance
// from the one before.
#include <algorithm>
#include <limits>
#include <utility>

#include "script_world.hpp"

namespace tickreel::npc {

namespace {

struct convoy_options {
  std::vector<std::uint32_t> members;  // their numbers, in driving order
  double spacing_m = 10;
  std::vector<vec3> points;
  enum class shape : std::uint8_t { none, through, along, loop } kind = shape::none;
  loop_options laps;
  motion_limits limits;  // of the whole convoy
  double corner_m = 0;
};

// The common path, and the starting place of each member on it.
struct convoy_way {
  std::shared_ptr<path> way;
  std::vector<double> start_m;  // of members that already have a place, in order
  double begin_m = 0;           // where the lead starts
};

void read_members(call& of, convoy_options& how) {
  if (!of.is_table(1)) {
    of.fail("expects a table like convoy{{ lead, second, spacing=12, through={{...}} }}");
    return;
  }
  of.elements(1, [&](int at, lua_Integer) {
    if (of.actor(at, "a member") != nullptr) how.members.push_back(of.handle_at(at, actor_type)->index);
  });
  if (!of.failed() && how.members.size() < 2) of.fail("needs at least two actors");
  std::vector<std::uint32_t> sorted = how.members;
  std::sort(sorted.begin(), sorted.end());
  if (!of.failed() && std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    of.fail("has an actor twice");
}

void read_options(call& of, plan& lead, convoy_options& how) {
  // Options of motion are read into the lead's plan, and belong to the convoy, not to the lead alone.
  const motion_limits limits_before = lead.limits;
  const double corner_before_m = lead.corner_m;
  std::string only_for_loops;
  const auto take_points = [&](convoy_options::shape kind, std::string_view key, int at) {
    if (how.kind != convoy_options::shape::none) of.fail("has one way: through, along or loop");
    how.kind = kind;
    const double z = lead.position() ? lead.position()->z : std::numeric_limits<double>::quiet_NaN();
    how.points = of.points(at, key, z);
    of.all().points += how.points.size() * 2;
    return true;
  };
  of.fields(
      1,
      [&](std::string_view key, int at) {
        using shape = convoy_options::shape;
        if (key == "spacing") return how.spacing_m = of.number(at, key), true;
        if (key == "through") return take_points(shape::through, key, at);
        if (key == "along") return take_points(shape::along, key, at);
        if (key == "loop") return take_points(shape::loop, key, at);
        if (key == "laps" || key == "rolling") only_for_loops = key;
        if (key == "laps")
          return how.laps.laps = static_cast<std::uint32_t>(of.whole(at, key, 1, 100'000)), true;
        if (key == "rolling") return how.laps.rolling = of.truth(at, false), true;
        return read_motion_option(of, lead, key, at);
      },
      call::unnamed::a_list);
  how.limits = std::exchange(lead.limits, limits_before);
  how.corner_m = std::exchange(lead.corner_m, corner_before_m);
  if (of.failed()) return;
  if (!only_for_loops.empty() && how.kind != convoy_options::shape::loop) {
    of.fail("takes {} with loop={{...}} only", only_for_loops);
  } else if (how.points.empty()) {
    of.fail("needs points: through={{...}}, along={{...}} or loop={{...}}");
  } else if (!(how.spacing_m > 0)) {
    of.fail("needs a spacing above 0");
  } else if (of.all().points > of.all().options.limits.points) {
    of.fail("has too many points");
  }
}

// Finishes the members' earlier directions. Either all have a place then, or none does; returns which.
bool close_members(call& of, const convoy_options& how, std::span<plan* const> members) {
  std::size_t placed = 0;
  for (plan* each : members) {
    if (auto closed = each->close(); !closed) {
      of.done(closed);
      return false;
    }
    if (each->position()) ++placed;
  }
  if (placed != 0 && placed != members.size()) {
    of.fail("needs all of its actors placed with at={{x, y, z}}, or none");
  } else if (placed != 0 && how.kind == convoy_options::shape::loop) {
    of.fail("starts a loop with actors that have no place yet");
  }
  return placed != 0;
}

convoy_way lay_way(const convoy_options& how, std::span<plan* const> members, bool placed) {
  // Members with a place are where the path begins, the last of the convoy first.
  std::vector<vec3> points;
  if (placed) {
    for (std::size_t i = members.size(); i-- > 0;) points.push_back(*members[i]->position());
  }
  points.insert(points.end(), how.points.begin(), how.points.end());
  convoy_way made;
  made.way = std::make_shared<path>();
  path& way = *made.way;
  way.set_limits(how.limits);
  way.start_at(points.front());
  const std::span<const vec3> rest = std::span(points).subspan(1);
  std::vector<double> reached;
  switch (how.kind) {
    case convoy_options::shape::through:
      way.add_through(rest);
      break;
    case convoy_options::shape::along:
      way.add_legs(rest, std::max(how.corner_m, 2.0), {}, &reached);
      break;
    default:
      way.add_loop_through(rest);
  }
  if (way.empty() || how.kind == convoy_options::shape::loop) return made;
  if (!placed) {
    made.begin_m = how.spacing_m * static_cast<double>(members.size() - 1);
    return made;
  }
  const bool legs = how.kind == convoy_options::shape::along;
  for (std::size_t point = members.size(); point-- > 0;) {
    made.start_m.push_back(!legs ? way.start_of(point) : point == 0 ? 0 : reached[point - 1]);
  }
  made.begin_m = made.start_m.front();
  return made;
}

bool is_long_enough(const convoy_options& how, const convoy_way& laid) {
  const double convoy_m = how.spacing_m * static_cast<double>(how.members.size());
  return how.kind == convoy_options::shape::loop ? laid.way->length() >= 1 && laid.way->length() >= convoy_m
                                                 : laid.way->length() - laid.begin_m >= 1;
}

// All leave together, when the last member is ready.
void send_off(call& of, const convoy_options& how, const convoy_way& laid, std::span<plan* const> members) {
  std::vector<event> ready;
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i]->line = of.line();
    if (members[i]->directions().empty()) continue;
    const auto mark = members[i]->mark();
    if (!mark) {
      of.done(tl::unexpected<problem>(mark.error()));
      return;
    }
    ready.push_back({how.members[i], *mark});
  }
  run route{.along = laid.way, .begin_m = laid.begin_m, .end_m = laid.way->length()};
  route.spacing_m = how.spacing_m;
  route.members = static_cast<std::uint32_t>(members.size());
  route.shared = std::make_shared<std::shared_ptr<const solved_run>>();
  route.manners = members.front()->traits().manners;
  for (const plan* each : members) {
    const run_manners& own = each->traits().manners;
    route.manners.smooth_s = std::max(route.manners.smooth_s, own.smooth_s);
    route.manners.calm_s = std::max(route.manners.calm_s, own.calm_s);
    route.manners.wheelbase_m = std::min(route.manners.wheelbase_m, own.wheelbase_m);
  }
  if (how.kind == convoy_options::shape::loop) {
    route.laps = how.laps.laps;
    route.rolling = how.laps.rolling;
  }
  // The lead waits for all others, which wait for the lead.
  for (const event& each : ready) {
    if (each.actor == how.members.front()) continue;
    if (auto waited = members.front()->wait_until(each, 0); !waited) {
      of.done(waited);
      return;
    }
  }
  std::optional<event> all_ready;
  if (!ready.empty()) {
    const auto mark = members.front()->mark();
    if (!mark) {
      of.done(tl::unexpected<problem>(mark.error()));
      return;
    }
    all_ready = event{how.members.front(), *mark};
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i > 0 && all_ready) {
      if (auto waited = members[i]->wait_until(*all_ready, 0); !waited) {
        of.done(waited);
        return;
      }
    }
    route.lag_m =
        laid.start_m.empty() ? how.spacing_m * static_cast<double>(i) : laid.begin_m - laid.start_m[i];
    if (auto joined = members[i]->convoy(route); !joined) {
      of.done(joined);
      return;
    }
  }
}

gives convoy(call& of) {
  convoy_options how;
  read_members(of, how);
  if (of.failed()) return gives::nothing;
  std::vector<plan*> members;
  for (const std::uint32_t each : how.members) members.push_back(of.all().made.actors[each].part.get());
  read_options(of, *members.front(), how);
  if (of.failed()) return gives::nothing;
  const bool placed = close_members(of, how, members);
  if (of.failed()) return gives::nothing;
  const convoy_way laid = lay_way(how, members, placed);
  if (laid.way->empty()) return of.fail("needs points at different places");
  if (!is_long_enough(how, laid)) {
    return of.fail("needs a path that is longer than its cars ({}) with {} m between them", members.size(),
                   how.spacing_m);
  }
  send_off(of, how, laid, members);
  return gives::nothing;
}

}  // namespace

std::span<const named_function> convoy_functions() noexcept {
  static constexpr named_function all[] = {{"convoy", bound<convoy>}};
  return all;
}

}  // namespace tickreel::npc
