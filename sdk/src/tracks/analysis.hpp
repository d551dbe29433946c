// The writer's analysis of a column before encoding. The format does not prescribe it.
#pragma once

#include <vector>

#include "recipe.hpp"

namespace tickreel::tracks {

// A value that its column's mapping cannot express.
struct exception {
  std::uint32_t row = 0;
  std::uint64_t bits = 0;
};

struct column_work {
  explicit column_work(std::size_t max_rows)
      : bits(max_rows),
        numbers(max_rows),
        errors(max_rows),
        tried(max_rows),
        first(max_rows),
        second(max_rows),
        room(max_rows * max_references),
        small(max_rows) {
    exceptions.reserve(max_rows);
  }
  std::vector<std::uint64_t> bits;
  std::vector<std::int64_t> numbers;  // of columns without references from others
  std::vector<std::int64_t> errors;
  std::vector<std::int64_t> tried;
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  std::vector<std::int64_t> room;
  std::vector<std::int32_t> small;
  std::vector<exception> exceptions;
};

// Fills `numbers` from bits[0, rows), returns the mapping, and fills the exceptions. At least `least_places`
// decimal places.
[[nodiscard]] mapping map_numbers(const column& of, decimal_step step, int least_places, std::size_t rows,
                                  column_work& work, std::int64_t* numbers) noexcept;

// Uses the value's own bits as numbers.
void map_plainly(value_type type, std::size_t rows, const std::uint64_t* bits, unsigned shift,
                 std::int64_t* numbers) noexcept;

// The predictor with the smallest errors, which are in work.errors. `related` is null if there is none.
[[nodiscard]] predictor choose_predictor(const std::int64_t* numbers, std::size_t rows,
                                         const related_rows* related, column_work& work) noexcept;

}  // namespace tickreel::tracks
