// Directions without motion, and properties of actors.

#include "script_world.hpp"
#include "tickreel/npc/timeline.hpp"
#include "tickreel/samp_rec/keys.hpp"
#include "tickreel/text/suggestion.hpp"

namespace tickreel::npc {

namespace {

using samp_rec::special_action;

gives wait(call& of) {
  plan* who = of.actor(1, "self");
  const double seconds = of.number(2, "the seconds");
  return of.failed() ? gives::nothing : of.done(who->wait(seconds));
}

gives wait_until(call& of) {
  plan* who = of.actor(1, "self");
  const double seconds = of.number(2, "the time");
  return of.failed() ? gives::nothing : of.done(who->wait_until_time(seconds));
}

gives arrives(call& of) {
  plan* who = of.actor(1, "self");
  if (of.failed()) return gives::nothing;
  const auto number = who->mark();
  if (!number) return of.done(tl::unexpected<problem>(number.error()));
  of.result_handle = {of.handle_at(1, actor_type)->index, *number};
  return gives::event;
}

gives after(call& of) {
  plan* who = of.actor(1, "self");
  const handle* what = of.handle_at(2, event_type);
  if (what == nullptr) return of.fail("expects a moment like guard:arrives(), got {}", of.type_at(2));
  const double delay = of.has(3) ? of.number(3, "the delay") : 0;
  return of.failed() ? gives::nothing : of.done(who->wait_until({what->index, what->number}, delay));
}

gives face(call& of) {
  plan* who = of.actor(1, "self");
  const double heading = of.number(2, "the heading");
  return of.failed() ? gives::nothing : of.done(who->face(heading));
}

gives face_to(call& of) {
  plan* who = of.actor(1, "self");
  vec3 to;
  if (of.is_table(2)) {
    to = of.point(2, "the place", 0);
  } else {
    to = {of.number(2, "x"), of.number(3, "y"), 0};
  }
  if (of.failed()) return gives::nothing;
  if (!of.is_placed(*who)) return gives::nothing;
  (void)who->heading_deg();
  const vec3 way = to - *who->position();
  if (horizontal_length(way) < 1e-3)
    return of.fail("expects a place other than that of {}", who->options().name);
  return of.done(who->face(heading_of(way)));
}

gives turn(call& of) {
  plan* who = of.actor(1, "self");
  const double by = of.number(2, "the angle");
  return of.failed() ? gives::nothing : of.done(who->face(who->heading_deg().value_or(0) + by));
}

// Shows an action, for the given seconds or until it is changed.
gives show(call& of, plan& who, field what, double value, double afterwards, int seconds_at) {
  if (!of.has(seconds_at)) return of.done(who.set(what, value));
  const double seconds = of.number(seconds_at, "the seconds");
  if (of.failed()) return gives::nothing;
  if (auto closed = who.close(); !closed) return of.done(closed);
  if (auto begun = who.set(what, value); !begun) return of.done(begun);
  if (auto waited = who.wait(seconds); !waited) return of.done(waited);
  return of.done(who.set(what, afterwards));
}

gives act(call& of, special_action what, int seconds_at) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  if (who->options().kind != body::on_foot)
    return of.fail("is for people on foot; {} is in a {}", who->options().name, name(who->options().kind));
  if (of.count() >= seconds_at && lua_type(of.state(), seconds_at) == LUA_TBOOLEAN) {
    return of.done(
        who->set(field::special_action, of.truth(seconds_at, true) ? static_cast<double>(what) : 0));
  }
  return show(of, *who, field::special_action, static_cast<double>(what), 0, seconds_at);
}

gives action(call& of) {
  const std::string_view text = of.text(2, "the action");
  const auto what = samp_rec::special_action_named(text);
  if (!of.failed() && !what)
    return of.fail("has no action '{}'{}", text, text::suggestion(text, samp_rec::special_action_names()));
  return of.failed() ? gives::nothing : act(of, *what, 3);
}

// Putting the phone away is a separate action, of about a second.
gives phone(call& of) {
  constexpr double put_away_s = 1;
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  if (!of.is_number(2) || lua_tonumber(of.state(), 2) <= 2 * put_away_s)
    return act(of, special_action::phone, 2);
  if (who->options().kind != body::on_foot) return act(of, special_action::phone, 2);
  const double seconds = of.number(2, "the seconds");
  if (of.failed()) return gives::nothing;
  outcome close_result = who->close();
  const auto step = [&](special_action what, double lasts) {
    if (close_result) close_result = who->set(field::special_action, static_cast<double>(what));
    if (close_result && lasts > 0) close_result = who->wait(lasts);
  };
  step(special_action::phone, seconds - put_away_s);
  step(special_action::stop_phone, put_away_s);
  step(special_action::none, 0);
  return of.done(close_result);
}

gives weapon(call& of) {
  plan* who = of.actor(1, "self");
  double id = 0;
  if (of.is_number(2)) {
    id = of.whole(2, "the weapon", 0, samp_rec::last_weapon_id);
  } else {
    const std::string_view text = of.text(2, "the weapon");
    const auto held = samp_rec::weapon_named(text);
    if (!of.failed() && !held)
      return of.fail("has no weapon '{}'{}", text, text::suggestion(text, samp_rec::weapon_names()));
    if (held) id = static_cast<double>(*held);
  }
  return of.failed() ? gives::nothing : of.done(who->set(field::weapon, id));
}

gives animate(call& of) {
  plan* who = of.actor(1, "self");
  const double id = of.whole(2, "the animation", 0, 65535);
  double flags = samp_rec::animation::usual_flags;
  std::optional<double> seconds;
  of.fields(3, [&](std::string_view key, int at) {
    if (key == "flags") return flags = of.whole(at, key, 0, 65535), true;
    if (key == "seconds") return seconds = of.number(at, key), true;
    return false;
  });
  if (of.failed()) return gives::nothing;
  const double value = id == 0 ? 0 : id + flags * 65536;
  if (!seconds) return of.done(who->set(field::animation, value));
  if (auto closed = who->close(); !closed) return of.done(closed);
  if (auto begun = who->set(field::animation, value); !begun) return of.done(begun);
  if (auto waited = who->wait(*seconds); !waited) return of.done(waited);
  return of.done(who->set(field::animation, 0));
}

gives set_whole(call& of, field what, std::string_view said, double most) {
  plan* who = of.actor(1, "self");
  const double value = of.whole(2, said, 0, most);
  return of.failed() ? gives::nothing : of.done(who->set(what, value));
}
gives health(call& of) {
  return set_whole(of, field::health, "the health", 255);
}
gives armour(call& of) {
  return set_whole(of, field::armour, "the armour", 255);
}
gives vehicle_id(call& of) {
  return set_whole(of, field::vehicle_id, "the vehicle's id", 65535);
}
gives surface(call& of) {
  return set_whole(of, field::surface_id, "the surface's id", 65535);
}

gives vehicle_only(call& of, plan* who) {
  if (who != nullptr && who->options().kind == body::on_foot)
    return of.fail("is for vehicles; {} is on foot", who->options().name);
  return gives::itself;
}

gives vehicle_health(call& of) {
  plan* who = of.actor(1, "self");
  const double value = of.number(2, "the health");
  if (!of.failed() && (value < 0 || value > 1e6)) return of.fail("expects a health from 0 to 1000000");
  vehicle_only(of, who);
  return of.failed() ? gives::nothing : of.done(who->set(field::vehicle_health, value));
}

gives siren(call& of) {
  plan* who = of.actor(1, "self");
  vehicle_only(of, who);
  return of.failed() ? gives::nothing : of.done(who->set(field::siren, of.truth(2, true) ? 1 : 0));
}

gives gear(call& of) {
  plan* who = of.actor(1, "self");
  const std::string_view where = of.text(2, "the gear");
  if (!of.failed() && where != "up" && where != "down")
    return of.fail("expects \"up\" or \"down\", got \"{}\"", where);
  vehicle_only(of, who);
  return of.failed() ? gives::nothing : of.done(who->set(field::landing_gear, where == "up" ? 1 : 0));
}

gives horn(call& of) {
  plan* who = of.actor(1, "self");
  vehicle_only(of, who);
  if (of.failed()) return gives::nothing;
  return show(of, *who, field::extra_keys, samp_rec::bits(samp_rec::key::crouch), 0, 2);
}

gives thrusters(call& of) {
  plan* who = of.actor(1, "self");
  const double first = of.whole(2, "the angle", 0, samp_rec::thruster_angles::most);
  const double second =
      of.has(3) ? of.whole(3, "the second angle", 0, samp_rec::thruster_angles::most) : first;
  vehicle_only(of, who);
  return of.failed() ? gives::nothing : of.done(who->set(field::thrusters, first + second * 65536));
}

// hold("aim", "fire"); hold() releases.
gives hold(call& of) {
  plan* who = of.actor(1, "self");
  unsigned keys = 0;
  for (int i = 2; i <= of.count() && !of.failed(); ++i) {
    const std::string_view text = of.text(i, "the key");
    const auto one = samp_rec::key_named(text);
    if (!of.failed() && !one)
      return of.fail("has no key '{}'{}", text, text::suggestion(text, samp_rec::key_names()));
    if (one) keys |= samp_rec::bits(*one);
  }
  return of.failed() ? gives::nothing : of.done(who->set(field::extra_keys, keys));
}

// speed, accelerate, brake, ...: named as the option that they set.
gives set_limit(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  const std::string_view key = of.name().substr(of.name().find(':') + 1);
  read_motion_option(of, *who, key, 2);
  return of.failed() ? gives::nothing : gives::itself;
}
gives position(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  if (!of.is_placed(*who)) return gives::nothing;
  const vec3 here = *who->position();
  of.results[0] = here.x;
  of.results[1] = here.y;
  of.results[2] = here.z;
  of.result_count = 3;
  return gives::numbers;
}

gives heading(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  if (auto closed = who->close(); !closed) return of.done(closed);
  const double shown = who->heading_deg().value_or(0);
  of.results[0] = shown < 0 ? shown + 360 : shown;
  return gives::number;
}

gives clock(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  std::vector<plan*> parts;
  double work = 0;
  for (const scripted_actor& each : of.all().made.actors) {
    parts.push_back(each.part.get());
    // Timing iterates over every path again.
    work +=
        static_cast<double>(each.part->directions().size()) * 100 + static_cast<double>(of.all().points) * 20;
  }
  if (!sandbox::of(of.state()).spend(work)) return of.fail_with("the script took too many steps");
  const auto lines = schedule(parts);
  if (!lines) return of.done(tl::unexpected<problem>(lines.error()));
  of.results[0] = (*lines)[of.handle_at(1, actor_type)->index].duration_s;
  return gives::number;
}

gives play(call& of) {
  plan* who = of.actor(1, "self");
  auto what = of.recording(2, "the recording");
  bool here = false;
  of.fields(3, [&](std::string_view key, int at) {
    if (key == "here") return here = of.truth(at, true), true;
    return false;
  });
  if (of.failed()) return gives::nothing;
  if (here && who->position() && !what->empty()) {
    const double towards = who->heading_deg().value_or(first_place(*what).heading_deg);
    what = rebased(of, *what, *who->position(), towards);
    if (what == nullptr) return gives::nothing;
  }
  return of.done(who->play(std::move(what)));
}

}  // namespace

