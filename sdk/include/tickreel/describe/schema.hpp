// The description of a struct for readers that have only its bytes: names, types, shapes, declarations. A
// reel stores it in its header, so that a recording can be read years later without the struct.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/component.hpp"
#include "tickreel/describe/declare.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

enum class type_kind : std::uint8_t {
  unsigned_integer = 0,
  signed_integer = 1,
  floating = 2,
  boolean = 3,
  enumeration = 4,  // an integer with named values
  fixed_point = 5,  // a signed integer that counts 1 / 2^count
  text = 6,         // u16 size, then capacity for `count` bytes
  interned = 7,     // u32
  optional = 8,     // a byte, 0 or 1, then `element`
  array = 9,        // `count` times `element`
  structure = 10,   // `fields` in order
  entities = 11,    // `count` times (u32 generation, odd while in use, then `element`)
};
[[nodiscard]] std::string_view name(type_kind kind) noexcept;

// As in declare.hpp.
struct schema_declaration {
  precision kept = precision::exact;
  std::uint8_t places = 0;
  double most = 0;
  relation how = relation::none;
  std::string first = {};
  std::string second = {};
  std::string unit = {};
  std::uint32_t ticks_per_second = 0;
  bool operator==(const schema_declaration&) const = default;
};

struct schema_field {
  std::string name;
  std::uint32_t type = 0;  // its index in schema::types
  schema_declaration declared = {};
  bool operator==(const schema_field&) const = default;
};

struct schema_type {
  type_kind kind = type_kind::unsigned_integer;
  std::uint32_t bytes = 0;    // size of one value
  std::uint32_t count = 0;    // see type_kind
  std::uint32_t element = 0;  // of optional, array, entities: its index in schema::types, lower than this
                              // one's
  bool is_signed = false;     // of an enumeration
  std::string name;           // of a structure
  std::vector<schema_field> fields;
  std::vector<enumerator> enumerators;  // of an unsigned 64-bit enumeration: values with the same bits
  bool operator==(const schema_type&) const = default;
};

// Types follow the types that they consist of; the last one is the state's.
struct schema {
  std::vector<schema_type> types;

  // The state's type. Schemas that schema_of() or read_schema() returned have one.
  [[nodiscard]] const schema_type& root() const noexcept { return types.back(); }
  [[nodiscard]] std::uint32_t row_bytes() const noexcept { return types.empty() ? 0 : root().bytes; }
};

// Limits of reading. Names have at most 255 bytes.
struct schema_limits {
  std::uint32_t max_types = 4096;
  std::uint32_t max_fields = 64;  // of one structure, as for TICKREEL_DESCRIBE
  std::uint32_t max_enumerators = 65536;
  std::uint32_t max_depth = 32;
  std::uint32_t max_row_bytes = 1u << 20;
  std::uint32_t max_values = 1u << 18;  // single values in a row
  // In total, over all single values of values_of().
  std::uint32_t max_words = 1u << 20;        // of enumerations
  std::uint32_t max_path_bytes = 16u << 20;  // of their names
};

// Whether both have the same members with the same names and types, whatever is declared for them.
[[nodiscard]] bool has_same_layout(const schema& left, const schema& right) noexcept;

// docs/formats/tracks.md has the bytes. Allocates.
[[nodiscard]] byte_vector to_bytes(const schema& what);
// The same schema in about half the bytes; unchanged if packing does not help or the build lacks zstd.
[[nodiscard]] byte_vector pack_schema(byte_span bytes);
// Errors: truncated, malformed (contradictory sizes, types that refer to later ones, names with one of .[]?#
// or duplicate names in one structure), over_limit, unsupported_version.
[[nodiscard]] result<schema> read_schema(byte_span bytes, const schema_limits& limits = {});

// How single values of such a type are stored in rows.
[[nodiscard]] value_kind kind_of(const schema_type& type) noexcept;

// Every single value of a row, in the order of its bytes, with names as in layout_of(): "position.x",
// "slots[2]", "units[7].health"; an optional's flag is "target?", an entity's generation "units[7]#".
// Allocates.
[[nodiscard]] std::vector<value_layout> values_of(const schema& what);

