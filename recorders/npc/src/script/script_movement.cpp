// Movements of actors: legs, curves, circles, loops, patrols.
#include <algorithm>
#include <cmath>

#include "script_world.hpp"
#include "tickreel/samp_rec/motion.hpp"

namespace tickreel::npc {

namespace {

double z_of(const plan& who) {
  if (who.on_ground()) return 0;
  return who.position() ? who.position()->z : no_z;
}

// Projected onto the ground if the actor follows one; and counted.
std::vector<vec3> settle(call& of, const plan& who, std::vector<vec3> points) {
  of.all().points += points.size();
  if (of.all().points > of.all().options.limits.points) {
    of.fail_with(fmt::format("the script has more than {} points in all", of.all().options.limits.points));
  }
  if (!who.on_ground()) return points;
  for (vec3& each : points) {
    if (of.failed()) break;
    const auto height = who.on_ground()->height(each.x, each.y);
    if (!height) {
      of.fail_with(height.error());
    } else {
      each.z = *height + who.on_ground()->offset_m;
    }
  }
  return points;
}

// Common options of movements: speed and direction.
bool read_way_option(call& of, plan& who, std::string_view key, int at) {
  if (key != "reverse") return read_motion_option(of, who, key, at);
  who.reverse = of.truth(at, true);
  if (who.reverse && who.options().kind == body::on_foot)
    of.fail("takes reverse for vehicles only; {} is on foot", who.options().name);
  return true;
}

// The same for curves, which have no corners to round.
bool read_curve_option(call& of, plan& who, std::string_view key, int at) {
  return key != "corner" && read_way_option(of, who, key, at);
}

enum class by : std::uint8_t { any, foot, vehicle };

gives go(call& of, double speed_mps, by means, bool reverse = false) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  const bool on_foot = who->options().kind == body::on_foot;
  if (means == by::foot && !on_foot)
    return of.fail("is for people on foot; {} is in a {}", who->options().name, name(who->options().kind));
  if (means == by::vehicle && on_foot) return of.fail("is for vehicles; {} is on foot", who->options().name);
  int next = 2;
  const auto to = read_target(of, *who, next);
  if (!to) return gives::nothing;
  const for_this_movement restore(*who);
  if (speed_mps > 0) who->limits.speed_mps = speed_mps;
  if (reverse) {
    who->reverse = true;
    // Wheeled vehicles have no fast reverse gear, except trains.
    constexpr double reverse_mps = 5;
    if (who->options().kind != body::train)
      who->limits.speed_mps = std::min(who->limits.speed_mps, reverse_mps);
  }
  of.fields(next, [&](std::string_view key, int at) {
    return reverse ? read_motion_option(of, *who, key, at) : read_way_option(of, *who, key, at);
  });
  return of.failed() ? gives::nothing : of.done(who->legs({*to}));
}

gives walk_to(call& of) {
  return go(of, samp_rec::walk_m_per_s, by::foot);
}
gives run_to(call& of) {
  return go(of, samp_rec::run_m_per_s, by::foot);
}
gives sprint_to(call& of) {
  return go(of, samp_rec::sprint_m_per_s, by::foot);
}
gives drive_to(call& of) {
  return go(of, 0, by::vehicle);
}
gives reverse_to(call& of) {
  return go(of, 0, by::vehicle, true);
}
gives go_to(call& of) {
  return go(of, 0, by::any);
}

gives along_points(call& of, bool curve) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  auto points = settle(of, *who, of.points(2, "the points", z_of(*who)));
  const for_this_movement restore(*who);
  of.fields(3, [&](std::string_view key, int at) {
    return curve ? read_curve_option(of, *who, key, at) : read_way_option(of, *who, key, at);
  });
  if (of.failed()) return gives::nothing;
  return of.done(curve ? who->curve(std::move(points)) : who->legs(std::move(points)));
}
gives along(call& of) {
  return along_points(of, false);
}
gives through(call& of) {
  return along_points(of, true);
}

gives bezier(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  std::vector<vec3> points;
  for (int i = 0; i < 3; ++i)
    points.push_back(of.point(2 + i, i < 2 ? "a control point" : "the target", z_of(*who)));
  points = settle(of, *who, std::move(points));
  const for_this_movement restore(*who);
  of.fields(5, [&](std::string_view key, int at) { return read_curve_option(of, *who, key, at); });
  return of.failed() ? gives::nothing : of.done(who->bezier(points[0], points[1], points[2]));
}

