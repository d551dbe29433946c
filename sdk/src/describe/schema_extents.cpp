#include "schema_extents.hpp"

#include <algorithm>

namespace tickreel {

// `count` of them, with this many bytes before each value's name, one more value for each, and one level
// deeper.
schema_extents::extent schema_extents::times(const extent& one, std::uint64_t count, std::uint64_t name_bytes,
                                             std::uint64_t more_values) {
  extent out;
  out.values = count * (one.values + more_values);
  out.depth = one.depth + 1;
  out.words = count * one.words;
  out.path_bytes = count * (one.path_bytes + (one.values + more_values) * name_bytes);
  return out;
}

schema_extents::extent schema_extents::extent_of(const schema_type& type) const {
  // "[1234567]" and the mark of a generation.
  constexpr std::uint64_t place_bytes = 10;
  extent out;
  switch (type.kind) {
    case type_kind::optional:
      return times(all_[type.element], 1, 1, 1);
    case type_kind::array:
      return times(all_[type.element], type.count, place_bytes, 0);
    case type_kind::entities:
      return times(all_[type.element], type.count, place_bytes, 1);
    case type_kind::enumeration:
      out.words = type.enumerators.size();
      return out;
    case type_kind::structure:
      out.values = 0;
      for (const schema_field& field : type.fields) {
        const extent one = times(all_[field.type], 1, field.name.size() + 1, 0);
        out.values += one.values;
        out.words += one.words;
        out.path_bytes += one.path_bytes;
        out.depth = std::max(out.depth, one.depth);
      }
      return out;
    default:
      return out;
  }
}

result<void> schema_extents::add(const schema_type& type, std::uint64_t at, const schema_limits& limits) {
  const extent& one = all_.emplace_back(extent_of(type));
  if (one.values > limits.max_values) {
    return fail(error_code::over_limit, at, "{} values in a row; the limit is {}",
                static_cast<std::int64_t>(one.values), limits.max_values);
  }
  if (one.depth > limits.max_depth) return fail(error_code::over_limit, at, "nested types");
  if (one.words > limits.max_words) return fail(error_code::over_limit, at, "words of enumerations");
  if (one.path_bytes > limits.max_path_bytes) return fail(error_code::over_limit, at, "names of values");
  return {};
}

}  // namespace tickreel
