#include "tickreel/describe/native_struct.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "tickreel/bytes/endian.hpp"

namespace tickreel {

namespace {

tl::unexpected<error> refuse_field(const char* why, std::int64_t number = 0) noexcept {
  return fail(error_code::invalid_argument, error::no_offset, why, number);
}

bool has_size_of_kind(type_kind kind, std::uint32_t bytes) noexcept {
  switch (kind) {
    case type_kind::floating:
      return bytes == 4 || bytes == 8;
    case type_kind::boolean:
      return bytes == 1;
    case type_kind::text:
      return bytes >= 1 && bytes <= 65'535;
    case type_kind::unsigned_integer:
    case type_kind::signed_integer:
    case type_kind::enumeration:
    case type_kind::fixed_point:
      return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    default:
      return false;
  }
}

bool has_floats_within(const schema& in, std::uint32_t number) {
  const schema_type& type = in.types[number];
  if (type.kind == type_kind::structure) {
    return std::ranges::any_of(type.fields,
                               [&](const schema_field& each) { return has_floats_within(in, each.type); });
  }
  if (type.kind == type_kind::optional || type.kind == type_kind::array || type.kind == type_kind::entities) {
    return has_floats_within(in, type.element);
  }
  return type.kind == type_kind::floating;
}

// The compiler checks the same of TICKREEL_DECLARE.
result<void> check_declaration(const schema_declaration& declared, bool has_floats) {
  if (!detail::decimals_fit(has_floats, {.kept = declared.kept, .places = declared.places})) {
    return refuse_field("decimals are for floats, with at most 15 places");
  }
  if (!detail::tolerance_fits(has_floats, {.kept = declared.kept, .most = declared.most})) {
    return refuse_field("a tolerance is for floats, and is more than 0");
  }
  if (!detail::direction_fits(has_floats, {.how = declared.how})) {
    return refuse_field("directions and rotations are for floats");
  }
  return {};
}

// Adds a type of another schema with all that it consists of; returns its number.
std::uint32_t add_from(schema& to, const schema& from, std::uint32_t number) {
  schema_type type = from.types[number];
  if (type.kind == type_kind::optional || type.kind == type_kind::array || type.kind == type_kind::entities) {
    type.element = add_from(to, from, type.element);
  }
  for (schema_field& field : type.fields) field.type = add_from(to, from, field.type);
  return detail::add_type(to, std::move(type));
}

std::uint64_t value_bytes_of(const native_field& field) noexcept {
  return field.kind == type_kind::structure ? field.of->bytes() : field.bytes;
}

std::uint64_t stride_of(const native_field& field) noexcept {
  return field.stride == 0 ? value_bytes_of(field) : field.stride;
}

void put_native_text(const std::byte* from, std::byte* to, std::uint32_t capacity) noexcept {
  const void* const end = std::memchr(from, 0, capacity);
  const std::size_t size =
      end == nullptr ? capacity : static_cast<std::size_t>(static_cast<const std::byte*>(end) - from);
  detail::store<std::endian::little>(to, static_cast<std::uint16_t>(size));
  std::memcpy(to + 2, from, size);
  std::memset(to + 2 + size, 0, capacity - size);
}

}  // namespace

result<std::shared_ptr<const native_struct>> native_struct::create(std::string_view name, std::uint32_t bytes,
                                                                   std::span<const native_field> fields) {
  if constexpr (std::endian::native != std::endian::little) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "structs are described at run time only on little-endian machines");
  }
  if (bytes == 0 || bytes > schema_limits{}.max_row_bytes) {
    return refuse_field("a struct of {} bytes; the limit is 1 MiB", bytes);
  }
  std::shared_ptr<native_struct> made(new native_struct());
  made->bytes_ = bytes;
  schema_type root;
  root.kind = type_kind::structure;
  root.name = name;
  for (const native_field& field : fields) {
    if (auto added = made->add(field, root); !added) return fail(added.error());
  }
  root.bytes = made->row_end_;
  made->schema_.types.push_back(std::move(root));
  // Names, sizes and counts, as readers check them.
  auto checked = read_schema(to_bytes(made->schema_));
  if (!checked) return fail(checked.error());
  return std::shared_ptr<const native_struct>(std::move(made));
}

result<void> native_struct::check_field(const native_field& field, const schema_type& root) const {
  // Readers refuse these names, too, without the number of the member.
  const auto number = static_cast<std::int64_t>(root.fields.size());
  const auto has_name = [&](const schema_field& each) { return each.name == field.name; };
  if (field.name.empty()) return refuse_field("member {} has no name", number);
  if (field.name.find_first_of(".[]?#") != std::string::npos) {
    return refuse_field("the name of member {} has one of the characters . [ ] ? #, which paths use", number);
  }
  if (std::ranges::any_of(root.fields, has_name)) {
    return refuse_field("member {} has the name of an earlier one", number);
  }
  const bool is_struct = field.kind == type_kind::structure;
  if (is_struct ? field.of == nullptr : !has_size_of_kind(field.kind, field.bytes)) {
    return refuse_field("member {} has no type, or a size that its type does not have", number);
  }
  if (field.kind == type_kind::fixed_point && field.fraction_bits >= field.bytes * 8) {
    return refuse_field("a fixed-point number of {} fraction bits", field.fraction_bits);
  }
  const bool is_array = field.count != 0;
  if ((field.is_optional && is_array) || (field.is_entities && (!is_array || !is_struct))) {
    return refuse_field("an optional is one value; entities are an array of structs");
  }
  const std::uint64_t stride = stride_of(field);
  const std::uint64_t last = field.offset + stride * (is_array ? field.count - 1 : 0);
  const bool flag_fits = field.is_entities   ? std::uint64_t{field.flag_offset} + 4 <= stride
                         : field.is_optional ? field.flag_offset < bytes_
                                             : true;
  const bool flags_end = !field.is_entities || last + field.flag_offset + 4 <= bytes_;
  if (stride < value_bytes_of(field) || last + value_bytes_of(field) > bytes_ || !flag_fits || !flags_end) {
    return fail(error_code::invalid_argument, error::no_offset,
                "member {} is outside of the struct, whose size is {}", number,
                static_cast<std::int64_t>(bytes_));
  }
  return {};
}

