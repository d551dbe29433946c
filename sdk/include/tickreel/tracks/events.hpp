// Events in a reel of described structs: separate described structs, at the tick in which they happened.
//
//   type 2147483648 + n   the component bytes of an event of kind n
//   type 2147483647       u32 n | schema (docs/formats/tracks.md): the description of kind n. Written before its
//                         first event, again when a sink joins, and at the end; the first readable one applies
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/component.hpp"
#include "tickreel/describe/schema.hpp"

namespace tickreel::detail {
// As the compiler spells the whole type: two structs with one name are different types.
template <class E>
constexpr std::string_view type_signature() noexcept {
#ifdef _MSC_VER
  return __FUNCSIG__;
#else
  return __PRETTY_FUNCTION__;
#endif
}
}  // namespace tickreel::detail

namespace tickreel::tracks {

// Event types of the game itself begin here, in every container.
inline constexpr std::uint32_t first_own_event_type = 1u << 31;
inline constexpr std::uint32_t event_description_type = first_own_event_type - 1;

// Limits of writers and readers.
inline constexpr std::uint32_t max_event_bytes = 1024;
inline constexpr std::uint32_t max_event_kinds = 1024;
inline constexpr std::uint32_t max_event_schema_bytes = 60u << 10;

// A struct of events, identified by its address.
struct event_kind {
  std::string_view name;
  std::string_view type_signature;
  std::uint32_t bytes = 0;
  byte_vector (*schema)(const event_kind& self) = nullptr;  // allocates
};
template <described E>
inline constexpr event_kind event_kind_of{described_name<E>(), tickreel::detail::type_signature<E>(),
                                          static_cast<std::uint32_t>(component_size<E>),
                                          [](const event_kind&) { return to_bytes(schema_of<E>()); }};

}  // namespace tickreel::tracks
