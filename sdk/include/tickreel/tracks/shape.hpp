// The columns of a row of fixed size, and what is known about them. Rows are written by
// describe/component.hpp: little-endian numbers, texts with their u16 size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tickreel/describe/component.hpp"
#include "tickreel/result.hpp"

namespace tickreel::tracks {

// How a column's values follow from those of other columns in the same row. Each relation is a prediction
// whose error is stored, so a violated relation costs bytes and loses nothing. The comments list the columns
// of `of`.
enum class relation : std::uint8_t {
  none,
  same_as,      // [0]: almost always equal; of the same kind and size
  relative_to,  // [0]: changes together with it; of the same kind and size
  integral_of,  // [0]: changes per row by that column / ticks_per_second
  unit_vector,  // [0], [1]: the other two components of a vector of length 1
  // A vector u of length 1 at a right angle to a vector f of length 1; a, b, c are the three axes in any
  // order.
  orthogonal_second,  // u.b from f.a, f.b, f.c, u.a
  orthogonal_third,   // u.c from f.a, f.b, f.c, u.a, u.b
  cross,              // u.a * v.b - u.b * v.a from u.a, u.b, v.a, v.b
  unit_quaternion,    // [0], [1], [2]: the other three numbers of a quaternion of length 1
};

inline constexpr std::size_t relation_count = 9;
inline constexpr std::size_t max_references = 5;
[[nodiscard]] std::size_t reference_count(relation kind) noexcept;

// What the recording program declares about a column.
struct declaration {
  relation kind = relation::none;
  // Column numbers; the first reference_count(kind) count. A column may have a lower number than those it
  // refers to.
  std::array<std::uint32_t, max_references> of{};
  // integral_of: 1 to 1,000,000.
  std::uint32_t ticks_per_second = 0;
  // Floats with that many decimal places, 0 to 9; -1: detected. A hint: other values are stored as well.
  std::int8_t decimals = -1;
  // The permitted error of floats; 0: stored exactly, bit by bit. Values outside of the range of the
  // tolerance (NaN, infinity) are stored exactly. From 1e-9 to 1e9.
  double tolerance = 0;
};

struct column {
  value_kind kind = value_kind::unsigned_integer;
  std::uint32_t offset = 0;  // in the row
  std::uint32_t size_bytes =
      0;  // integers 1, 2, 4 or 8; floats 4 or 8; booleans 1; interned 4; texts 1 to 65537
  declaration declared;
};

// Records of equal layout, one after the other: the elements of an array, or `count` 1 for members that are in
// no array.
struct record_array {
  std::uint32_t offset = 0;  // in the row
  std::uint32_t record_bytes = 0;
  std::uint32_t count = 0;
  std::uint32_t first_column = 0;  // of the first record
  std::uint32_t columns = 0;       // of each record, by rising offset
};

struct shape {
  static constexpr std::uint32_t max_row_bytes = 1u << 20;
  static constexpr std::size_t max_columns = 1u << 18;

  std::uint32_t row_bytes = 0;
  // In any order, without overlaps. Bytes of a row outside of columns are not stored and are read as 0.
  std::vector<column> columns;
  // Together all bytes of the row, by rising offset; or empty: rows are only coded by column.
  std::vector<record_array> records = {};

  // invalid_argument for anything that the comments above exclude, and for cyclic relations; the error's
  // first value is the column. Allocates.
  [[nodiscard]] result<void> validate() const;
};

}  // namespace tickreel::tracks
