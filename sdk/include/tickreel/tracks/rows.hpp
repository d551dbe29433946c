// The layout of described structs in a reel: its schema is the struct's, each chunk is one block of columns,
// and each tick is a row of it.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/describe/schema.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// The encoder's name and version in a reel's header.
inline constexpr std::string_view rows_name = "tracks";
inline constexpr std::uint32_t rows_version = 1;

// The columns of the schema's rows, with their declarations. invalid_argument if a declaration names a member
// that does not exist, follows it, or is not numeric.
[[nodiscard]] result<shape> shape_of(const schema& described);

// The number of rows of a block that stays below `bytes` before compression: 1 to 4096.
[[nodiscard]] std::uint32_t rows_within(std::uint32_t row_bytes, std::uint64_t bytes) noexcept;

}  // namespace tickreel::tracks
