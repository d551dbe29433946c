// Described structs as bytes. Every component of a type has the same size, known at compile time:
//
//   integer, float, double   little-endian, with its size in memory
//   bool                     a byte, 0 or 1
//   enumeration              its underlying integer
//   fixed_value              its raw integer
//   interned_text            u32
//   short_text<N>            u16 size, then N bytes, zeros after the text; types recorded as one likewise
//   std::optional<T>         a byte, 0 or 1, then T, zeros if empty
//   std::array<T, N>, T[N]   N times T
//   entities<T, N>           N times (u32 generation, then T)
//   described struct         its fields in order, without padding
//
// Functions allocate only where stated. Two values are equal if their bytes are equal: NaN equals itself, and
// -0.0 differs from 0.0.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/describe/component_size.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/describe/entities.hpp"
#include "tickreel/describe/enumerators.hpp"
#include "tickreel/describe/values.hpp"

namespace tickreel {

namespace detail {

template <class T>
void put_component(std::byte* to, const T& value) noexcept;

// The entity at `place`: its generation, then its value.
template <class T, std::size_t Capacity>
void put_entity(std::byte* to, const entities<T, Capacity>& of, std::size_t place) noexcept {
  store<std::endian::little>(to, of.generation_at(place));
  put_component(to + sizeof(std::uint32_t), of.value_at(place));
}

// Writes to exactly as many bytes as the type has.
template <class T>
void put_component(std::byte* to, const T& value) noexcept {
  if constexpr ((described<T> || array_count<T> != 0) && sizeof(T) > copied_by_member_bytes) {
    if (is_own_bytes(value)) {
      std::memcpy(to, std::addressof(value), sizeof(T));
      return;
    }
  }
  if constexpr (described<T>) {
    visit_fields(value, [&](std::string_view, const auto& field) {
      put_component(to, field);
      to += size_of_component<std::remove_cvref_t<decltype(field)>>();
    });
  } else if constexpr (array_count<T> != 0) {
    for (const auto& item : value) {
      put_component(to, item);
      to += size_of_component<array_item<T>>();
    }
  } else if constexpr (is_entities<T>) {
    for (std::size_t place = 0; place < T::capacity; ++place) {
      put_entity(to, value, place);
      to += sizeof(std::uint32_t) + size_of_component<typename T::value_type>();
    }
  } else if constexpr (is_instance<std::optional, T>) {
    *to = value ? std::byte{1} : std::byte{0};
    if (value) {
      put_component(to + 1, *value);
    } else {
      std::memset(to + 1, 0, size_of_component<typename T::value_type>());
    }
  } else if constexpr (is_short_text<T>) {
    const std::string_view text = value.view();
    store<std::endian::little>(to, static_cast<std::uint16_t>(text.size()));
    std::memset(to + 2, 0, T::capacity);
    if (!text.empty()) std::memcpy(to + 2, text.data(), text.size());
  } else if constexpr (is_fixed_value<T>) {
    store<std::endian::little>(to, value.raw);
  } else if constexpr (std::is_same_v<T, interned_text>) {
    store<std::endian::little>(to, value.id);
  } else if constexpr (std::is_same_v<T, bool>) {
    *to = value ? std::byte{1} : std::byte{0};
  } else if constexpr (std::is_enum_v<T>) {
    put_component(to, static_cast<std::underlying_type_t<T>>(value));
  } else {
    store<std::endian::little>(to, value);
  }
}

inline bool take_flag(byte_reader& from) noexcept {
  const std::uint8_t value = from.u8();
  if (value > 1) from.fail_with(error_code::malformed);
  return value == 1;
}

template <class T>
void take_component(byte_reader& from, T& value) noexcept {
  if constexpr ((described<T> || array_count<T> != 0) && sizeof(T) > copied_by_member_bytes) {
    // The offset of a truncated value is that of its member.
    if (is_own_bytes(value) && from.remaining() >= sizeof(T)) {
      std::memcpy(static_cast<void*>(std::addressof(value)), from.bytes(sizeof(T)).data(), sizeof(T));
      return;
    }
  }
  if constexpr (described<T>) {
    visit_fields(value, [&](std::string_view, auto& field) { take_component(from, field); });
  } else if constexpr (array_count<T> != 0) {
    for (auto& item : value) take_component(from, item);
  } else if constexpr (is_entities<T>) {
    for (std::size_t place = 0; place < T::capacity; ++place) {
      const std::uint32_t generation = from.u32();
      typename T::value_type content{};
      take_component(from, content);
      value.restore(place, generation, content);
    }
  } else if constexpr (is_instance<std::optional, T>) {
    typename T::value_type content{};
    const bool there = take_flag(from);
    if (there) {
      take_component(from, content);
      value = content;
    } else {
      from.skip(size_of_component<typename T::value_type>());
      value.reset();
    }
  } else if constexpr (is_short_text<T>) {
    const std::uint16_t size = from.u16();
    if (size > T::capacity) return from.fail_with(error_code::malformed);
    const byte_span room = from.bytes(T::capacity);
    if (from.ok()) value = T(as_text(room.first(size)));
  } else if constexpr (is_fixed_value<T>) {
    value.raw = from.little<decltype(value.raw)>();
  } else if constexpr (std::is_same_v<T, interned_text>) {
    value.id = from.u32();
  } else if constexpr (std::is_same_v<T, bool>) {
    value = take_flag(from);
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    take_component(from, number);
    value = static_cast<T>(number);
  } else {
    value = from.little<T>();
  }
}

}  // namespace detail

// The size of every T in bytes.
template <class T>
inline constexpr std::size_t component_size = detail::size_of_component<T>();

template <class T>
using component_bytes = std::array<std::byte, component_size<T>>;

template <class T>
[[nodiscard]] component_bytes<T> to_component_bytes(const T& value) noexcept {
  component_bytes<T> out;
  detail::put_component(out.data(), value);
  return out;
}

// Appends to `out`; allocates only if its capacity is exhausted.
template <class T>
void append_component(byte_vector& out, const T& value) {
  const std::size_t start = out.size();
  out.resize(start + component_size<T>);
  detail::put_component(out.data() + start, value);
}

// malformed for a bool or optional that is neither 0 nor 1, or a text longer than its capacity; truncated or
// malformed for another size. Enumerations are not checked.
template <class T>
[[nodiscard]] result<T> read_component(byte_span from) noexcept {
  byte_reader in(from);
  T value{};
  detail::take_component(in, value);
  if (!in.ok()) return in.failure("component");
  if (!in.at_end())
    return fail(error_code::malformed, in.offset(), "{} trailing bytes after the component",
                static_cast<std::int64_t>(in.remaining()));
  return value;
}

// Bit i is set if field i differs.
template <described T>
[[nodiscard]] std::uint64_t change_mask(const T& before, const T& now) noexcept {
  const component_bytes<T> a = to_component_bytes(before);
  const component_bytes<T> b = to_component_bytes(now);
  std::uint64_t mask = 0;
  std::size_t offset = 0;
  unsigned bit = 0;
  visit_fields(now, [&](std::string_view, const auto& field) {
    constexpr std::size_t size = component_size<std::remove_cvref_t<decltype(field)>>;
    if (std::memcmp(a.data() + offset, b.data() + offset, size) != 0) mask |= std::uint64_t{1} << bit;
    offset += size;
    ++bit;
  });
  return mask;
}

template <class T>
[[nodiscard]] bool same_component(const T& before, const T& now) noexcept {
  return to_component_bytes(before) == to_component_bytes(now);
}

// How tools read a value from component bytes without the type.
enum class value_kind : std::uint8_t { unsigned_integer, signed_integer, floating, boolean, text, interned };
[[nodiscard]] constexpr std::string_view name(value_kind kind) noexcept {
  constexpr std::string_view names[] = {"u", "i", "f", "bool", "text", "interned"};
  return names[static_cast<std::size_t>(kind)];
}

struct value_layout {
  std::string name;  // "position.x", "slots[2]"; an optional's flag is "target?"
  value_kind kind = value_kind::unsigned_integer;
  std::uint32_t offset = 0;
  std::uint32_t size_bytes = 0;     // of a text including its u16 size
  std::uint32_t fraction_bits = 0;  // of a fixed_value, which is stored as its raw integer
  // The known names of an enumeration (enumerators.hpp).
  std::vector<enumerator> enumerators = {};
  bool operator==(const value_layout&) const = default;
};

namespace detail {

template <class T>
void append_layout(std::vector<value_layout>& out, const std::string& name, std::uint32_t offset) {
  constexpr auto size = static_cast<std::uint32_t>(size_of_component<T>());
  if constexpr (described<T>) {
    std::apply(
        [&](const auto&... fields) {
          const auto one = [&]<class Owner, class Type>(const described_field<Owner, Type>& field) {
            append_layout<Type>(
                out, name.empty() ? std::string(field.name) : name + "." + std::string(field.name), offset);
            offset += static_cast<std::uint32_t>(size_of_component<Type>());
          };
          (one(fields), ...);
        },
        fields_of<T>());
  } else if constexpr (array_count<T> != 0) {
    for (std::size_t i = 0; i < array_count<T>; ++i) {
      append_layout<array_item<T>>(out, name + "[" + std::to_string(i) + "]", offset);
      offset += static_cast<std::uint32_t>(size_of_component<array_item<T>>());
    }
  } else if constexpr (is_entities<T>) {
    for (std::size_t i = 0; i < T::capacity; ++i) {
      const std::string one = name + "[" + std::to_string(i) + "]";
      out.push_back({one + "#", value_kind::unsigned_integer, offset, sizeof(std::uint32_t)});
      append_layout<typename T::value_type>(out, one,
                                            offset + static_cast<std::uint32_t>(sizeof(std::uint32_t)));
      offset +=
          static_cast<std::uint32_t>(sizeof(std::uint32_t) + size_of_component<typename T::value_type>());
    }
  } else if constexpr (is_instance<std::optional, T>) {
    out.push_back({name + "?", value_kind::boolean, offset, 1});
    append_layout<typename T::value_type>(out, name, offset + 1);
  } else if constexpr (std::is_enum_v<T>) {
    append_layout<std::underlying_type_t<T>>(out, name, offset);
    out.back().enumerators = enumerators_of<T>();
  } else if constexpr (is_short_text<T>) {
    out.push_back({name, value_kind::text, offset, size});
  } else if constexpr (std::is_same_v<T, interned_text>) {
    out.push_back({name, value_kind::interned, offset, size});
  } else if constexpr (std::is_same_v<T, bool>) {
    out.push_back({name, value_kind::boolean, offset, size});
  } else if constexpr (std::is_floating_point_v<T>) {
    out.push_back({name, value_kind::floating, offset, size});
  } else if constexpr (is_fixed_value<T> || std::is_signed_v<T>) {
    out.push_back({name, value_kind::signed_integer, offset, size, fraction_bits_of<T>, {}});
  } else {
    out.push_back({name, value_kind::unsigned_integer, offset, size});
  }
}

}  // namespace detail

// Every single value of a component, in the order of its bytes. Allocates.
template <class T>
[[nodiscard]] std::vector<value_layout> layout_of() {
  std::vector<value_layout> out;
  detail::append_layout<T>(out, {}, 0);
  return out;
}

}  // namespace tickreel
