// What a .butter keeps of a tick, to be compared with one that comes from a .butter.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "tickreel/butter/decoder.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::files {

// How far apart values may be: what the coarsest profile holds, and for places, where that is more, the half
// precision of keyframes and of long ways. docs/command-line.md names them.
struct butter_precision {
  float position_m = 0.0025f;
  float half_precision = 0x1p-11f;  // of a coordinate, and of the way from the tick before
  float velocity_mps = 0.36f;
  // 0.6 degrees as the distance of two axes of length one: 0.5, and what three decimals make of an axis.
  float axis = 0.0105f;
  float possession_time_s = 0.51f;
  float game_clock_s = 0.001f;  // differences of floats
  float packet_loss = 0x1p-10f;
};

class butter_rounding {
 public:
  butter_rounding() : out_(std::make_unique<echo::state>()) {}

  // `tick` without what a .butter has no place for, its texts as they are spelled there. Numbers that a
  // .butter rounds are those of `stored` where that is near enough, else those of `tick`. Until the next
  // call. One that cannot be encoded comes as it is. Calls come in the order of ticks: a .butter tells where
  // something is by the way from where it was, so what jumps far is there only as exactly as that way.
  const echo::state& of(const echo::state& tick, const echo::state& stored);

 private:
  struct player_places {
    std::uint64_t userid = 0;
    std::array<echo::vec3, 4> poses;  // head, body, hands
  };
  // What a reader held before this tick.
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
