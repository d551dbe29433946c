// BC1: the serialisation of structs in version 1, as bincode 1.x does it by default:
//
//   u8..u64, i8..i64      little-endian, fixed width
//   bool                  a byte, 0 or 1
//   enum                  u32 index, then the fields of that variant
//   Option                a byte, 0 or 1, then the value if there is one
//   Vec, String, bytes    u64 count, then the items (a string's are its UTF-8)
//   BTreeMap              u64 count, then keys and values by ascending key
//   struct, tuple         its fields in order
//   [T; N]                N items
//
// There are no separators and no type tags. Works with any type that names its members (describe.hpp);
// std::variant is an enum, byte_vector is bytes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tickreel/analysis/event.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/icrep/limits.hpp"

namespace tickreel::icrep {

// The maximum number of items of a list. Types with their own limit overload this.
template <class T>
constexpr std::uint64_t item_limit(const limits&, std::type_identity<T>) noexcept {
  return (std::numeric_limits<std::uint64_t>::max)();
}
inline std::uint64_t item_limit(const limits& most, std::type_identity<std::string>) noexcept {
  return most.strings;
}
inline std::uint64_t item_limit(const limits& most, std::type_identity<analysis::unit_position>) noexcept {
  return most.sampled_positions;
}

// The error for a variant that a newer program may have written.
template <class T>
constexpr const char* unknown_variant(const limits&, std::type_identity<T>) noexcept {
  return "unknown variant {}";
}

namespace detail {

template <class T>
inline constexpr std::size_t byte_array_size = 0;
template <std::size_t Count>
inline constexpr std::size_t byte_array_size<std::array<std::byte, Count>> = Count;

template <class Variant, class Visit, std::size_t... Kinds>
void for_each_kind(Visit&& visit, std::index_sequence<Kinds...>) {
  (visit(std::integral_constant<std::size_t, Kinds>{}), ...);
}
template <class Variant, class Visit>
void for_each_kind(Visit&& visit) {
  for_each_kind<Variant>(visit, std::make_index_sequence<std::variant_size_v<Variant>>{});
}

}  // namespace detail

// The size of `value` in bytes.
template <class T>
[[nodiscard]] std::size_t bc1_size(const T& value) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return 1;
  } else if constexpr (std::is_enum_v<T>) {
    return 4;
  } else if constexpr (std::is_integral_v<T>) {
    return sizeof(T);
  } else if constexpr (detail::byte_array_size<T> != 0) {
    return detail::byte_array_size<T>;
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, byte_vector>) {
    return 8 + value.size();
  } else if constexpr (is_instance<std::optional, T>) {
    return 1 + (value ? bc1_size(*value) : 0);
  } else if constexpr (is_instance<std::vector, T>) {
    std::size_t size = 8;
    for (const auto& item : value) size += bc1_size(item);
    return size;
  } else if constexpr (is_instance<std::map, T>) {
    std::size_t size = 8;
    for (const auto& [key, content] : value) size += bc1_size(key) + bc1_size(content);
    return size;
  } else if constexpr (is_instance<std::variant, T>) {
    return 4 + std::visit([](const auto& kind) { return bc1_size(kind); }, value);
  } else {
    static_assert(described<T>);
    std::size_t size = 0;
    visit_fields(value, [&](std::string_view, const auto& field) { size += bc1_size(field); });
    return size;
  }
}

// Writes a value; allocates nothing.
template <class T>
void write_bc1(byte_writer& out, const T& value) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    out.u8(value ? 1 : 0);
  } else if constexpr (std::is_enum_v<T>) {
    out.u32(static_cast<std::uint32_t>(value));
  } else if constexpr (std::is_integral_v<T>) {
    out.little(value);
  } else if constexpr (detail::byte_array_size<T> != 0) {
    out.bytes(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out.u64(value.size());
    out.bytes(as_bytes(value));
  } else if constexpr (std::is_same_v<T, byte_vector>) {
    out.u64(value.size());
    out.bytes(value);
  } else if constexpr (is_instance<std::optional, T>) {
    out.u8(value ? 1 : 0);
    if (value) write_bc1(out, *value);
  } else if constexpr (is_instance<std::vector, T>) {
    out.u64(value.size());
    for (const auto& item : value) write_bc1(out, item);
  } else if constexpr (is_instance<std::map, T>) {
    out.u64(value.size());
    for (const auto& [key, content] : value) {
      write_bc1(out, key);
      write_bc1(out, content);
    }
  } else if constexpr (is_instance<std::variant, T>) {
    out.u32(static_cast<std::uint32_t>(value.index()));
    std::visit([&](const auto& kind) { write_bc1(out, kind); }, value);
  } else {
    static_assert(described<T>);
    visit_fields(value, [&](std::string_view, const auto& field) { write_bc1(out, field); });
  }
}

// Appends to `out`; allocates only if its capacity is exhausted.
template <class T>
void append_bc1(byte_vector& out, const T& value) {
  const std::size_t start = out.size();
  out.resize(start + bc1_size(value));
  byte_writer writer(mutable_byte_span(out).subspan(start));
  write_bc1(writer, value);
}

