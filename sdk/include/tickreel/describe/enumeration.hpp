// Names of an enumeration's values, in one line beside it:
//
//   enum class weapon : std::uint8_t { bow, sword };
//   TICKREEL_DESCRIBE_ENUM(weapon, bow, sword);
//
// A recording then says "sword" where it would say 1. Values without a name stay numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tickreel/describe/describe.hpp"

namespace tickreel {

struct described_enumerator {
  std::string_view name;
  std::int64_t value = 0;  // of an unsigned 64-bit one: the same bits
};

template <class T>
concept described_enumeration = std::is_enum_v<T> && requires(const T* type) { tickreel_enumerators(type); };

// In the order in which the line has them; empty for an enumeration without one.
template <class T>
requires std::is_enum_v<T>
[[nodiscard]] constexpr auto enumerators_of() noexcept {
  if constexpr (described_enumeration<T>) {
    return tickreel_enumerators(static_cast<const T*>(nullptr));
  } else {
    return std::array<described_enumerator, 0>{};
  }
}

// The enumeration's name as its line spells it; empty without one.
template <class T>
requires std::is_enum_v<T>
[[nodiscard]] constexpr std::string_view enumeration_name() noexcept {
  if constexpr (described_enumeration<T>) {
    return tickreel_enumeration_name(static_cast<const T*>(nullptr));
  } else {
    return {};
  }
}

// The name of one value; empty where it has none.
template <class T>
requires std::is_enum_v<T>
[[nodiscard]] constexpr std::string_view enumerator_name(T value) noexcept {
  for (const described_enumerator& each : enumerators_of<T>()) {
    if (each.value == static_cast<std::int64_t>(value)) return each.name;
  }
  return {};
}

}  // namespace tickreel

#define TICKREEL_DESCRIBE_ENUM(type, ...)                                                                \
  template <int = 0>                                                                                     \
  constexpr auto tickreel_enumerators(const type*) noexcept {                                            \
    return ::std::array{TICKREEL_DETAIL_EACH(TICKREEL_DETAIL_ENUMERATOR, type, __VA_ARGS__)};            \
  }                                                                                                      \
  [[maybe_unused]] inline constexpr ::std::string_view tickreel_enumeration_name(const type*) noexcept { \
    return #type;                                                                                        \
  }                                                                                                      \
  static_assert(::std::is_enum_v<type>)

#define TICKREEL_DETAIL_ENUMERATOR(type, enumerator) \
  (::tickreel::described_enumerator{#enumerator, static_cast<::std::int64_t>(type::enumerator)})
