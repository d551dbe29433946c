// Single values of rows of described structs: their types and places.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/files/tick_columns.hpp"

namespace tickreel::files {

// A number, a boolean, a text, or the name of an enumeration's value.
using single_value = std::variant<bool, std::int64_t, std::uint64_t, float, double, std::string_view>;

// Of a type without members or elements.
single_value read_single(const schema_type& type, byte_reader& in);

// The keys of a tick's JSON object beside its members.
inline constexpr std::array<std::string_view, 2> keys_of_ticks = {"tick", "time_ms"};
// Appends underscores to a member's name that equals a key of the enclosing object.
std::string shown_name(const schema_type& type, const std::string& name,
                       std::span<const std::string_view> taken);

// The text that JSON has instead of a number that is not finite.
[[nodiscard]] constexpr std::string_view text_of_infinite(double number) noexcept {
  return number != number ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
}

struct described_value {
  const schema_type* type = nullptr;
  std::uint32_t offset = 0;
  std::string name;  // as value_layout::name
};
// The value with that path in a tick's JSON, if each tick has it: it is not in an optional or an entity.
std::optional<described_value> find_value(const schema& described, std::span<const path_step> path);
// As a parser reads it from the JSON; empty if only a parser determines it.
std::optional<tick_value> read_value(const described_value& of, byte_span row);

}  // namespace tickreel::files
