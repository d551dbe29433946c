#include "tickreel_recorder.hpp"

#include <array>
#include <godot_cpp/classes/engine.hpp>
#include <godot_cpp/classes/node3d.hpp>
#include <godot_cpp/classes/project_settings.hpp>
#include <godot_cpp/core/class_db.hpp>
#include <godot_cpp/variant/utility_functions.hpp>
#include <optional>

#include "tickreel.hpp"

struct recorded_transform {
  std::array<float, 3> position{};
  std::array<float, 4> rotation{0, 0, 0, 1};
};
TICKREEL_DESCRIBE(recorded_transform, position, rotation);
TICKREEL_DECLARE(recorded_transform, (position, unit_name("m")), (rotation, rotation));

struct TickreelRecorder::state {
  godot::String path = "user://match.reel";
  std::optional<tickreel::recording<recorded_transform>> out;
  std::int64_t written = 0;
};

static void report(const godot::String& path, const tickreel::error& failure) {
  godot::UtilityFunctions::push_error(path, ": ", godot::String::utf8(tickreel::describe(failure).c_str()));
}

TickreelRecorder::TickreelRecorder() : state_(std::make_unique<state>()) {}
TickreelRecorder::~TickreelRecorder() = default;

void TickreelRecorder::set_path(const godot::String& path) {
  state_->path = path;
}
godot::String TickreelRecorder::get_path_of_reel() const {
  return state_->path;
}
std::int64_t TickreelRecorder::get_written() const {
  return state_->written;
}

void TickreelRecorder::_ready() {
  // The editor calls this, too.
  if (godot::Engine::get_singleton()->is_editor_hint()) return;
  if (godot::Object::cast_to<godot::Node3D>(get_parent()) == nullptr) {
    godot::UtilityFunctions::push_error("TickreelRecorder: the parent is no Node3D");
    return;
  }
  const godot::String real = godot::ProjectSettings::get_singleton()->globalize_path(state_->path);
  auto opened = tickreel::record<recorded_transform>(
      real.utf8().get_data(), {.ticks_per_second = static_cast<double>(
                                   godot::Engine::get_singleton()->get_physics_ticks_per_second())});
  if (opened) {
    state_->out.emplace(std::move(*opened));
  } else {
    report(state_->path, opened.error());
  }
}

void TickreelRecorder::_physics_process(double) {
  if (!state_->out) return;
  const auto* const parent = godot::Object::cast_to<godot::Node3D>(get_parent());
  if (parent == nullptr) return;
  const godot::Transform3D now = parent->get_global_transform();
  const godot::Quaternion turned = now.basis.get_rotation_quaternion();
  const auto number = [](auto value) { return static_cast<float>(value); };
  // Copies into a ring and returns; a full ring drops the tick, which the reel counts.
  state_->out->push({{number(now.origin.x), number(now.origin.y), number(now.origin.z)},
                     {number(turned.x), number(turned.y), number(turned.z), number(turned.w)}});
}

void TickreelRecorder::_exit_tree() {
  if (!state_->out) return;
  const auto closed = state_->out->close();
  if (closed) {
    state_->written = static_cast<std::int64_t>(closed->counters.written);
  } else {
    report(state_->path, closed.error());
  }
  state_->out.reset();
}

void TickreelRecorder::_bind_methods() {
  using godot::D_METHOD;
  godot::ClassDB::bind_method(D_METHOD("set_path", "path"), &TickreelRecorder::set_path);
  godot::ClassDB::bind_method(D_METHOD("get_path_of_reel"), &TickreelRecorder::get_path_of_reel);
  godot::ClassDB::bind_method(D_METHOD("get_written"), &TickreelRecorder::get_written);
  ADD_PROPERTY(godot::PropertyInfo(godot::Variant::STRING, "path"), "set_path", "get_path_of_reel");
}
