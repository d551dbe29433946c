#include "tickreel/tracks/shape.hpp"

#include <algorithm>
#include <numeric>

#include "layout.hpp"

namespace tickreel::tracks {

namespace {

tl::unexpected<error> refuse(std::size_t column, const char* detail) noexcept {
  return fail(error_code::invalid_argument, error::no_offset, detail, static_cast<std::int64_t>(column));
}

bool size_fits(const column& one) noexcept {
  const std::uint32_t size = one.size_bytes;
  switch (one.kind) {
    case value_kind::unsigned_integer:
    case value_kind::signed_integer:
      return size == 1 || size == 2 || size == 4 || size == 8;
    case value_kind::floating:
      return size == 4 || size == 8;
    case value_kind::boolean:
      return size == 1;
    case value_kind::text:
      return size >= 1 && size <= 65537;
    case value_kind::interned:
      return size == 4;
  }
  return false;
}

result<void> check_declaration(const shape& of, std::size_t i) {
  const column& one = of.columns[i];
  const declaration& declared = one.declared;
  if (declared.kind > relation::unit_quaternion)
    return refuse(i, "column {} has a relation that is not known");
  if (declared.decimals < -1 || declared.decimals > max_places ||
      (declared.decimals >= 0 && one.kind != value_kind::floating))
    return refuse(i, "column {} cannot have that many decimal places");
  if (declared.tolerance != 0 &&
      (one.kind != value_kind::floating || !(declared.tolerance >= 1e-9 && declared.tolerance <= 1e9)))
    return refuse(i, "column {} cannot have that tolerance");
  for (std::size_t r = 0; r < reference_count(declared.kind); ++r) {
    if (declared.of[r] >= of.columns.size() || declared.of[r] == i)
      return refuse(i, "column {} refers to a column that does not exist, or to itself");
    const column& other = of.columns[declared.of[r]];
    if (declared.kind == relation::same_as || declared.kind == relation::relative_to) {
      if (one.kind == value_kind::text || other.kind != one.kind || other.size_bytes != one.size_bytes)
        return refuse(i, "column {} refers to a column of another kind");
    } else if (one.kind != value_kind::floating || other.kind != value_kind::floating) {
      return refuse(i, "column {} has a relation that only floats can have");
    }
  }
  if (declared.kind == relation::integral_of &&
      (declared.ticks_per_second < 1 || declared.ticks_per_second > 1'000'000))
    return refuse(i, "column {} has no ticks per second");
  return {};
}

}  // namespace

std::size_t reference_count(relation kind) noexcept {
  switch (kind) {
    case relation::none:
      return 0;
    case relation::same_as:
    case relation::relative_to:
    case relation::integral_of:
      return 1;
    case relation::unit_vector:
      return 2;
    case relation::unit_quaternion:
      return 3;
    case relation::orthogonal_second:
    case relation::cross:
      return 4;
    case relation::orthogonal_third:
      return 5;
  }
  return 0;
}

result<void> shape::validate() const {
  if (row_bytes > max_row_bytes)
    return fail(error_code::invalid_argument, error::no_offset, "a row of {} bytes is too long", row_bytes);
  if (columns.size() > max_columns)
    return fail(error_code::invalid_argument, error::no_offset, "{} columns are too many",
                static_cast<std::int64_t>(columns.size()));
  bool is_in_order = true;  // as those of a schema
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const column& one = columns[i];
    is_in_order &= i == 0 || columns[i - 1].offset <= one.offset;
    if (one.kind > value_kind::interned || !size_fits(one)) return refuse(i, "column {} has no such size");
    if (one.offset > row_bytes || one.size_bytes > row_bytes - one.offset)
      return refuse(i, "column {} is outside the row");
    if (const auto checked = check_declaration(*this, i); !checked) return checked;
  }
  std::vector<std::uint32_t> by_offset(columns.size());
  std::iota(by_offset.begin(), by_offset.end(), 0u);
  if (!is_in_order) {
    std::sort(by_offset.begin(), by_offset.end(),
              [&](std::uint32_t a, std::uint32_t b) { return columns[a].offset < columns[b].offset; });
  }
  for (std::size_t i = 1; i < by_offset.size(); ++i) {
    const column& before = columns[by_offset[i - 1]];
    if (columns[by_offset[i]].offset < before.offset + before.size_bytes)
      return refuse(by_offset[i], "column {} overlaps another");
  }
  if (coding_order(*this).size() != columns.size())
    return fail(error_code::invalid_argument, error::no_offset, "the relations go in a circle");
  return {};
}

}  // namespace tickreel::tracks
