// Generates the blocks of one actor on demand. Memory is proportional to the current run, not to the plan's
// duration.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "tickreel/npc/plan.hpp"
#include "tickreel/npc/timeline.hpp"
#include "tickreel/samp_rec/on_foot.hpp"
#include "tickreel/samp_rec/vehicle.hpp"

namespace tickreel::npc {

// The plan and its timeline must outlive the stream. Blocks are every traits().step_s during motion and every
// idle_step_s otherwise; velocities lead exactly to the next block.
class actor_stream {
 public:
  actor_stream(const plan& part, const timeline& when);

  // Returns false at the end. For a plan on foot it fills the on_foot_block, otherwise the vehicle_block.
  bool next(samp_rec::on_foot_block& to);
  bool next(samp_rec::vehicle_block& to);

  // The planned position at a time, without blocks: for comparison with a playback. Times must increase, and
  // a stream used for this cannot generate blocks.
  [[nodiscard]] vec3 intended_position(double t_s);

 private:
  // The state at one instant.
  struct sample {
    std::int64_t time_ms = 0;
    vec3 position;
    double heading_deg = 0;
    double pitch_deg = 0;
    double speed_mps = 0;
    bool moving = false;       // or turning
    bool reverse = false;      // the body faces backwards
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
  template <class Block>
  void keep_seam(Block& block, bool last);

  const plan& plan_;
  const timeline& when_;
  const body_traits& traits_;
  std::int64_t step_ms_;
  std::int64_t begin_ms_;  // on the shared clock; blocks count from it

  // The instant reached by go_to().
  std::size_t index_ = 0;
  bool entered_ = false;
  std::optional<run_cursor> cursor_;
  std::size_t next_mark_ = 0;
  vec3 position_;
  std::optional<vec3> end_;  // of a part that ends in motion
  vec3 tangent_ = {0, 1, 0};
  double speed_mps_ = 0;
  double heading_deg_ = 0;
  double turn_rate_dps_ = 0;  // the speed limit at the actor's place
  looks look_;
  bool moving_ = false;
  bool reverse_ = false;

  sample current_;
  bool started_ = false;
  bool finished_ = false;
  // Follows the path's heading and slope at limited rates.
  double shown_heading_ = 0;
  double shown_pitch_ = 0;
  double shown_roll_ = 0;
  double shown_s_ = 0;  // since the previous block
  bool rolling_ = false;
  double first_pitch_ = 0;  // of a rolling loop
  double first_roll_ = 0;
  // The first block of a rolling loop, which is also its last.
  std::tuple<std::optional<samp_rec::on_foot_block>, std::optional<samp_rec::vehicle_block>> first_;
};

}  // namespace tickreel::npc
