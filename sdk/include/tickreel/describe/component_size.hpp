// The sizes of components (component.hpp), and which values have the bytes of their component in memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tickreel/describe/describe.hpp"
#include "tickreel/describe/entities.hpp"
#include "tickreel/describe/values.hpp"

namespace tickreel {

namespace detail {

template <class T>
struct component_shape {  // scalars
  static constexpr bool is_number =
      std::is_arithmetic_v<T> && sizeof(T) <= 8 && !std::is_same_v<T, long double>;
  static constexpr bool known = is_number || std::is_enum_v<T> || recorded_as_short_text<T>;
};
template <unsigned FractionBits, class Raw>
struct component_shape<fixed_value<FractionBits, Raw>> {
  static constexpr bool known = true;
};
template <>
struct component_shape<interned_text> {
  static constexpr bool known = true;
};
template <class T>
struct component_shape<std::optional<T>> {
  static constexpr bool known = component_shape<T>::known;
};
template <class T, std::size_t Count>
struct component_shape<std::array<T, Count>> {
  static constexpr bool known = component_shape<T>::known;
};
template <class T, std::size_t Count>
struct component_shape<T[Count]> {
  static constexpr bool known = component_shape<T>::known;
};
template <class T, std::size_t Capacity>
struct component_shape<entities<T, Capacity>> {
  static constexpr bool known = component_shape<T>::known;
};
template <described T>
struct component_shape<T> {
  static constexpr bool known = true;  // its fields are checked one by one
};

template <class T>
inline constexpr bool is_fixed_value = false;
template <unsigned FractionBits, class Raw>
inline constexpr bool is_fixed_value<fixed_value<FractionBits, Raw>> = true;
template <class T>
inline constexpr unsigned fraction_bits_of = 0;
template <unsigned FractionBits, class Raw>
inline constexpr unsigned fraction_bits_of<fixed_value<FractionBits, Raw>> = FractionBits;
template <class T>
inline constexpr bool is_short_text = recorded_as_short_text<T>;
template <class T>
inline constexpr std::size_t array_count = 0;
template <class T, std::size_t Count>
inline constexpr std::size_t array_count<std::array<T, Count>> = Count;
template <class T, std::size_t Count>
inline constexpr std::size_t array_count<T[Count]> = Count;
template <class T>
using array_item = std::remove_cvref_t<decltype(std::declval<T&>()[0])>;

template <class T>
consteval std::size_t size_of_component();

template <class T, class... Owner, class... Type>
consteval std::size_t sum_of_fields(std::tuple<described_field<Owner, Type>...>*) {
  static_assert(sizeof...(Type) >= 1, "tickreel: describe at least one member");
  static_assert(sizeof...(Type) <= 64,
                "tickreel: a described struct has at most 64 members; nest some of them");
  return (size_of_component<Type>() + ...);
}

// A struct that lacks only its TICKREEL_DESCRIBE.
template <class T>
inline constexpr bool is_undescribed_struct = std::is_class_v<T> && std::is_aggregate_v<T> &&
                                              std::is_trivially_copyable_v<T> && !component_shape<T>::known;

template <class T>
consteval std::size_t size_of_component() {
  static_assert(
      !is_undescribed_struct<T>,
      "tickreel: a member is a struct without a TICKREEL_DESCRIBE line; add the line at namespace level, "
      "in that struct's namespace, before that of the struct with the member");
  static_assert(
      component_shape<T>::known,
      "tickreel: this member's type cannot be recorded. Use numbers, bool, enumerations, fixed_value, "
      "short_text, std::array, std::optional, or a struct that has its own "
      "TICKREEL_DESCRIBE line; for pointers record an index, for std::string a short_text (or, in "
      "game_recorder's structs, an interned_text), for std::vector an array of fixed size");
  if constexpr (described<T>) {
    return sum_of_fields<T>(static_cast<decltype(fields_of<T>())*>(nullptr));
  } else if constexpr (array_count<T> != 0) {
    return array_count<T> * size_of_component<array_item<T>>();
  } else if constexpr (is_entities<T>) {
    return T::capacity * (sizeof(std::uint32_t) + size_of_component<typename T::value_type>());
  } else if constexpr (is_instance<std::optional, T>) {
    return 1 + size_of_component<typename T::value_type>();
  } else if constexpr (is_short_text<T>) {
    return sizeof(std::uint16_t) + T::capacity;
  } else if constexpr (is_fixed_value<T>) {
    return sizeof(T::raw);
  } else if constexpr (std::is_same_v<T, interned_text>) {
    return sizeof(std::uint32_t);
  } else if constexpr (std::is_same_v<T, bool>) {
    return 1;
  } else {
    return sizeof(T);
  }
}

template <class T>
consteval bool may_be_own_bytes();

template <class T, class... Owner, class... Type>
consteval bool may_fields_be_own_bytes(std::tuple<described_field<Owner, Type>...>*) {
  return (may_be_own_bytes<Type>() && ...);
}

// Compilers keep the members of smaller values in registers.
inline constexpr std::size_t copied_by_member_bytes = 64;

// Whether every value of the type consists of its component bytes, if its members are in the described order.
template <class T>
consteval bool may_be_own_bytes() {
  if constexpr (std::endian::native != std::endian::little || !std::is_trivially_copyable_v<T> ||
                sizeof(T) != size_of_component<T>() || std::is_same_v<T, bool>) {
    return false;
  } else if constexpr (described<T>) {
    return may_fields_be_own_bytes<T>(static_cast<decltype(fields_of<T>())*>(nullptr));
  } else if constexpr (array_count<T> != 0) {
    return may_be_own_bytes<array_item<T>>();
  } else if constexpr (std::is_enum_v<T>) {
    return may_be_own_bytes<std::underlying_type_t<T>>();
  } else {
    return std::is_arithmetic_v<T> || is_fixed_value<T>;
  }
}

// Whether the bytes of `value` are its component bytes. The same for all values of a type: compilers make it a
// constant.
template <class T>
[[nodiscard]] bool is_own_bytes(const T& value) noexcept {
  if constexpr (!may_be_own_bytes<T>()) {
    return false;
  } else if constexpr (described<T>) {
    const auto* const begin = reinterpret_cast<const std::byte*>(std::addressof(value));
    bool is_own = true;
    std::ptrdiff_t offset = 0;
    visit_fields(value, [&](std::string_view, const auto& field) {
      const auto* const at = reinterpret_cast<const std::byte*>(std::addressof(field));
      is_own = is_own && at - begin == offset && is_own_bytes(field);
      offset += static_cast<std::ptrdiff_t>(sizeof(field));
    });
    return is_own;
  } else if constexpr (array_count<T> != 0) {
    return is_own_bytes(value[0]);
  } else {
    return true;
  }
}

}  // namespace detail

}  // namespace tickreel
