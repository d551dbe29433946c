// Predictions of a column's numbers, and their errors. All arithmetic wraps around at 64 bits.
#pragma once

#include <cstdint>
#include <span>

#include "mapping.hpp"

namespace tickreel::tracks {

// Unless a relation applies, the first row of a block is predicted as 0, the second as previous, the third as
// linear.
enum class predictor : std::uint8_t {
  previous,   // a
  linear,     // 2a - b
  quadratic,  // 3a - 3b + c
  related,    // by the relation; relative_to and same_as: previous, of the difference to the other column
  related_linear,     // relative_to and same_as only
  related_quadratic,  // relative_to and same_as only
};
inline constexpr unsigned predictor_count = 6;

// The numbers of a column that another refers to.
struct series {
  const std::int64_t* numbers = nullptr;
  mapping by;
  value_type type;
};

// The values of a relation for each row of a block.
struct related_rows {
  relation kind = relation::none;
  // relative_to, same_as: the other column's numbers. integral_of: the change, in 2^-16. Others: the two
  // possible values; the one nearer to the linear prediction applies.
  std::int64_t* first = nullptr;
  std::int64_t* second = nullptr;
  // Memory for max_references times as many numbers.
  std::int64_t* room = nullptr;
};

// Whether the relation can be computed with columns of these mappings. The writer may choose it only then,
// and the reader rejects a block that violates this.
[[nodiscard]] bool can_relate(const declaration& declared, value_type own_type, const mapping& own,
                              std::span<const series> others) noexcept;

// Fills `out` for `rows` rows. Only when can_relate().
void relate(const declaration& declared, value_type own_type, const mapping& own,
            std::span<const series> others, std::size_t rows, related_rows& out) noexcept;

[[nodiscard]] bool fits(predictor by, relation kind) noexcept;

// The prediction error of each row.
void take_residuals(const std::int64_t* numbers, std::size_t rows, predictor by, const related_rows& related,
                    std::int64_t* residuals) noexcept;
// The inverse, in place.
void restore(std::int64_t* numbers, std::size_t rows, predictor by, const related_rows& related) noexcept;

}  // namespace tickreel::tracks
