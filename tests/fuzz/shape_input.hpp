// Shapes of rows from a fuzzer's input.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "tickreel/tracks/block_reader.hpp"

namespace tickreel::tracks {

inline void check(bool holds) {
  if (!holds) std::abort();
}

// 0 after the end.
inline std::uint8_t next(byte_span& input) {
  if (input.empty()) return 0;
  const auto byte = std::to_integer<std::uint8_t>(input[0]);
  input = input.subspan(1);
  return byte;
}

// The next column of a shape, without relations.
inline column column_from(byte_span& input, const shape& of) {
  constexpr std::uint32_t sizes[] = {1, 2, 4, 8};
  const unsigned what = next(input);
  column one;
  one.kind = static_cast<value_kind>(what % 6);
  one.offset = of.row_bytes;
  one.size_bytes = one.kind == value_kind::floating   ? sizes[2 + what / 6 % 2]
                   : one.kind == value_kind::boolean  ? 1
                   : one.kind == value_kind::text     ? 1 + what / 6
                   : one.kind == value_kind::interned ? 4
                                                      : sizes[what / 6 % 4];
  return one;
}

}  // namespace tickreel::tracks
