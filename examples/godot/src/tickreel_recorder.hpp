// A node that records the transform of its parent once per physics frame into a reel.
#pragma once

#include <cstdint>
#include <godot_cpp/classes/node.hpp>
#include <memory>

class TickreelRecorder : public godot::Node {
  GDCLASS(TickreelRecorder, godot::Node)

 public:
  TickreelRecorder();
  ~TickreelRecorder() override;

  // A reel that does not exist: "user://match.reel".
  void set_path(const godot::String& path);
  godot::String get_path_of_reel() const;
  // Ticks in the reel after the node has left the scene.
  std::int64_t get_written() const;

  void _ready() override;
  void _physics_process(double delta) override;
  void _exit_tree() override;

 protected:
  static void _bind_methods();

 private:
  // Keeps tickreel.hpp out of this header.
  struct state;
  std::unique_ptr<state> state_;
};
