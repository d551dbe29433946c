#include <bit>

#include "model.hpp"
#include "overlapping_bytes.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::butter {
namespace {

constexpr std::size_t mask_size = 3;

// Three prefix varints for each bone of the mask.
void write_words(const bone_steps& way, byte_writer& out) noexcept {
  for (std::uint32_t rest = way.moved; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    write_prefix_varint(out, way.x[i]);
    write_prefix_varint(out, way.y[i]);
    write_prefix_varint(out, way.z[i]);
  }
}

// Writes this many bytes for each bone of the mask.
template <std::size_t Size>
void write_bones(const bone_words& words, std::uint32_t mask, byte_writer& out) noexcept {
  overlapping_bytes<echo::bone_count * Size> bytes;
  bytes.template put_all<echo::bone_count>(
      [&words, mask](std::size_t i) { return std::pair(words[i], Size * (mask >> i & 1u)); });
  out.bytes(bytes.written());
}

}  // namespace

void encoder::model::encode_bones(const echo::state& next, byte_writer& out) noexcept {
  if (!options.bones || next.bones != echo::bones_kind::present) {
    out.u8(0);
    held_.has_bones = false;
    return;
  }
  const std::size_t count = std::min<std::size_t>(next.bone_player_count, echo::max_players);
  const bool has_base = held_.has_bones;
  held_.has_bones = true;
  held_.bone_player_count = static_cast<std::uint8_t>(count);
  held_.has_bent_bones = false;
  out.u8(static_cast<std::uint8_t>(1u | count << 1));
  if (seen_ == nullptr) {
    for (std::size_t i = 0; i < count; ++i) {
      encode_bone_player(next.bone_players[i], has_base, nullptr, bones_[i], out);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    echo::bone_player& before = seen_->bones[i];
    encode_bone_player(next.bone_players[i], has_base, has_base ? &before : nullptr, bones_[i], out);
    before = next.bone_players[i];
  }
}

void encoder::model::encode_bone_player(const echo::bone_player& wanted, bool has_base,
                                        const echo::bone_player* before, held_bones& held,
                                        byte_writer& out) noexcept {
  if (!has_base) held.clear();
  bone_limits limits = bone_limits_;
  // Movements repeat between frames and compress better with coarser codes; whole rotations, after a
  // keyframe, do not.
  if (!has_base) limits.coarse_axes = 0;
  bone_steps way;
  if (before != nullptr) {
    kernels_.step_bones_ahead(wanted, *before, bone_leads_, held, limits, way);
  } else {
    kernels_.step_bones(wanted, held, limits, way);
  }
  left_out.clamped_values += static_cast<std::uint64_t>(std::popcount(way.aimless) + std::popcount(way.bent));
  held_.has_bent_bones = held_.has_bent_bones || way.bent != 0;

  overlapping_bytes<2 * mask_size> masks;
  masks.put(way.moved, mask_size);
  masks.put(way.turned, mask_size);
  out.bytes(masks.written());
  if ((way.longer & way.moved) == 0) {
    // The usual case.
    write_bones<3>(way.triples, way.moved, out);
  } else {
    write_words(way, out);
  }
  write_bones<4>(way.packed, way.turned, out);
}

}  // namespace tickreel::butter
