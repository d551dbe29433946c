// Decodes one .butter frame, with the arithmetic of the format's own decoder.
#pragma once

#include <optional>

#include "repair.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/quantize/basis.hpp"
#include "tickreel/quantize/half.hpp"

namespace tickreel::butter {

// Facts that all frames of a file share.
struct file_facts {
  const file_header* header = nullptr;
  echo::mode mode = echo::mode::other;
  echo::session common;  // the initial session of each frame
};

[[nodiscard]] file_facts facts_of(const file_header& header) noexcept;

// The sources of a player's values: differences refer to `base`, omitted values to `held`.
struct player_sources {
  const echo::player* base = nullptr;  // in the frame before
  const echo::player* held = nullptr;  // the same, or the known values of a player who returned
  player_memory* memory = nullptr;     // only while repairing
};

// The work on one frame. A function that fails leaves `in` failed and sets `problem`, static text with two
// placeholders: the chunk's number and the offset in it.
struct frame_decode {
  const file_facts& file;
  byte_reader& in;
  const echo::state* previous;  // the base of differences; null at a keyframe
  const echo::state* before;    // the frame before this one, of any kind; null at the first
  echo::state& out;
  known_writer* repair;  // null unless repairing
  bool skips_bones = false;
  // The number of players whose bones were skipped, in the frame before and in this one; empty without bones.
  std::optional<std::uint8_t> skipped_before = std::nullopt;
  std::optional<std::uint8_t> skipped = std::nullopt;
  bool keyframe = false;
  const char* problem = "chunk {}, byte {}: the frame ends early";

  [[nodiscard]] bool decode() noexcept;

 private:
  [[nodiscard]] bool fails(error_code code, const char* what) noexcept {
    if (in.ok()) problem = what;
    in.fail_with(code);
    return false;
  }
  // An omitted value comes from the frame before. If there is none, the format's decoder fails; a repairing
  // reader continues with zero.
  [[nodiscard]] bool holds(const char* what) noexcept {
    return previous != nullptr || repair != nullptr || fails(error_code::missing_keyframe, what);
  }
  [[nodiscard]] bool undoing() const noexcept { return repair != nullptr && repair->active(); }

  [[nodiscard]] bool decode_time() noexcept;
  void repair_time(std::int64_t base_ms) noexcept;
  [[nodiscard]] bool decode_match_v3(std::uint8_t mask) noexcept;
  [[nodiscard]] bool decode_match_v2(std::uint8_t mask) noexcept;

  void read_status() noexcept;
  void hold_status() noexcept;
  void read_points() noexcept;
  void hold_points() noexcept;
  void read_inputs() noexcept;
  void hold_inputs() noexcept;
  [[nodiscard]] bool decode_pause(bool present) noexcept;
  [[nodiscard]] bool decode_last_score(bool present) noexcept;
  [[nodiscard]] bool decode_last_throw(bool present) noexcept;
  [[nodiscard]] bool decode_vr_player(bool present) noexcept;
  [[nodiscard]] bool decode_disc(bool present) noexcept;
  void decode_payload(bool present) noexcept;
  void decode_rules(bool present) noexcept;

  [[nodiscard]] bool decode_teams() noexcept;
  [[nodiscard]] bool decode_player(echo::player& player) noexcept;
  [[nodiscard]] bool name_player(std::uint8_t index, echo::player& player) noexcept;
  [[nodiscard]] player_sources sources_of(const echo::player& player) noexcept;
  void decode_player_stats(bool present, const player_sources& from, echo::player& player) noexcept;
  [[nodiscard]] bool decode_connection(bool present, const player_sources& from,
                                       echo::player& player) noexcept;
  [[nodiscard]] bool decode_holdings(bool present, const player_sources& from, echo::player& player) noexcept;
  [[nodiscard]] bool decode_poses(const player_sources& from, echo::player& player) noexcept;
  [[nodiscard]] echo::stats read_stats() noexcept;
  [[nodiscard]] bool decode_bones() noexcept;
  [[nodiscard]] bool skip_bone_player() noexcept;
  [[nodiscard]] bool decode_bone_player(echo::bone_player& player, const echo::bone_player* base) noexcept;

  [[nodiscard]] float read_half() noexcept { return half_to_float(in.u16()); }
  [[nodiscard]] echo::vec3 read_halves() noexcept {
    const float x = read_half();
    const float y = read_half();
    const float z = read_half();
    return {x, y, z};
  }
};

[[nodiscard]] inline echo::vec3 operator+(const echo::vec3& a, const echo::vec3& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

// Sets the three axes of `pose` from `rotation`.
inline void set_axes(echo::pose& pose, const quaternion& rotation) noexcept {
  const basis axes = basis_from_quaternion(rotation);
  const vector3 left = left_of(axes);
  pose.forward = {axes.forward[0], axes.forward[1], axes.forward[2]};
  pose.up = {axes.up[0], axes.up[1], axes.up[2]};
  pose.left = {left[0], left[1], left[2]};
  pose.fields |= echo::pose::has_forward | echo::pose::has_left | echo::pose::has_up;
}

// The first player of that userid over teams 0, 1, 2, as the format's decoder finds it. Null for none.
[[nodiscard]] const echo::player* find_player(const echo::state& in, std::uint64_t userid) noexcept;

}  // namespace tickreel::butter
