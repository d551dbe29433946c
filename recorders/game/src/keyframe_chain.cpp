#include "keyframe_chain.hpp"

#include <bit>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/game/recorded_types.hpp"

namespace tickreel::game {

namespace {

// The longest that a column can be.
constexpr std::uint32_t max_component_bytes = 65'537;

tracks::shape shape_of(const slot_layout& of) {
  const std::uint32_t size = of.slot.size_bytes;
  tracks::shape out;
  out.row_bytes = size;
  std::uint64_t found = 0;
  for (const value_layout& one : of.values) {
    out.columns.push_back({one.kind, one.offset, one.size_bytes, {}});
    found += one.size_bytes;
  }
  // A type that is not described completely is one column of bytes.
  if (found != size || !out.validate()) out.columns = {{value_kind::text, 0, size, {}}};
  return out;
}

}  // namespace

chained_components::chained_components(const icrep::metadata& facts) {
  kinds.fill(none);
  for (const slot_layout& one : recorded_layout(facts).components) {
    const std::uint32_t slot = one.slot.slot;
    const std::uint32_t size = one.slot.size_bytes;
    if (slot >= kinds.size()) continue;
    sizes[slot] = size;
    if (size == 0 || size > max_component_bytes || kinds[slot] != none) continue;
    kinds[slot] = static_cast<std::uint8_t>(shapes.size());
    slots.push_back(static_cast<std::uint8_t>(slot));
    shapes.push_back(shape_of(one));
  }
}

std::size_t chained_components::offset(const icrep::entity_snapshot& in, unsigned slot) const noexcept {
  std::size_t at = 0;
  const std::uint64_t before = in.component_mask & ((std::uint64_t{1} << slot) - 1);
  for (std::uint64_t rest = before; rest != 0; rest &= rest - 1) {
    const auto one = static_cast<unsigned>(std::countr_zero(rest));
    at += sizes[one] != 0 ? sizes[one]
                          : sizeof(std::uint32_t) + byte_reader(byte_span(in.components).subspan(at)).u32();
  }
  return at;
}

}  // namespace tickreel::game