// Returns the number of the type of one value.
std::uint32_t native_struct::add_type_of(const native_field& field) {
  if (field.kind == type_kind::structure) {
    return add_from(schema_, field.of->schema_,
                    static_cast<std::uint32_t>(field.of->schema_.types.size() - 1));
  }
  schema_type value;
  value.kind = field.kind;
  value.bytes = field.kind == type_kind::text ? field.bytes + 2 : field.bytes;
  value.count = field.kind == type_kind::text ? field.bytes : field.fraction_bits;
  value.is_signed = field.kind == type_kind::enumeration && field.is_signed;
  if (field.kind == type_kind::enumeration) value.enumerators = field.enumerators;
  return detail::add_type(schema_, std::move(value));
}

result<void> native_struct::add(const native_field& field, schema_type& root) {
  if (auto valid = check_field(field, root); !valid) return valid;
  const bool is_array = field.count != 0;
  const std::uint64_t stride = stride_of(field);
  const std::uint64_t values = is_array ? field.count : 1;
  std::uint32_t type = add_type_of(field);
  const std::uint32_t row_value_bytes = schema_.types[type].bytes;
  if (const auto fits = check_declaration(field.declared, has_floats_within(schema_, type)); !fits)
    return fits;

  // Where each is in the row, and the type around them.
  const std::uint32_t flag_bytes = field.is_entities ? 4 : field.is_optional ? 1 : 0;
  const std::uint64_t row_bytes = values * (std::uint64_t{flag_bytes} + row_value_bytes);
  if (row_end_ + row_bytes > schema_limits{}.max_row_bytes) {
    return fail(error_code::over_limit, error::no_offset, "a row of more than 1 MiB");
  }
  if (is_array || field.is_optional) {
    schema_type around;
    around.kind = field.is_entities ? type_kind::entities : is_array ? type_kind::array : type_kind::optional;
    around.count = field.count;
    around.element = type;
    around.bytes = static_cast<std::uint32_t>(row_bytes);
    type = detail::add_type(schema_, std::move(around));
  }
  for (std::uint64_t i = 0; i < values; ++i) {
    const auto from = static_cast<std::uint32_t>(field.offset + i * stride);
    auto to = static_cast<std::uint32_t>(row_end_ + i * (flag_bytes + row_value_bytes));
    if (field.is_entities) add_step({move::copy, from + field.flag_offset, to, 4, 0});
    std::size_t flag = 0;
    if (field.is_optional) {
      flag = steps_.size();
      steps_.push_back({move::optional, field.flag_offset, to, row_value_bytes, 0});
      first_open_step_ = steps_.size();
    }
    to += flag_bytes;
    add_value(field, from, to, row_value_bytes);
    if (field.is_optional) {
      steps_[flag].skipped = static_cast<std::uint32_t>(steps_.size() - flag - 1);
      first_open_step_ = steps_.size();
    }
  }
  row_end_ += static_cast<std::uint32_t>(row_bytes);
  root.fields.push_back({field.name, type, field.declared});
  return {};
}

void native_struct::add_value(const native_field& field, std::uint32_t from, std::uint32_t to,
                              std::uint32_t value_bytes) {
  if (field.kind == type_kind::structure) {
    const bool has_optional =
        std::ranges::any_of(field.of->steps_, [](const step& each) { return each.how == move::optional; });
    for (step each : field.of->steps_) {
      each.from += from;
      each.to += to;
      if (has_optional) {
        // An optional counts the steps of its value, so they stay as they are.
        steps_.push_back(each);
      } else {
        add_step(each);
      }
    }
    if (has_optional) first_open_step_ = steps_.size();
    return;
  }
  if (field.kind == type_kind::text) {
    add_step({move::text, from, to, field.bytes, 0});
  } else if (field.kind == type_kind::boolean) {
    add_step({move::boolean, from, to, 1, 0});
  } else {
    add_step({move::copy, from, to, value_bytes, 0});
  }
}

// Neighbours become one step, unless an optional counts the one before.
void native_struct::add_step(const step& next) {
  const bool joins = steps_.size() > first_open_step_ && steps_.back().how == move::copy &&
                     next.how == move::copy && steps_.back().from + steps_.back().bytes == next.from &&
                     steps_.back().to + steps_.back().bytes == next.to;
  if (joins) {
    steps_.back().bytes += next.bytes;
  } else {
    steps_.push_back(next);
  }
}

void native_struct::write_row(const std::byte* from, std::byte* to) const noexcept {
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    const step& each = steps_[at];
    switch (each.how) {
      case move::copy:
        std::memcpy(to + each.to, from + each.from, each.bytes);
        break;
      case move::boolean:
        to[each.to] = from[each.from] == std::byte{0} ? std::byte{0} : std::byte{1};
        break;
      case move::text:
        put_native_text(from + each.from, to + each.to, each.bytes);
        break;
      case move::optional:
        if (from[each.from] != std::byte{0}) {
          to[each.to] = std::byte{1};
        } else {
          std::memset(to + each.to, 0, std::size_t{each.bytes} + 1);
          at += each.skipped;
        }
        break;
    }
  }
}

}  // namespace tickreel
