#include "tickreel/describe/schema.hpp"

#include <algorithm>
#include <bit>

#include "schema_extents.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/codec/codec.hpp"

namespace tickreel {

namespace {

constexpr std::uint8_t schema_version = 1;
// leb128 2 | leb128 bytes of the schema | zstd frame with the schema
constexpr std::uint8_t packed_version = 2;
constexpr std::uint64_t max_unpacked_bytes = 16u << 20;

void put_number(byte_vector& out, std::uint64_t value) {
  std::byte room[leb128_max_size];
  byte_writer to(room);
  write_leb128(to, value);
  out.insert(out.end(), to.written().begin(), to.written().end());
}

void put_text(byte_vector& out, std::string_view text) {
  text = text.substr(0, 255);
  put_number(out, text.size());
  const byte_span bytes = as_bytes(text);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void put_declaration(byte_vector& out, const schema_declaration& what) {
  put_number(out, static_cast<std::uint64_t>(what.kept));
  if (what.kept == precision::decimals) put_number(out, what.places);
  if (what.kept == precision::tolerance) {
    std::byte room[sizeof(double)];
    byte_writer to(room);
    to.little(what.most);
    out.insert(out.end(), to.written().begin(), to.written().end());
  }
  put_number(out, static_cast<std::uint64_t>(what.how));
  if (what.how != relation::none) {
    put_text(out, what.first);
    if (what.how == relation::integral_of) {
      put_number(out, what.ticks_per_second);
    } else {
      put_text(out, what.second);
    }
  }
  put_text(out, what.unit);
}

std::string read_name(byte_reader& in) {
  const std::uint64_t size = read_leb128(in);
  if (size > 255) in.fail_with(error_code::over_limit);
  const byte_span bytes = in.ok() ? in.bytes(static_cast<std::size_t>(size)) : byte_span();
  return std::string(as_text(bytes));
}

std::uint64_t read_number(byte_reader& in, std::uint64_t most) {
  const std::uint64_t value = read_leb128(in);
  if (value > most) in.fail_with(error_code::over_limit);
  return in.ok() ? value : 0;
}

schema_declaration read_declaration(byte_reader& in) {
  schema_declaration what;
  what.kept = static_cast<precision>(read_number(in, 2));
  if (what.kept == precision::decimals) what.places = static_cast<std::uint8_t>(read_number(in, 15));
  if (what.kept == precision::tolerance) {
    what.most = in.little<double>();
    if (!(what.most > 0 && what.most < 1e300)) in.fail_with(error_code::malformed);
  }
  what.how = static_cast<relation>(read_number(in, static_cast<std::uint64_t>(relation::integral_of)));
  if (what.how != relation::none) {
    what.first = read_name(in);
    if (what.how == relation::integral_of) {
      what.ticks_per_second = static_cast<std::uint32_t>(read_number(in, 1'000'000));
    } else {
      what.second = read_name(in);
    }
  }
  what.unit = read_name(in);
  return what;
}

// The size of a value of the type in bytes; 0 if the type contradicts itself.
std::uint64_t bytes_of(const schema_type& type, const std::vector<schema_type>& before) {
  const auto element = [&]() -> std::uint64_t {
    return type.element < before.size() ? before[type.element].bytes : 0;
  };
  switch (type.kind) {
    case type_kind::unsigned_integer:
    case type_kind::signed_integer:
    case type_kind::enumeration:
      return std::has_single_bit(type.bytes) && type.bytes <= 8 ? type.bytes : 0;
    case type_kind::fixed_point:
      return std::has_single_bit(type.bytes) && type.bytes <= 8 && type.count < 8 * type.bytes ? type.bytes
                                                                                               : 0;
    case type_kind::floating:
      return type.bytes == 4 || type.bytes == 8 ? type.bytes : 0;
    case type_kind::boolean:
      return 1;
    case type_kind::interned:
      return 4;
    case type_kind::text:
      return type.count <= 0xFFFF ? 2 + std::uint64_t{type.count} : 0;
    case type_kind::optional:
      return element() == 0 ? 0 : 1 + element();
    case type_kind::array:
      return type.count * element();
    case type_kind::entities:
      return element() == 0 ? 0 : type.count * (4 + element());
    case type_kind::structure: {
      std::uint64_t sum = 0;
      for (const schema_field& field : type.fields) sum += before[field.type].bytes;
      return sum;
    }
  }
  return 0;
}

bool stands_on_others(type_kind kind) noexcept {
  return kind == type_kind::optional || kind == type_kind::array || kind == type_kind::entities;
}

schema_type read_type(byte_reader& in, const schema_limits& limits, std::size_t place) {
  schema_type type;
  type.kind = static_cast<type_kind>(read_number(in, static_cast<std::uint64_t>(type_kind::entities)));
  type.bytes = static_cast<std::uint32_t>(read_number(in, limits.max_row_bytes));
  type.count = static_cast<std::uint32_t>(read_number(in, limits.max_row_bytes));
  if (stands_on_others(type.kind)) {
    type.element = static_cast<std::uint32_t>(read_leb128(in) & 0xFFFFFFFFu);
    if (in.ok() && type.element >= place) in.fail_with(error_code::malformed);
  }
  if (type.kind == type_kind::structure) type.name = read_name(in);
  if (type.kind == type_kind::enumeration) {
    type.is_signed = read_number(in, 1) == 1;
    const std::uint64_t count = read_number(in, limits.max_enumerators);
    for (std::uint64_t i = 0; in.ok() && i < count; ++i) {
      enumerator one;
      one.name = read_name(in);
      one.value = zigzag_decode(read_leb128(in));
      type.enumerators.push_back(std::move(one));
    }
  }
  if (type.kind == type_kind::structure) {
    const std::uint64_t count = read_number(in, limits.max_fields);
    for (std::uint64_t i = 0; in.ok() && i < count; ++i) {
      schema_field field;
      field.name = read_name(in);
      field.type = static_cast<std::uint32_t>(read_leb128(in) & 0xFFFFFFFFu);
      field.declared = read_declaration(in);
      const bool twice = std::any_of(type.fields.begin(), type.fields.end(),
                                     [&](const schema_field& other) { return other.name == field.name; });
      // Paths use these characters.
      const bool unclear = field.name.find_first_of(".[]?#") != std::string::npos;
      if (in.ok() && (field.type >= place || field.name.empty() || twice || unclear))
        in.fail_with(error_code::malformed);
      type.fields.push_back(std::move(field));
    }
  }
  return type;
}

void append_values(std::vector<value_layout>& out, const schema& from, std::uint32_t place,
                   const std::string& name, std::uint32_t offset) {
  const schema_type& type = from.types[place];
  switch (type.kind) {
    case type_kind::structure:
      for (const schema_field& field : type.fields) {
        append_values(out, from, field.type, name.empty() ? field.name : name + "." + field.name, offset);
        offset += from.types[field.type].bytes;
      }
      return;
    case type_kind::optional:
      out.push_back({name + "?", value_kind::boolean, offset, 1, 0, {}});
      return append_values(out, from, type.element, name, offset + 1);
    case type_kind::array:
      for (std::uint32_t i = 0; i < type.count; ++i) {
        append_values(out, from, type.element, name + "[" + std::to_string(i) + "]", offset);
        offset += from.types[type.element].bytes;
      }
      return;
    case type_kind::entities:
      for (std::uint32_t i = 0; i < type.count; ++i) {
        const std::string one = name + "[" + std::to_string(i) + "]";
        out.push_back({one + "#", value_kind::unsigned_integer, offset, sizeof(std::uint32_t), 0, {}});
        append_values(out, from, type.element, one, offset + 4);
        offset += 4 + from.types[type.element].bytes;
      }
      return;
    default:
      out.push_back({name, kind_of(type), offset, type.bytes,
                     type.kind == type_kind::fixed_point ? type.count : 0, type.enumerators});
  }
}

}  // namespace

std::string_view name(type_kind kind) noexcept {
  constexpr std::string_view names[] = {
      "unsigned integer", "signed integer", "floating point", "boolean", "enumeration", "fixed point", "text",
      "interned text",    "optional",       "array",          "struct",  "entities"};
  return names[static_cast<std::size_t>(kind)];
}

value_kind kind_of(const schema_type& type) noexcept {
  switch (type.kind) {
    case type_kind::signed_integer:
    case type_kind::fixed_point:
      return value_kind::signed_integer;
    case type_kind::floating:
      return value_kind::floating;
    case type_kind::boolean:
      return value_kind::boolean;
    case type_kind::enumeration:
      return type.is_signed ? value_kind::signed_integer : value_kind::unsigned_integer;
    case type_kind::text:
      return value_kind::text;
    case type_kind::interned:
      return value_kind::interned;
    default:
      return value_kind::unsigned_integer;
  }
}

bool has_same_layout(const schema& left, const schema& right) noexcept {
  const auto same_field = [](const schema_field& a, const schema_field& b) {
    return a.name == b.name && a.type == b.type;
  };
  return std::ranges::equal(left.types, right.types, [&](const schema_type& a, const schema_type& b) {
    return a.kind == b.kind && a.bytes == b.bytes && a.count == b.count && a.element == b.element &&
           a.is_signed == b.is_signed && a.name == b.name && a.enumerators == b.enumerators &&
           std::ranges::equal(a.fields, b.fields, same_field);
  });
}

byte_vector to_bytes(const schema& what) {
  byte_vector out;
  put_number(out, schema_version);
  put_number(out, what.types.size());
  for (const schema_type& type : what.types) {
    put_number(out, static_cast<std::uint64_t>(type.kind));
    put_number(out, type.bytes);
    put_number(out, type.count);
    if (stands_on_others(type.kind)) put_number(out, type.element);
    if (type.kind == type_kind::structure) put_text(out, type.name);
    if (type.kind == type_kind::enumeration) {
      put_number(out, type.is_signed ? 1 : 0);
      put_number(out, type.enumerators.size());
      for (const enumerator& one : type.enumerators) {
        put_text(out, one.name);
        put_number(out, zigzag_encode(one.value));
      }
    }
    if (type.kind == type_kind::structure) {
      put_number(out, type.fields.size());
      for (const schema_field& field : type.fields) {
        put_text(out, field.name);
        put_number(out, field.type);
        put_declaration(out, field.declared);
      }
    }
  }
  return out;
}

byte_vector pack_schema(byte_span bytes) {
  byte_vector whole(bytes.begin(), bytes.end());
  if (bytes.empty() || bytes[0] != std::byte{schema_version}) return whole;
  // It is small and packed once, so time does not matter.
  auto zstd = compressor::create({.codec = codec_id::zstd, .level = 19});
  byte_vector frame;
  if (!zstd || !zstd->compress(bytes, frame)) return whole;
  byte_vector packed;
  put_number(packed, packed_version);
  put_number(packed, bytes.size());
  packed.insert(packed.end(), frame.begin(), frame.end());
  return packed.size() < whole.size() ? packed : whole;
}

result<schema> read_schema(byte_span bytes, const schema_limits& limits) {
  byte_reader in(bytes);
  const std::uint64_t version = read_leb128(in);
  if (in.ok() && version == packed_version) {
    byte_vector unpacked;
    const std::uint64_t size = read_leb128(in);
    if (size > max_unpacked_bytes) return fail(error_code::over_limit, in.offset(), "schema");
    decompressor zstd;
    const auto done = zstd.decompress(codec_id::zstd, bytes.subspan(in.position()),
                                      static_cast<std::size_t>(size), unpacked);
    if (!done) return fail(done.error());
    // Packed once, with the stated size.
    if (unpacked.size() != size || unpacked.empty() || unpacked[0] != std::byte{schema_version})
      return fail(error_code::malformed, 0, "a packed schema");
    return read_schema(unpacked, limits);
  }
  if (in.ok() && version != schema_version) {
    return fail(error_code::unsupported_version, 0, "schema version {}", static_cast<std::int64_t>(version));
  }
  const std::uint64_t count = read_number(in, limits.max_types);
  if (in.ok() && count == 0) in.fail_with(error_code::malformed);
  schema out;
  schema_extents extents;
  while (in.ok() && out.types.size() < count) {
    const std::uint64_t at = in.offset();
    schema_type type = read_type(in, limits, out.types.size());
    if (!in.ok()) break;
    const std::uint64_t sum = bytes_of(type, out.types);
    if (sum == 0 || sum != type.bytes) return fail(error_code::malformed, at, "the size of a type");
    if (auto fits = extents.add(type, at, limits); !fits) return fail(fits.error());
    out.types.push_back(std::move(type));
  }
  if (!in.ok()) return in.failure("schema");
  if (!in.at_end()) return fail(error_code::malformed, in.offset(), "trailing bytes after the schema");
  if (out.root().kind != type_kind::structure) return fail(error_code::malformed, 0, "a row is a struct");
  return out;
}

std::vector<value_layout> values_of(const schema& what) {
  std::vector<value_layout> out;
  if (!what.types.empty()) {
    append_values(out, what, static_cast<std::uint32_t>(what.types.size() - 1), {}, 0);
  }
  return out;
}

namespace detail {

std::uint32_t add_type(schema& to, schema_type type) {
  const auto found = std::find(to.types.begin(), to.types.end(), type);
  if (found == to.types.end()) {
    to.types.push_back(std::move(type));
    return static_cast<std::uint32_t>(to.types.size() - 1);
  }
  return static_cast<std::uint32_t>(found - to.types.begin());
}

schema_declaration to_schema(const declaration& from) {
  return {from.kept,
          from.places,
          from.most,
          from.how,
          std::string(from.first),
          std::string(from.second),
          std::string(from.unit),
          from.ticks_per_second};
}

}  // namespace detail

}  // namespace tickreel
