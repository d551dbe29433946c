#include <bit>

#include "bone_grid.hpp"
#include "frame_decode.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::butter {
namespace {

// Three mask bytes, first bit lowest; bit 23 has no meaning.
std::uint32_t read_bone_mask(byte_reader& in) noexcept {
  const std::uint32_t low = in.u16();
  return low | std::uint32_t{in.u8()} << 16;
}

}  // namespace

bool frame_decode::decode_bones() noexcept {
  const std::uint8_t head = in.u8();
  if (!in.ok()) return false;
  out.bones = echo::bones_kind::absent;
  out.bone_player_count = 0;
  const std::uint8_t version = file.header->version;
  if (version == 1 && head <= 1) {
    out.bones = echo::bones_kind::without_list;
    return true;
  }
  if (version == 1 && repair == nullptr) {
    return fails(error_code::malformed,
                 "chunk {}, byte {}: version 1 with bones, which its decoder can't read");
  }
  if ((head & 1) == 0) return true;
  const std::size_t count = head >> 1;
  if (count > echo::max_players) {
    return fails(error_code::over_limit, "chunk {}, byte {}: too many players with bones");
  }

  constexpr const char* more_than_before =
      "chunk {}, byte {}: more players with bones than before, a defect of the known writer that repairing "
      "undoes";
  if (skips_bones) {
    // Readers that skip bones reject the same as those that read them.
    if (previous != nullptr && skipped_before && *skipped_before < count && repair == nullptr) {
      return fails(error_code::missing_keyframe, more_than_before);
    }
    skipped = static_cast<std::uint8_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!skip_bone_player()) return false;
    }
    return true;
  }

  // The known writer computes the difference from the frame before even at a keyframe, and from zero when the
  // number of players changed.
  const echo::state* from = undoing() ? before : previous;
  if (from != nullptr && from->bones != echo::bones_kind::present) from = nullptr;
  if (undoing() && from != nullptr && from->bone_player_count != count) from = nullptr;
  if (from != nullptr && from->bone_player_count < count && repair == nullptr) {
    return fails(error_code::missing_keyframe, more_than_before);
  }
  out.bones = echo::bones_kind::present;
  for (std::size_t i = 0; i < count; ++i) {
    const bool has_base = from != nullptr && i < from->bone_player_count;
    if (!decode_bone_player(out.bone_players[i], has_base ? &from->bone_players[i] : nullptr)) return false;
  }
  out.bone_player_count = static_cast<std::uint8_t>(count);
  return true;
}

bool frame_decode::skip_bone_player() noexcept {
  constexpr std::uint32_t all = (std::uint32_t{1} << echo::bone_count) - 1;
  const std::uint32_t positions = read_bone_mask(in) & all;
  const std::uint32_t rotations = read_bone_mask(in) & all;
  for (int codes = 3 * std::popcount(positions); codes > 0; --codes) (void)read_prefix_varint(in);
  in.skip(4 * static_cast<std::size_t>(std::popcount(rotations)));
  return in.ok();
}

bool frame_decode::decode_bone_player(echo::bone_player& player, const echo::bone_player* base) noexcept {
  player.playerid = -1;
  const std::uint32_t positions = read_bone_mask(in);
  const std::uint32_t rotations = read_bone_mask(in);
  if (!in.ok()) return false;
  const auto component = [this] {
    const std::int64_t code = zigzag_decode(read_prefix_varint(in));
    // No writer leaves the grid; a code far outside is damage.
    return bone_grid::decode(static_cast<std::int32_t>(code));
  };
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const echo::vec3 held = base != nullptr ? base->positions[i] : echo::vec3{};
    if ((positions >> i & 1) == 0) {
      player.positions[i] = held;
      continue;
    }
    const float x = component();
    const float y = component();
    const float z = component();
    player.positions[i] = held + echo::vec3{x, y, z};
  }
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const echo::quat held = base != nullptr ? base->rotations[i] : echo::quat{};
    if ((rotations >> i & 1) == 0) {
      player.rotations[i] = held;
      continue;
    }
    const quaternion step = smallest_three_unpack(in.u32());
    player.rotations[i] = product({step[0], step[1], step[2], step[3]}, held);
  }
  return in.ok();
}

}  // namespace tickreel::butter
