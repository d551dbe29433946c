#include "described_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::files {

namespace {

std::uint64_t unsigned_integer(byte_reader& in, std::uint32_t bytes) {
  return bytes == 1 ? in.u8() : bytes == 2 ? in.u16() : bytes == 4 ? in.u32() : in.u64();
}

std::int64_t signed_integer(byte_reader& in, std::uint32_t bytes) {
  return bytes == 1 ? in.little<std::int8_t>() : bytes == 2 ? in.i16() : bytes == 4 ? in.i32() : in.i64();
}

single_value read_enumerator(const schema_type& type, byte_reader& in) {
  const std::int64_t number = type.is_signed ? signed_integer(in, type.bytes)
                                             : static_cast<std::int64_t>(unsigned_integer(in, type.bytes));
  for (const enumerator& each : type.enumerators) {
    if (each.value == number) return std::string_view(each.name);
  }
  if (type.is_signed) return number;
  return static_cast<std::uint64_t>(number);
}

// The shortest digits of a number without a fraction are an integer, up to a limit: those of 100000 are 1e+05.
template <class Float>
std::optional<tick_value> parsed_whole(Float number) {
  constexpr Float always_digits = 100'000;
  if (std::abs(number) < always_digits) return static_cast<std::int64_t>(number);
  char digits[64];
  const char* const end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  std::int64_t integer = 0;
  const auto [last, code] = std::from_chars(digits, end, integer);
  if (code == std::errc{} && last == end) return integer;
  return std::nullopt;
}

std::optional<tick_value> parsed(float number) {
  if (!std::isfinite(number)) return text_of_infinite(static_cast<double>(number));
  if (std::trunc(number) == number) return parsed_whole(number);
  const auto read = text::read_shortest(number);
  return read ? std::optional<tick_value>(*read) : std::nullopt;
}
std::optional<tick_value> parsed(double number) {
  if (!std::isfinite(number)) return text_of_infinite(number);
  return std::trunc(number) == number ? parsed_whole(number) : tick_value(number);
}
std::optional<tick_value> parsed(bool truth) {
  return truth;
}
std::optional<tick_value> parsed(std::int64_t number) {
  return number;
}
std::optional<tick_value> parsed(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(INT64_MAX)) return number;
  return static_cast<std::int64_t>(number);
}
std::optional<tick_value> parsed(std::string_view text) {
  // The JSON of other bytes has U+FFFD.
  return text::is_utf8(text) ? std::optional<tick_value>(text) : std::nullopt;
}

}  // namespace

single_value read_single(const schema_type& type, byte_reader& in) {
  switch (type.kind) {
    case type_kind::boolean:
      return in.u8() != 0;
    case type_kind::floating:
      if (type.bytes == 4) return in.f32();
      return in.little<double>();
    case type_kind::text: {
      const std::size_t size = std::min<std::size_t>(in.u16(), type.count);
      return as_text(in.bytes(type.count).first(size));
    }
    case type_kind::fixed_point:
      return std::ldexp(static_cast<double>(signed_integer(in, type.bytes)), -static_cast<int>(type.count));
    case type_kind::signed_integer:
      return signed_integer(in, type.bytes);
    case type_kind::enumeration:
      return read_enumerator(type, in);
    default:
      return unsigned_integer(in, type.bytes);
  }
}

std::string shown_name(const schema_type& type, const std::string& name,
                       std::span<const std::string_view> taken) {
  if (std::find(taken.begin(), taken.end(), std::string_view(name)) == taken.end()) return name;
  std::string shown = name + '_';
  const auto is_member = [&](const schema_field& other) { return other.name == shown; };
  while (std::any_of(type.fields.begin(), type.fields.end(), is_member)) shown += '_';
  return shown;
}

std::optional<described_value> find_value(const schema& described, std::span<const path_step> path) {
  described_value at{&described.root(), 0, {}};
  for (const path_step& step : path) {
    const schema_type& inside = *at.type;
    const auto* const number = std::get_if<std::size_t>(&step);
    if (inside.kind == type_kind::array) {
      if (number == nullptr || *number >= inside.count) return std::nullopt;
      at.type = &described.types[inside.element];
      at.offset += static_cast<std::uint32_t>(*number) * at.type->bytes;
      at.name += '[' + std::to_string(*number) + ']';
      continue;
    }
    if (inside.kind != type_kind::structure) return std::nullopt;
    const std::string key = number != nullptr ? std::to_string(*number) : std::get<std::string>(step);
    const bool is_tick = &inside == &described.root();
    const auto field = std::ranges::find_if(inside.fields, [&](const schema_field& each) {
      const auto& types = described.types;
      const bool is_it = shown_name(inside, each.name,
                                    is_tick ? std::span<const std::string_view>(keys_of_ticks)
                                            : std::span<const std::string_view>()) == key;
      if (!is_it) at.offset += types[each.type].bytes;
      return is_it;
    });
    if (field == inside.fields.end() || !text::is_utf8(field->name)) return std::nullopt;
    at.type = &described.types[field->type];
    at.name += (at.name.empty() ? "" : ".") + field->name;
  }
  switch (at.type->kind) {
    case type_kind::optional:
    case type_kind::array:
    case type_kind::structure:
    case type_kind::entities:
      return std::nullopt;
    default:
      return at;
  }
}

std::optional<tick_value> read_value(const described_value& of, byte_span row) {
  byte_reader in(row.subspan(of.offset, of.type->bytes));
  return std::visit([](const auto& single) { return parsed(single); }, read_single(*of.type, in));
}

}  // namespace tickreel::files
