// The bytes around a block's groups.
//
//   u8               version: 1; 2: change_rows.hpp
//   prefix varint    rows; 0: nothing follows
//   prefix varint    columns per group
//   prefix varint    bytes of each group, in order
//   ...              the groups
//
// A group with the same length as its columns in all rows contains those bytes, column by column, and each column
// counts as plain.
#pragma once

#include <algorithm>

#include "recipe.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/tracks/block.hpp"

namespace tickreel::tracks {

inline constexpr std::uint8_t block_version = 1;
inline constexpr std::uint32_t max_block_rows = 65536;

// Models start again in each group, which makes small groups of many columns large.
inline std::uint32_t columns_a_group(const block_options& options, std::size_t columns) noexcept {
  constexpr std::size_t max_groups = 64;
  if (options.group_columns != 0) return options.group_columns;
  return std::max(options.stage == stage::live ? 16u : 32u, static_cast<std::uint32_t>(columns / max_groups));
}

// The mappings of the columns that column i refers to. Returns their number.
template <class Mappings>
std::span<const series> references_of(const layout& plan, std::uint32_t i, const Mappings& mappings,
                                      const std::int64_t* kept, std::size_t rows_kept,
                                      std::array<series, max_references>& out) noexcept {
  const declaration& declared = plan.of.columns[i].declared;
  // The bound is always above the count; GCC 12 for Windows warns without it.
  const std::size_t count = std::min(reference_count(declared.kind), out.size());
  for (std::size_t r = 0; r < count; ++r) {
    const column& other = plan.of.columns[declared.of[r]];
    out[r] = {kept + std::size_t{plan.slot[declared.of[r]]} * rows_kept,
              mappings[declared.of[r]],
              {other.kind, other.size_bytes}};
  }
  return std::span<const series>(out.data(), count);
}

}  // namespace tickreel::tracks
