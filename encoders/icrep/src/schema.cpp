#include "tickreel/icrep/schema.hpp"

#include <bit>

#include "tickreel/bytes/reader.hpp"

namespace tickreel::icrep {

namespace {

// each(number, bytes) of every slot in the mask.
template <class Slots, class Each>
result<void> walk(const Slots& known, std::uint64_t mask, byte_span bytes, const Each& each) noexcept {
  using length = decltype(known[0].kind);
  std::size_t used = 0;
  for (; mask != 0; mask &= mask - 1) {
    const auto number = static_cast<std::size_t>(std::countr_zero(mask));
    const auto& place = known[number];
    byte_reader in(bytes.subspan(used));
    std::uint64_t size = 0;
    switch (place.kind) {
      case length::unknown:
        return fail(error_code::malformed, used, undescribed_slot, static_cast<std::int64_t>(number));
      case length::fixed:
        size = place.bytes;
        break;
      case length::counted_u32:
        size = in.u32();
        break;
      case length::counted_u64:
        size = in.u64();
        break;
    }
    if (!in.ok() || size > in.remaining()) {
      return fail(error_code::malformed, used, "the bytes of slot {} end early",
                  static_cast<std::int64_t>(number));
    }
    const byte_span slot_bytes = bytes.subspan(used, in.position() + static_cast<std::size_t>(size));
    each(number, slot_bytes);
    used += slot_bytes.size();
  }
  if (used != bytes.size()) {
    return fail(error_code::malformed, used, "{} trailing byte{s} after the last slot",
                static_cast<std::int64_t>(bytes.size() - used));
  }
  return {};
}

}  // namespace

result<slot_table::slots> slot_table::compile(const std::vector<slot_description>& described,
                                              std::uint32_t first, std::uint32_t end) {
  slots known{};
  for (const slot_description& one : described) {
    if (one.slot < first || one.slot >= end) {
      return fail(error_code::invalid_argument, error::no_offset, "slot {} in a schema", one.slot);
    }
    slot& place = known[one.slot];
    if (place.kind != length::unknown) {
      return fail(error_code::invalid_argument, error::no_offset, "slot {} twice in a schema", one.slot);
    }
    place = {one.size_bytes == 0 ? length::counted_u32 : length::fixed, one.size_bytes};
  }
  return known;
}

result<slot_table> slot_table::create(const schema& description) {
  slot_table table;
  const auto components = compile(description.components, 0, 64);
  if (!components) return fail(components.error());
  const auto player_fields = compile(description.player_fields, 0, 32);
  if (!player_fields) return fail(player_fields.error());
  const auto world = compile(description.world, 1, 64);
  if (!world) return fail(world.error());
  table.components_ = *components;
  table.player_fields_ = *player_fields;
  table.world_ = *world;
  table.world_[0].kind = length::counted_u64;
  return table;
}

result<void> slot_table::split(const slots& known, std::uint64_t mask, byte_span bytes,
                               slot_spans& out) noexcept {
  out.fill({});
  return walk(known, mask, bytes, [&out](std::size_t number, byte_span one) { out[number] = one; });
}

result<void> slot_table::split_components(std::uint64_t mask, byte_span bytes,
                                          slot_spans& out) const noexcept {
  return split(components_, mask, bytes, out);
}

result<void> slot_table::split_player_fields(std::uint32_t mask, byte_span bytes,
                                             slot_spans& out) const noexcept {
  return split(player_fields_, mask, bytes, out);
}

result<void> slot_table::split_world(std::uint64_t mask, byte_span bytes, slot_spans& out) const noexcept {
  return split(world_, mask, bytes, out);
}

result<void> slot_table::validate(const sim_core_snapshot& core) const noexcept {
  const auto ignore = [](std::size_t, byte_span) {};
  for (const entity_snapshot& entity : core.entities) {
    const slots& known = entity.entity == world_tag ? world_ : components_;
    if (auto fits = walk(known, entity.component_mask, entity.components, ignore); !fits) return fits;
  }
  for (const player_state& player : core.player_states) {
    if (auto fits = walk(player_fields_, player.field_mask, player.player_fields, ignore); !fits) return fits;
  }
  return {};
}

}  // namespace tickreel::icrep
