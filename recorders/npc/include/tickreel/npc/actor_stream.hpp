// One actor's blocks, one after the other, as they are needed. Memory in proportion to the run that is under
// way, not to the time that the plan takes.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/npc/plan.hpp"
#include "tickreel/npc/timeline.hpp"
#include "tickreel/samp_rec/on_foot.hpp"
#include "tickreel/samp_rec/vehicle.hpp"

namespace tickreel::npc {

// The plan and its timeline must outlive the stream. Blocks are every traits().step_s while something moves
// and every idle_step_s while nothing does; velocities lead exactly to the next block.
class actor_stream {
 public:
  actor_stream(const plan& part, const timeline& when);

  // False at the end. For a plan on foot the on_foot_block, for others the vehicle_block.
  bool next(samp_rec::on_foot_block& to);
  bool next(samp_rec::vehicle_block& to);

  // Where the path has the actor at a time, without blocks: for measuring how close a playback is. Times
  // must rise, and a stream used for it cannot give blocks.
  [[nodiscard]] vec3 intended_position(double t_s);

 private:
  // All about one instant.
  struct sample {
    std::int64_t time_ms = 0;
    vec3 position;
    double heading_deg = 0;
    double pitch_deg = 0;
    double speed_mps = 0;
    bool moving = false;       // or turning
    bool reverse = false;      // the body looks back
    double still_until_s = 0;  // when not moving
    const recorded* played = nullptr;
    std::size_t played_block = 0;
    looks look = {};
  };

  void go_to(double t_s);
  void enter(std::size_t index);
  void leave(std::size_t index);
  [[nodiscard]] sample sample_at(std::int64_t time_ms);
  [[nodiscard]] std::int64_t time_after(const sample& from) const;
  template <class Block>
  bool next_block(Block& to);
  template <class Block>
  bool next_from_begin(Block& to);
  void show(const sample& from, double turn_dps, double gain_mps2);
  void fill(samp_rec::on_foot_block& to, const sample& from, const vec3& velocity_mps, double turn_dps,
            double gain_mps2);
  void fill(samp_rec::vehicle_block& to, const sample& from, const vec3& velocity_mps, double turn_dps,
            double gain_mps2);
  // The last block of a rolling loop is its first.
  void keep_seam(samp_rec::on_foot_block& block, bool last);
  void keep_seam(samp_rec::vehicle_block& block, bool last);

  const plan& plan_;
  const timeline& when_;
  const body_traits& traits_;
  std::int64_t step_ms_;
  std::int64_t begin_ms_;  // on the shared clock; blocks count from it

  // The instant that go_to() reached.
  std::size_t index_ = 0;
  bool entered_ = false;
  std::optional<run_cursor> cursor_;
  std::size_t next_mark_ = 0;
  vec3 position_;
  std::optional<vec3> end_;  // of a part that ends in motion
  vec3 tangent_ = {0, 1, 0};
  double speed_mps_ = 0;
  double heading_deg_ = 0;
  double turn_rate_dps_ = 0;  // the limit where the actor is
  looks look_;
  bool moving_ = false;
  bool reverse_ = false;

  sample current_;
  bool started_ = false;
  bool finished_ = false;
  // What the body does with the path's heading and slope, at limited rates.
  double shown_heading_ = 0;
  double shown_pitch_ = 0;
  double shown_roll_ = 0;
  double shown_s_ = 0;  // since the block before
  bool rolling_ = false;
  double first_pitch_ = 0;  // of a rolling loop
  double first_roll_ = 0;
  // The first block of a rolling loop, which is also its last.
  std::optional<samp_rec::on_foot_block> first_on_foot_;
  std::optional<samp_rec::vehicle_block> first_vehicle_;
};

}  // namespace tickreel::npc
