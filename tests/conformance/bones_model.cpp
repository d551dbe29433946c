#include "frame_model.hpp"

namespace tickreel::butter_model {
namespace {

constexpr std::size_t bones_of_a_player = 23;

void read_bones_of_player(const user_bones* old, byte_source& in, user_bones& out) {
  const auto position_mask = static_cast<unsigned>(in.little_endian(3));
  const auto rotation_mask = static_cast<unsigned>(in.little_endian(3));
  for (std::size_t i = 0; i < bones_of_a_player; ++i) {
    vec3 place = old ? vec3{old->bone_t[3 * i], old->bone_t[3 * i + 1], old->bone_t[3 * i + 2]} : vec3{};
    if (bit(position_mask, static_cast<int>(i))) place = add(place, in.fixed_point3());
    out.bone_t.insert(out.bone_t.end(), {place.x, place.y, place.z});
  }
  for (std::size_t i = 0; i < bones_of_a_player; ++i) {
    quat turned;
    if (old) {
      const float* o = &old->bone_o[4 * i];
      turned = {o[0], o[1], o[2], o[3]};
    }
    if (bit(rotation_mask, static_cast<int>(i))) turned = multiply(in.s3(), turned);
    out.bone_o.insert(out.bone_o.end(), {turned.x, turned.y, turned.z, turned.w});
  }
}

}  // namespace

void read_bones(std::uint8_t version, const frame* prev, byte_source& in, std::optional<bones>& out) {
  const unsigned first = in.u8();
  const unsigned count = first >> 1;
  if (version == 1) {
    // The program's check accepts only 0 and 1, which both mean "none"; the following bytes are not skipped.
    if (first <= 1) out.emplace();
    return;
  }
  if (!bit(first, 0)) return;
  const std::vector<user_bones>* old =
      prev && prev->bones && prev->bones->user_bones ? &*prev->bones->user_bones : nullptr;
  std::vector<user_bones>& read = out.emplace().user_bones.emplace();
  for (unsigned i = 0; i < count; ++i) {
    if (old && i >= old->size()) throw decoder_exception(failure::out_of_range, "bones of one more player");
    read_bones_of_player(old ? &(*old)[i] : nullptr, in, read.emplace_back());
  }
}

}  // namespace tickreel::butter_model
