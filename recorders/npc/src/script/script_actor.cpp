// actor{}: a script's people and vehicles, and the names of their files.
#include <algorithm>

#include "script_world.hpp"
#include "tickreel/samp_rec/vehicle.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::npc {

namespace {

bool is_file_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
           each == '_' || each == '-';
  });
}

// Windows opens a device for these names, whatever the extension.
bool is_windows_device(std::string_view name) {
  const std::string lower = text::to_lower(name);
  if (lower == "con" || lower == "prn" || lower == "aux" || lower == "nul") return true;
  return lower.size() == 4 && (lower.starts_with("com") || lower.starts_with("lpt")) && lower[3] >= '0' &&
         lower[3] <= '9';
}

// The name that is already taken. File names on Windows and macOS are case-insensitive.
std::optional<std::string> taken_name(const production& made, std::string_view name) {
  const std::string wanted = text::to_lower(name);
  for (const scripted_actor& each : made.actors)
    if (text::to_lower(each.part->options().name) == wanted) return each.part->options().name;
  for (const saved_recording& each : made.saved)
    if (text::to_lower(each.name) == wanted) return each.name;
  return std::nullopt;
}

}  // namespace

bool check_name(call& of, std::string_view name) {
  if (!is_file_name(name)) {
    of.fail("needs a name of letters, digits, _ and -, which becomes the name of a file");
  } else if (name.front() == '-') {
    of.fail("cannot use the name '{}': programs interpret a file name that begins with - as an option", name);
  } else if (is_windows_device(name)) {
    of.fail("cannot use the name '{}': Windows reserves it for a device", name);
  } else if (const auto taken = taken_name(of.all().made, name)) {
    if (*taken == name) {
      of.fail("has the name '{}' already", name);
    } else {
      of.fail("cannot use the name '{}' beside '{}': file names must differ in more than case", name, *taken);
    }
  }
  return !of.failed();
}

namespace {

// The options of an actor{} that describe the actor itself; plan_options of its motion are read later.
struct actor_table {
  actor_options options;
  std::string_view kind_option;  // the option that set its kind
  int skin = -1;
  int model = -1;
};

void set_kind(call& of, actor_table& out, std::string_view key) {
  if (!out.kind_option.empty())
    of.fail("has {} and {}: set one of on_foot, vehicle and model", out.kind_option, key);
  out.kind_option = key == "model" ? "model" : key == "vehicle" ? "vehicle" : "on_foot";
}

void read_model(call& of, actor_table& out, std::string_view key, int at) {
  out.model = static_cast<int>(of.whole(at, key, 400, 611));
  out.options.kind = body_of_model(out.model);
  out.options.can_hover = out.model == samp_rec::hydra_model;
  out.options.train_speed = samp_rec::is_train_model(static_cast<std::uint16_t>(out.model));
  set_kind(of, out, key);
}

void read_vehicle(call& of, actor_table& out, std::string_view key, int at) {
  if (of.is_number(at)) return read_model(of, out, key, at);
  const auto kind = body_named(of.text(at, key));
  if (!of.failed() && (!kind || *kind == body::on_foot)) {
    of.fail(
        "expects a vehicle (car, bike, truck, boat, helicopter, plane, train) or a model from 400 to "
        "611");
  }
  if (!kind) return;
  out.options.kind = *kind;
  set_kind(of, out, key);
}

// Whether an option of this name exists.
bool read_actor_option(call& of, actor_table& out, std::string_view key, int at) {
  actor_options& options = out.options;
  if (key == "name") return options.name = of.text(at, key), true;
  if (key == "skin") return out.skin = static_cast<int>(of.whole(at, key, 0, 65535)), true;
  if (key == "at") return options.at = of.point(at, key, no_z), true;
  if (key == "heading") return options.heading_deg = of.number(at, key), true;
  if (key == "model") return read_model(of, out, key, at), true;
  if (key == "vehicle") return read_vehicle(of, out, key, at), true;
  if (key == "on_foot") {
    if (of.truth(at, false)) options.kind = body::on_foot, set_kind(of, out, key);
    return true;
  }
  if (key == "continues") {
    if (of.actor(at, key) != nullptr) options.continues = of.handle_at(at, actor_type)->index;
    return true;
  }
  if (key == "start_speed") {
    options.start_mps = of.number(at, key);
    if (!of.failed() && (*options.start_mps < 0 || *options.start_mps > 150))
      of.fail("expects start_speed to be from 0 to 150");
    return true;
  }
  if (key == "end_speed") {
    options.end_mps = of.number(at, key);
    if (!of.failed() && (options.end_mps <= 0 || options.end_mps > 150))
      of.fail("expects end_speed to be above 0 and at most 150");
    return true;
  }
  return key == "speed" || key == "accelerate" || key == "brake" || key == "lateral" || key == "turn_rate" ||
         key == "pitch_rate" || key == "corner";
}

gives actor(call& of) {
  if (!of.is_table(1))
    return of.fail("expects a table like actor{{ name=\"guard\", on_foot=true }}, got {}", of.type_at(1));
  actor_table said;
  actor_options& options = said.options;
  options.limits = of.all().options.limits.plan;
  of.fields(1, [&](std::string_view key, int at) { return read_actor_option(of, said, key, at); });
  if (of.failed() || !check_name(of, options.name)) return gives::nothing;
  if (said.kind_option.empty()) return of.fail("needs on_foot=true, or a vehicle, for {}", options.name);
  auto& actors = of.all().made.actors;
  if (options.continues) {
    for (const scripted_actor& each : actors) {
      if (each.part->options().continues == options.continues)
        return of.fail("cannot continue {} with {}: {} continues it already",
                       actors[*options.continues].part->options().name, options.name,
                       each.part->options().name);
    }
  }
  if (actors.size() >= of.all().options.limits.actors)
    return of.fail("is limited to {} actors", of.all().options.limits.actors);
  auto part = std::make_unique<plan>(std::move(options));
  part->line = of.line();
  of.fields(1, [&](std::string_view key, int at) { return read_motion_option(of, *part, key, at) || true; });
  if (of.failed()) return gives::nothing;
  if (part->options().at && !is_finite(*part->options().at)) return of.fail("needs a z for at");
  part->limits.speed_mps =
      std::max({part->limits.speed_mps, part->options().start_mps.value_or(0), part->options().end_mps});
  actors.push_back({std::move(part), said.skin, said.model});
  of.result_handle = {static_cast<std::uint32_t>(actors.size() - 1), 0};
  return gives::actor;
}

}  // namespace

std::span<const named_function> actor_functions() noexcept {
  static constexpr named_function all[] = {{"actor", bound<actor>}};
  return all;
}

}  // namespace tickreel::npc