namespace detail {

// The index of that type; adds it if there is no equal one.
std::uint32_t add_type(schema& to, schema_type type);
schema_declaration to_schema(const declaration& from);

// Whether it contains a float or double.
template <class T>
consteval bool has_floats() {
  if constexpr (described<T>) {
    return std::apply(
        []<class... Field>(const described_field<T, Field>&...) { return (has_floats<Field>() || ...); },
        fields_of<T>());
  } else if constexpr (array_count<T> != 0) {
    return has_floats<array_item<T>>();
  } else if constexpr (is_entities<T> || is_instance<std::optional, T>) {
    return has_floats<typename T::value_type>();
  } else {
    return std::is_floating_point_v<T>;
  }
}

// Whether `fits` is true for every member of T; its arguments are the declaration, and whether the member has
// floats.
template <described T>
consteval bool all_members(bool (*fits)(bool, const declaration&)) {
  return std::apply(
      [&]<class... Field>(const described_field<T, Field>&... fields) {
        return (fits(has_floats<Field>(), declaration_of<T>(fields.name)) && ...);
      },
      fields_of<T>());
}
constexpr bool decimals_fit(bool floats, const declaration& declared) {
  return declared.kept != precision::decimals || (floats && declared.places <= 15);
}
constexpr bool tolerance_fits(bool floats, const declaration& declared) {
  return declared.kept != precision::tolerance || (floats && declared.most > 0 && declared.most < 1e300);
}
constexpr bool direction_fits(bool floats, const declaration& declared) {
  return declared.how < relation::unit_vector || floats;
}

template <described T>
consteval bool names_differ() {
  return std::apply(
      [](const auto&... fields) {
        const std::array<std::string_view, sizeof...(fields)> names{fields.name...};
        for (std::size_t i = 0; i < names.size(); ++i) {
          for (std::size_t j = 0; j < i; ++j) {
            if (names[i] == names[j]) return false;
          }
        }
        return true;
      },
      fields_of<T>());
}

// Rejects at compile time what would fail or have no meaning at run time.
template <described T>
consteval void check_declarations() {
  static_assert(names_differ<T>(), "tickreel: TICKREEL_DESCRIBE names a member twice");
  static_assert(all_members<T>(&decimals_fit),
                "tickreel: decimals() is for members of float or double, with at most 15 places");
  static_assert(all_members<T>(&tolerance_fits),
                "tickreel: tolerance() is for members of float or double, and is more than 0");
  static_assert(
      all_members<T>(&direction_fits),
      "tickreel: unit_vector, orthogonal(), cross() and rotation are for members of float or double");
}

template <class T>
std::uint32_t describe_type(schema& to) {
  schema_type type;
  type.bytes = static_cast<std::uint32_t>(size_of_component<T>());
  if constexpr (is_entities<T>) {
    type.kind = type_kind::entities;
    type.count = static_cast<std::uint32_t>(T::capacity);
    type.element = describe_type<typename T::value_type>(to);
  } else if constexpr (described<T>) {
    check_declarations<T>();
    type.kind = type_kind::structure;
    type.name = described_name<T>();
    std::apply(
        [&]<class... Field>(const described_field<T, Field>&... fields) {
          (type.fields.push_back({std::string(fields.name), describe_type<Field>(to),
                                  to_schema(declaration_of<T>(fields.name))}),
           ...);
        },
        fields_of<T>());
  } else if constexpr (array_count<T> != 0) {
    type.kind = type_kind::array;
    type.count = static_cast<std::uint32_t>(array_count<T>);
    type.element = describe_type<array_item<T>>(to);
  } else if constexpr (is_instance<std::optional, T>) {
    type.kind = type_kind::optional;
    type.element = describe_type<typename T::value_type>(to);
  } else if constexpr (std::is_enum_v<T>) {
    type.kind = type_kind::enumeration;
    type.is_signed = std::is_signed_v<std::underlying_type_t<T>>;
    type.enumerators = enumerators_of<T>();
  } else if constexpr (is_short_text<T>) {
    type.kind = type_kind::text;
    type.count = T::capacity;
  } else if constexpr (std::is_same_v<T, interned_text>) {
    type.kind = type_kind::interned;
  } else if constexpr (std::is_same_v<T, bool>) {
    type.kind = type_kind::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    type.kind = type_kind::floating;
  } else if constexpr (is_fixed_value<T>) {
    type.kind = type_kind::fixed_point;
    type.count = T::fraction_bits;
  } else if constexpr (std::is_signed_v<T>) {
    type.kind = type_kind::signed_integer;
  }
  return add_type(to, std::move(type));
}

}  // namespace detail

// The schema of T's rows, as append_component() writes them. Allocates.
template <described T>
[[nodiscard]] schema schema_of() {
  schema out;
  const std::uint32_t root = detail::describe_type<T>(out);
  // The last type is the state's, also if an equal type precedes it.
  if (root + 1 != out.types.size()) out.types.push_back(out.types[root]);
  return out;
}

}  // namespace tickreel
