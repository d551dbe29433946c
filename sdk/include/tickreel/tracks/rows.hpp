// The layout of described structs in a reel: its schema is the struct's, each chunk is one block of columns,
// and each tick is a row of it.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/describe/schema.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/block.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// The encoder's name and its latest version in a reel's header. Version 2: chunks may be blocks of version 2.
inline constexpr std::string_view rows_name = "tracks";
inline constexpr std::uint32_t rows_version = 2;
// The version of a new reel, so that older readers read all reels but those of large rows.
[[nodiscard]] constexpr std::uint32_t rows_version_for(std::size_t row_bytes) noexcept {
  return row_bytes < default_min_change_row_bytes ? 1 : 2;
}
// The options for a reel of that version.
[[nodiscard]] constexpr block_options options_for_version(block_options options,
                                                          std::uint32_t version) noexcept {
  if (version < 2) options.min_change_row_bytes = ~std::uint32_t{0};
  return options;
}
// The maximum number of rows of a block of changes.
inline constexpr std::uint32_t max_change_rows = 4096;

// The columns of the schema's rows, with their declarations. invalid_argument if a declaration names a member
// that does not exist, follows it, or is not numeric.
[[nodiscard]] result<shape> shape_of(const schema& described);

// The number of rows of a block that stays below `bytes` before compression: 1 to 4096.
[[nodiscard]] std::uint32_t rows_within(std::uint32_t row_bytes, std::uint64_t bytes) noexcept;

}  // namespace tickreel::tracks
