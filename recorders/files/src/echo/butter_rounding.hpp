// Rounds a tick as a .butter does, to compare it with a tick of a .butter.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "tickreel/butter/decoder.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::files {

// The largest allowed differences: those of the coarsest profile, and for positions the half-precision floats
// of keyframes and long movements if those are coarser. docs/command-line.md lists them.
struct butter_precision {
  float position_m = 0.0025f;
  float half_precision = 0x1p-11f;  // of a coordinate, and of the movement since the previous tick
  float velocity_mps = 0.36f;
  // 0.6 degrees as the distance of two unit axes: 0.5, plus the error of an axis with three decimals.
  float axis = 0.0105f;
  float possession_time_s = 0.51f;
  float game_clock_s = 0.001f;  // rounding of floats
  float packet_loss = 0x1p-10f;
};

class butter_rounding {
 public:
  butter_rounding() : out_(std::make_unique<echo::state>()) {}

  // `tick` without the fields that a .butter cannot store, with its texts as a .butter spells them. A number
  // that a .butter rounds becomes that of `stored` if both are close enough, and stays that of `tick`
  // otherwise. Valid until the next call. A tick that cannot be encoded is returned unchanged. Call it in
  // tick order: a .butter stores movements, so a position after a long movement is only as exact as that
  // movement.
  const echo::state& of(const echo::state& tick, const echo::state& stored);

 private:
  struct player_places {
    std::uint64_t userid = 0;
    std::array<echo::vec3, 4> poses;  // head, body, hands
  };
  // The positions that a decoder held before this tick.
  struct places {
    echo::vec3 disc;
    echo::vec3 headset;
    std::array<player_places, echo::max_players> players;
    std::size_t player_count = 0;
  };

  [[nodiscard]] bool pass_through(const echo::state& tick);
  void settle_all(const echo::state& tick, const echo::state& stored);
  void hold(const echo::state& stored) noexcept;

  std::unique_ptr<echo::state> out_;
  places before_;
  std::optional<butter::encoder> encoder_;
  std::optional<butter::decoder> decoder_;
  std::optional<std::uint32_t> revision_;
  byte_vector room_;
};

}  // namespace tickreel::files
