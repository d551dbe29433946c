// The common part of game events and messages.
#pragma once

#include "tickreel/result.hpp"
#include "tickreel/sc2replay/interpret.hpp"

namespace tickreel::sc2replay {

// Selector 0 to 3: 6, 14, 22 or 32 bits follow.
inline std::uint32_t read_tick_delta(packed_reader& from) noexcept {
  static constexpr unsigned widths[] = {6, 14, 22, 32};
  return static_cast<std::uint32_t>(from.bits(widths[from.bits(2)]));
}

// The part before the fields.
struct packed_head {
  std::uint32_t tick = 0;
  std::uint8_t user = 0;
  std::uint8_t id = 0;
};
template <unsigned IdBits>
packed_head read_head(packed_reader& from, std::uint32_t tick_before) noexcept {
  packed_head out;
  out.tick = tick_before + read_tick_delta(from);
  out.user = static_cast<std::uint8_t>(from.bits(5));
  out.id = static_cast<std::uint8_t>(from.bits(IdBits));
  return out;
}

// `detail` has placeholders for the id and for the start of the event.
inline tl::unexpected<error> fields_failure(const packed_reader& from, const char* detail, std::uint8_t id,
                                            std::uint64_t position) noexcept {
  error why = from.failure(detail).value();
  why.values[0] = id;
  why.values[1] = static_cast<std::int64_t>(position);
  return fail(why);
}

}  // namespace tickreel::sc2replay