gives arc(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  const vec3 centre = {of.number(2, "the centre's x"), of.number(3, "the centre's y"), 0};
  const double sweep = of.number(4, "the angle");
  double climb = 0;
  const for_this_movement restore(*who);
  of.fields(5, [&](std::string_view key, int at) {
    if (key == "climb") return climb = of.number(at, key), true;
    return read_curve_option(of, *who, key, at);
  });
  return of.failed() ? gives::nothing : of.done(who->arc(centre, sweep, climb));
}

bool read_loop_option(call& of, loop_options& how, std::string_view key, int at) {
  if (key == "laps") return how.laps = static_cast<std::uint32_t>(of.whole(at, key, 1, 100'000)), true;
  if (key == "rolling") return how.rolling = of.truth(at, false), true;
  if (key == "straight") return how.straight = of.truth(at, false), true;
  return false;
}

gives loop(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  auto points = settle(of, *who, of.points(2, "the points", z_of(*who)));
  const for_this_movement restore(*who);
  loop_options how;
  bool has_corner = false;
  of.fields(3, [&](std::string_view key, int at) {
    if (key == "corner") has_corner = true;
    return read_loop_option(of, how, key, at) || read_motion_option(of, *who, key, at);
  });
  if (!of.failed() && has_corner && !how.straight)
    return of.fail("has no corners to round on a curve; corner goes with straight=true");
  return of.failed() ? gives::nothing : of.done(who->loop(std::move(points), how));
}

// Circles from the actor's place, in the direction that it faces, on the named side.
gives round(call& of, bool eight) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  const double radius = of.number(2, "the radius");
  if (!of.failed() && radius <= 0) return of.fail("expects a radius above 0");
  loop_options how;
  double degrees = 360;
  double climb = 0;
  std::optional<bool> to_the_left;
  bool is_part = false;  // of a circle or a helix that does not close
  const auto side = [&](std::string_view key, bool is_left) {
    if (to_the_left && *to_the_left != is_left) of.fail("goes left or right, not both");
    to_the_left = is_left;
    return key == "left" || key == "right";
  };
  const for_this_movement restore(*who);
  of.fields(3, [&](std::string_view key, int at) {
    if (key == "left") return side(key, of.truth(at, true));
    if (key == "right") return side(key, !of.truth(at, true));
    if (!eight && key == "degrees") return degrees = of.number(at, key), is_part = true;
    if (!eight && key == "climb") return climb = of.number(at, key), is_part = true;
    if (key != "straight" && read_loop_option(of, how, key, at)) return true;
    return key != "corner" && read_motion_option(of, *who, key, at);
  });
  if (of.failed()) return gives::nothing;
  const bool left = to_the_left.value_or(true);
  if (is_part && how.rolling)
    return of.fail("cannot roll: with degrees or climb it does not end where it starts");
  if (!of.is_placed(*who)) return gives::nothing;
  const double heading = who->arriving_heading_deg().value_or(0);
  const vec3 here = *who->position();
  const vec3 ahead = direction_of(heading);
  const vec3 to_left = vec3{-ahead.y, ahead.x, 0} * (left ? radius : -radius);
  // Arcs continue into the next movement without a stop. Laps beyond an arc's limit are a separate run.
  constexpr std::uint32_t max_arc_laps = 1000;
  if (is_part || (!how.rolling && how.laps <= max_arc_laps)) {
    const double side_deg = left ? 1 : -1;
    if (!eight) return of.done(who->arc(here + to_left, side_deg * degrees * how.laps, climb));
    for (std::uint32_t lap = 0; lap < how.laps; ++lap) {
      if (auto first = who->arc(here + to_left, side_deg * 360, 0); !first) return of.done(first);
      if (auto second = who->arc(here - to_left, -side_deg * 360, 0); !second) return of.done(second);
    }
    return of.done({});
  }
  path way;
  way.set_limits(who->limits);
  way.start_at(here);
  way.add_arc(here + to_left, left ? 360 : -360, 0);
  if (eight) way.add_arc(here - to_left, left ? -360 : 360, 0);
  return of.done(who->laps(std::make_shared<const path>(std::move(way)), how));
}
gives circle(call& of) {
  return round(of, false);
}
gives figure_eight(call& of) {
  return round(of, true);
}

// From post to post and back to the first, with a pause at each.
gives patrol(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  auto posts = settle(of, *who, of.points(2, "the posts", z_of(*who)));
  double pause = 2;
  double rounds = 1;
  const for_this_movement restore(*who);
  of.fields(3, [&](std::string_view key, int at) {
    if (key == "pause") return pause = of.number(at, key), true;
    if (key == "rounds") return rounds = of.whole(at, key, 1, 10'000), true;
    return read_motion_option(of, *who, key, at);
  });
  if (!of.failed() && posts.size() < 2) return of.fail("expects at least two posts");
  for (int i = 0; i < static_cast<int>(rounds) && !of.failed(); ++i) {
    for (std::size_t post = 0; post < posts.size() && !of.failed(); ++post) {
      if (auto there = who->legs({posts[post]}); !there) return of.done(there);
      if (auto waited = who->wait(pause); !waited) return of.done(waited);
    }
  }
  return of.failed() ? gives::nothing : of.done(who->legs({posts.front()}));
}

gives back_to_start(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  if (!of.is_placed(*who)) return gives::nothing;
  const for_this_movement restore(*who);
  of.fields(2, [&](std::string_view key, int at) { return read_motion_option(of, *who, key, at); });
  if (of.failed()) return gives::nothing;
  const vec3 start = *who->start_position();
  const double heading = who->start_heading_deg();
  if (who->traits().spot_turn_dps > 0) {
    if (auto there = who->legs({start}); !there) return of.done(there);
    return of.done(who->face(heading));
  }
  // A vehicle must arrive with its initial heading.
  return of.done(who->curve_arriving({start}, heading));
}

}  // namespace

std::optional<vec3> read_target(call& of, const plan& who, int& next) {
  vec3 to{0, 0, z_of(who)};
  if (of.is_table(next)) {
    to = of.point(next, "the target", to.z);
    next += 1;
  } else {
    to.x = of.number(next, "x");
    to.y = of.number(next + 1, "y");
    next += 2;
    if (of.is_number(next)) to.z = of.number(next++, "z");
    if (!of.failed() && std::isnan(to.z)) of.fail("needs a z for the target: its height is unknown");
  }
  if (of.failed()) return std::nullopt;
  const auto settled = settle(of, who, {to});
  return of.failed() ? std::nullopt : std::optional(settled.front());
}

bool read_motion_option(call& of, plan& who, std::string_view key, int at) {
  const auto above_0 = [&](double& to, double most) {
    const double value = of.number(at, key);
    if (!of.failed() && (value <= 0 || value > most)) {
      of.fail("expects {} to be above 0 and at most {}", key, most);
    } else if (!of.failed()) {
      to = value;
    }
    return true;
  };
  if (key == "speed") return above_0(who.limits.speed_mps, 150);
  if (key == "accelerate") return above_0(who.limits.accelerate_mps2, 100);
  if (key == "brake") return above_0(who.limits.brake_mps2, 100);
  if (key == "lateral") return above_0(who.limits.lateral_mps2, 100);
  if (key == "turn_rate") return above_0(who.limits.turn_rate_dps, 360);
  if (key == "pitch_rate") return above_0(who.limits.pitch_rate_dps, 360);
  if (key == "corner") {
    const double value = of.number(at, key);
    if (!of.failed() && (value < 0 || value > 10'000)) of.fail("expects corner to be from 0 to 10000");
    if (!of.failed()) who.corner_m = value;
    return true;
  }
  return false;
}

std::span<const named_function> movement_methods() noexcept {
  static constexpr named_function all[] = {
      {"walk_to", bound<walk_to>},
      {"run_to", bound<run_to>},
      {"sprint_to", bound<sprint_to>},
      {"drive_to", bound<drive_to>},
      {"fly_to", bound<drive_to>},
      {"sail_to", bound<drive_to>},
      {"reverse_to", bound<reverse_to>},
      {"go_to", bound<go_to>},
      {"along", bound<along>},
      {"through", bound<through>},
      {"bezier", bound<bezier>},
      {"arc", bound<arc>},
      {"loop", bound<loop>},
      {"circle", bound<circle>},
      {"patrol", bound<patrol>},
      {"figure_eight", bound<figure_eight>},
      {"back_to_start", bound<back_to_start>},
  };
  return all;
}

}  // namespace tickreel::npc
