// Loads the extension, and plays two seconds of a scene with the node.
#include <cmath>
#include <filesystem>

#include "godot_cpp/core/class_db.hpp"
#include "tickreel_recorder.hpp"

extern "C" GDExtensionBool tickreel_library_init(GDExtensionInterfaceGetProcAddress,
                                                 GDExtensionClassLibraryPtr, GDExtensionInitialization*);

static void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

static std::int64_t play(TickreelRecorder& recorder, godot::Node& parent, godot::Node3D* moved) {
  parent.add_child(&recorder);
  recorder._ready();
  for (int frame = 0; frame < 120; ++frame) {
    if (moved != nullptr) {
      const float at = static_cast<float>(frame) / 4;
      moved->set_global_transform({{{0, std::sin(at), 0, std::cos(at)}}, {at, 2, -at}});
    }
    recorder._physics_process(1.0 / 60);
  }
  recorder._exit_tree();
  return recorder.get_written();
}

int main() {
  expect(tickreel_library_init(nullptr, nullptr, nullptr) == 1, "the extension is loaded");
  godot::GDExtensionBinding::initializer(godot::MODULE_INITIALIZATION_LEVEL_SERVERS);
  expect(godot::ClassDB::classes.empty(), "no class before its level");
  godot::GDExtensionBinding::initializer(godot::MODULE_INITIALIZATION_LEVEL_SCENE);
  expect(godot::ClassDB::classes == std::vector<std::string>{"TickreelRecorder"}, "the class is registered");
  expect(godot::ClassDB::found == 2, "the property has its accessors");

  godot::Node3D ball;
  TickreelRecorder recorder;
  recorder.set_path("user://godot.reel");
  expect(play(recorder, ball, &ball) == 120 && godot::UtilityFunctions::errors == 0, "records 120 frames");
  TickreelRecorder refused;
  refused.set_path("user://godot.reel");
  expect(play(refused, ball, &ball) == 0 && godot::UtilityFunctions::errors == 1, "overwrites nothing");
  godot::Node flat;
  TickreelRecorder misplaced;
  misplaced.set_path("user://flat.reel");
  expect(play(misplaced, flat, nullptr) == 0 && godot::UtilityFunctions::errors == 2,
         "reports another parent");
  godot::Engine::get_singleton()->editor = true;
  TickreelRecorder edited;
  edited.set_path("user://edited.reel");
  expect(play(edited, ball, &ball) == 0 && !std::filesystem::exists("edited.reel"),
         "records nothing in the editor");
  godot::GDExtensionBinding::terminator(godot::MODULE_INITIALIZATION_LEVEL_SCENE);
  return 0;
}
