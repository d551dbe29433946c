// Restores what the known writer meant.
//
// That writer computes differences from the frame it was given and not from the reader's frame, and omits a field
// if its difference, rather than its value, is the same as before. A reader that knows this restores more from
// such files than the format's own decoder. docs/formats/butter.md lists each repair.
#pragma once

#include <array>
#include <cstdint>

#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// The last values read of one player.
struct player_memory {
  std::uint64_t userid = 0;
  std::uint64_t seen = 0;               // number of the frame
  std::array<echo::vec3, 4> step = {};  // the differences last read: head, body, left hand, right hand
  echo::player last;
};

class known_writer {
 public:
  // False while the file comes from a writer that models the reader.
  [[nodiscard]] bool active() const noexcept { return active_; }
  void set_active(bool active) noexcept { active_ = active; }
  void begin_frame() noexcept { ++frame_; }

  // Finds or creates the memory of a player; replaces the one that was not seen for the longest time.
  [[nodiscard]] player_memory& of(std::uint64_t userid) noexcept;
  // Null for an unknown player.
  [[nodiscard]] player_memory* find(std::uint64_t userid) noexcept;
  void remember(player_memory& memory, const echo::player& player) noexcept;

  // Its pause timers are differences, and 0 at a keyframe. `pause` holds the values read, or the last block.
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