// Reads values in sequence, with byte_reader's rules. A count is compared with the remaining bytes before
// memory is allocated, so memory is at most a small multiple of the input.
class bc1_reader {
 public:
  bc1_reader(byte_span input, const limits& most, std::uint64_t base_offset = 0) noexcept
      : in_(input, base_offset), limits_(most) {}

  [[nodiscard]] bool ok() const noexcept { return in_.ok(); }
  [[nodiscard]] bool at_end() const noexcept { return in_.at_end(); }
  [[nodiscard]] std::size_t position() const noexcept { return in_.position(); }
  [[nodiscard]] tl::unexpected<error> failure() const noexcept;

  template <class T>
  void read(T& value);
  template <class T>
  [[nodiscard]] T next() {
    T value{};
    read(value);
    return value;
  }

  // Fails unless all input was read.
  void expect_end() noexcept {
    if (!in_.at_end()) refuse(error_code::malformed, "{} trailing bytes after the value", in_.remaining());
  }
  void refuse(error_code reason, const char* detail, std::uint64_t value = 0) noexcept;

 private:
  [[nodiscard]] bool flag() noexcept;
  [[nodiscard]] std::size_t count(std::size_t smallest_item_bytes, std::uint64_t most) noexcept;
  void read_text(std::string& value);
  void read_bytes(byte_vector& value);

  byte_reader in_;
  const limits& limits_;
  const char* detail_ = "";
  std::int64_t value_ = 0;
};

namespace detail {

// The smallest size of a T in bytes.
template <class T>
std::size_t smallest_bc1() {
  if constexpr (is_instance<std::variant, T>) {
    std::size_t smallest = (std::numeric_limits<std::size_t>::max)();
    for_each_kind<T>([&](auto kind) {
      const std::size_t size = smallest_bc1<std::variant_alternative_t<kind(), T>>();
      if (size < smallest) smallest = size;
    });
    return 4 + smallest;
  } else if constexpr (described<T>) {
    std::size_t size = 0;
    T empty{};
    visit_fields(empty, [&](std::string_view, const auto& field) {
      size += smallest_bc1<std::remove_cvref_t<decltype(field)>>();
    });
    return size;
  } else {
    return bc1_size(T{});
  }
}

}  // namespace detail

template <class T>
void bc1_reader::read(T& value) {
  if (!ok()) return;
  if constexpr (std::is_same_v<T, bool>) {
    value = flag();
  } else if constexpr (std::is_enum_v<T>) {
    const std::uint32_t number = in_.u32();
    value = static_cast<T>(number);
    if (number >= words(std::type_identity<T>{}).size()) {
      refuse(error_code::malformed, "unknown value {} of an enumeration", number);
    }
  } else if constexpr (std::is_integral_v<T>) {
    value = in_.little<T>();
  } else if constexpr (detail::byte_array_size<T> != 0) {
    const byte_span raw = in_.bytes(value.size());
    for (std::size_t i = 0; i < raw.size(); ++i) value[i] = raw[i];
  } else if constexpr (std::is_same_v<T, std::string>) {
    read_text(value);
  } else if constexpr (std::is_same_v<T, byte_vector>) {
    read_bytes(value);
  } else if constexpr (is_instance<std::optional, T>) {
    value.reset();
    if (flag()) read(value.emplace());
  } else if constexpr (is_instance<std::vector, T>) {
    using item = typename T::value_type;
    value.clear();
    const std::size_t items =
        count(detail::smallest_bc1<item>(), item_limit(limits_, std::type_identity<item>{}));
    value.reserve(items);
    for (std::size_t i = 0; i < items && ok(); ++i) read(value.emplace_back());
  } else if constexpr (is_instance<std::map, T>) {
    value.clear();
    const std::size_t items =
        count(detail::smallest_bc1<typename T::key_type>() + detail::smallest_bc1<typename T::mapped_type>(),
              (std::numeric_limits<std::uint64_t>::max)());
    for (std::size_t i = 0; i < items && ok(); ++i) {
      auto key = next<typename T::key_type>();
      if (!value.empty() && !(value.rbegin()->first < key)) {
        return refuse(error_code::malformed, "the keys of a map do not ascend");
      }
      read(value.emplace_hint(value.end(), std::move(key), typename T::mapped_type{})->second);
    }
  } else if constexpr (is_instance<std::variant, T>) {
    const std::uint32_t index = in_.u32();
    if (index >= std::variant_size_v<T>) {
      return refuse(error_code::malformed, unknown_variant(limits_, std::type_identity<T>{}), index);
    }
    detail::for_each_kind<T>([&](auto kind) {
      if (kind() == index) read(value.template emplace<kind()>());
    });
  } else {
    static_assert(described<T>);
    visit_fields(value, [&](std::string_view, auto& field) { read(field); });
  }
}

// Reads one value from all of `input`.
template <class T>
[[nodiscard]] result<T> read_bc1(byte_span input, const limits& most = {}, std::uint64_t base_offset = 0) {
  bc1_reader in(input, most, base_offset);
  T value{};
  in.read(value);
  in.expect_end();
  if (!in.ok()) return in.failure();
  return value;
}

}  // namespace tickreel::icrep
