// The encoder's implementation: a model of the format's decoder.
#pragma once

#include <array>
#include <memory>

#include "baseline.hpp"
#include "lane_kernels.hpp"
#include "motion_lead.hpp"
#include "overlapping_bytes.hpp"
#include "player_table.hpp"
#include "rounding.hpp"
#include "tickreel/butter/encoder.hpp"

namespace tickreel::butter {

// Maximum size of a player in bytes: index, slot, state; statistics, connection, velocity; mask of poses;
// loadout.
inline constexpr std::size_t player_size = 3 + 14 + 6 + 6 + 1 + 4 * (6 + 4) + 1;
using player_bytes = overlapping_bytes<player_size>;

struct encoder::model {
  explicit model(const encoder_options& options);

  // Frame by frame.
  void encode(const echo::state& next, frame_kind kind, byte_writer& out) noexcept;
  [[nodiscard]] bool needs_keyframe(const echo::state& next) const noexcept;

  encoder_options options;
  player_table table;
  omissions left_out;

 private:
  // The players of a tick in order, limited to valid counts.
  struct roster {
    std::array<std::uint8_t, echo::max_teams> counts;
    std::size_t total;
    // The decoder's values of each since the frame before; null for a new player.
    std::array<const held_player*, echo::max_players> bases;
  };
  void match_roster(const echo::state& next, roster& result) const noexcept;
  [[nodiscard]] bool needs_keyframe(const echo::state& next, const roster& players) const noexcept;

  void encode_match(const echo::state& next, byte_writer& out) noexcept;
  [[nodiscard]] bool put_status(const echo::session& match, byte_writer& out) noexcept;
  [[nodiscard]] bool put_pause(const echo::session& match, byte_writer& out) noexcept;
  [[nodiscard]] bool put_last_score(const echo::session& match, byte_writer& out) noexcept;
  [[nodiscard]] bool put_last_throw(const echo::session& match, byte_writer& out) noexcept;
  [[nodiscard]] bool put_vr_player(const echo::session& match, byte_writer& out) noexcept;
  [[nodiscard]] bool put_disc(const echo::session& match, byte_writer& out) noexcept;
  [[nodiscard]] bool put_payload(const echo::session& match, byte_writer& out) noexcept;
  [[nodiscard]] bool put_rules(const echo::session& match, byte_writer& out) noexcept;
  void count_unsupported(const echo::state& next) noexcept;

  // Assigns an index to each player, and its values before this frame. After this, players_[now_] is the
  // current frame.
  void place_players(const echo::state& next) noexcept;
  void encode_teams(const echo::state& next, byte_writer& out) noexcept;
  [[nodiscard]] bool put_team_stats(const echo::team& team, std::size_t which, byte_writer& out) noexcept;
  void encode_player(const echo::player& player, const held_player* base, pose_steps& way, held_player& held,
                     player_bytes& out) noexcept;
  [[nodiscard]] bool put_player_stats(const echo::player& player, const held_player* base, held_player& held,
                                      player_bytes& out) noexcept;
  [[nodiscard]] bool put_connection(const echo::player& player, const held_player* base, held_player& held,
                                    player_bytes& out) noexcept;
  void put_poses(const echo::player& player, bool first, pose_steps& way, held_poses& held,
                 player_bytes& out) noexcept;
  [[nodiscard]] std::uint8_t loadout_of(const echo::player& player) noexcept;
  [[nodiscard]] std::uint8_t holding_code(const echo::holding& hand) noexcept;
  [[nodiscard]] const held_player* find_held(std::uint64_t userid) const noexcept;

  [[nodiscard]] bool bones_exceed_grid(const echo::state& next) const noexcept;
  void encode_bones(const echo::state& next, byte_writer& out) noexcept;
  // `before` is the input of the frame before; null if unknown or without leading.
  void encode_bone_player(const echo::bone_player& wanted, bool has_base, const echo::bone_player* before,
                          held_bones& held, byte_writer& out) noexcept;

  // Three halves that move a held vector as close as possible to the input.
  struct steps {
    std::array<std::uint32_t, 4> halves;  // the last unused
    std::array<float, 4> reached;

    [[nodiscard]] bool none() const noexcept { return (halves[0] | halves[1] | halves[2]) == 0; }
    // As written, in six bytes.
    [[nodiscard]] std::uint64_t word() const noexcept {
      return halves[0] | halves[1] << 16 | std::uint64_t{halves[2]} << 32;
    }
    [[nodiscard]] echo::vec3 place() const noexcept { return {reached[0], reached[1], reached[2]}; }
  };
  void steps_toward(const echo::vec3& wanted, const echo::vec3& held, const step_rounding& rounding,
                    steps& taken) noexcept;
  // False if `held` is good enough or cannot be improved; otherwise `taken` is the value to write.
  [[nodiscard]] bool moves(const echo::vec3& wanted, const echo::vec3& held, float limit_square,
                           const step_rounding& rounding, steps& taken) noexcept;
  // Compares the poses of headset, disc and all players with the decoder's values.
  void measure_poses(const echo::state& next) noexcept;
  // Handles values of one of four that the SIMD code cannot express: a way that is too long is clamped, and
  // axes without a rotation become `otherwise`.
  void complete_steps(const echo::pose& wanted, unsigned which, const held_poses& held,
                      std::uint32_t otherwise, pose_steps& way) noexcept;
  // Headset or disc; updates the held values.
  void put_pose(const echo::pose& wanted, unsigned which, bool first, byte_writer& out) noexcept;
  // The nearest value that the format has; one that is out of its range is counted.
  [[nodiscard]] std::uint8_t counted_u8(std::int32_t value) noexcept;
  [[nodiscard]] std::uint16_t counted_half(float value) noexcept;

  lane_kernels kernels_ = best_lane_kernels();
  step_rounding velocity_rounding_;
  pose_limits pose_limits_;
  float velocity_limit_;  // square
  lead pose_lead_;
  bone_limits bone_limits_;
  bone_leads bone_leads_;
  std::unique_ptr<lead_memory> seen_;  // null without leading

  bool started_ = false;
  bool keyframe_ = false;  // the current frame is one
  held_frame held_;
  std::array<held_player, echo::max_players> players_[2];
  std::size_t player_counts_[2] = {0, 0};
  std::size_t now_ = 0;  // which of the two is the last frame
  roster roster_;        // of the current frame
  std::array<held_bones, echo::max_players> bones_;
  // Of the current frame: headset and disc, then the players.
  std::array<pose_steps, 1 + echo::max_players> pose_steps_;

  // Inputs of the last frame's blocks: the same input produces the same bytes.
  echo::last_throw seen_throw_;
  echo::last_score seen_score_;
  std::uint32_t seen_score_revision_ = 0;
  std::uint64_t unsupported_session_ = 0;
  std::uint32_t clamped_in_table_ = 0;  // of `left_out`
  std::uint32_t unsupported_parts_ = 0;
};

}  // namespace tickreel::butter
