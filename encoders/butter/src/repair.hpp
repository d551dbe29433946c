// What the known writer meant.
//
// It takes differences from the frame it was given and not from what a reader has, and leaves a field out
// when its difference, rather than its value, is the same as before. A reader that knows this gets more out
// of its files than the format's own decoder does. docs/formats/butter.md lists each repair.
#pragma once

#include <array>
#include <cstdint>

#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// What was last read of one player.
struct player_memory {
  std::uint64_t userid = 0;
  std::uint64_t seen = 0;               // number of the frame
  std::array<echo::vec3, 4> step = {};  // the differences last read: head, body, left hand, right hand
  echo::player last;
};

class known_writer {
 public:
  // False while the file comes from a writer that knows what the reader has.
  [[nodiscard]] bool active() const noexcept { return active_; }
  void set_active(bool active) noexcept { active_ = active; }
  void begin_frame() noexcept { ++frame_; }

  // Finds or makes the memory of a player; the one that was not seen for longest gives way.
  [[nodiscard]] player_memory& of(std::uint64_t userid) noexcept;
  // Null when that player was never seen.
  [[nodiscard]] player_memory* find(std::uint64_t userid) noexcept;
  void remember(player_memory& memory, const echo::player& player) noexcept;

  // Its pause timers are differences, and 0 at a keyframe. `pause` holds what was read, or the block held.
  void follow_pause_timers(bool present, echo::pause_state& pause) noexcept;

  echo::vec3 vr_step;
  echo::vec3 disc_step;
  echo::vec3 disc_velocity_step;

 private:
  float paused_timer_ = 0;
  float unpaused_timer_ = 0;
  float paused_timer_step_ = 0;
  float unpaused_timer_step_ = 0;
  std::array<player_memory, echo::max_players> players_{};
  std::size_t player_count_ = 0;
  std::uint64_t frame_ = 0;
  bool active_ = true;
};

}  // namespace tickreel::butter