std::span<const named_function> standing_methods() noexcept {
  static constexpr named_function all[] = {
      {"wait", bound<wait>},
      {"wait_until", bound<wait_until>},
      {"arrives", bound<arrives>},
      {"after", bound<after>},
      {"face", bound<face>},
      {"face_to", bound<face_to>},
      {"turn", bound<turn>},
      {"action", bound<action>},
      {"phone", bound<phone>},
      {"weapon", bound<weapon>},
      {"animate", bound<animate>},
      {"health", bound<health>},
      {"armour", bound<armour>},
      {"vehicle_id", bound<vehicle_id>},
      {"surface", bound<surface>},
      {"vehicle_health", bound<vehicle_health>},
      {"siren", bound<siren>},
      {"gear", bound<gear>},
      {"horn", bound<horn>},
      {"thrusters", bound<thrusters>},
      {"hold", bound<hold>},
      {"speed", bound<set_limit>},
      {"accelerate", bound<set_limit>},
      {"brake", bound<set_limit>},
      {"lateral", bound<set_limit>},
      {"turn_rate", bound<set_limit>},
      {"pitch_rate", bound<set_limit>},
      {"corner", bound<set_limit>},
      {"position", bound<position>},
      {"heading", bound<heading>},
      {"clock", bound<clock>},
      {"play", bound<play>},
  };
  return all;
}

}  // namespace tickreel::npc
