// How described structs lie in a reel: its schema is the struct's, each chunk is one block of columns, and
// each tick is a row of it.
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

// The columns of the schema's rows, with what is declared of them. invalid_argument where a declaration names
// a member that there is not, that stands behind it, or that is no number.
[[nodiscard]] result<shape> shape_of(const schema& described);

// How many rows a block may gather so that it stays below `bytes` before compression: 1 to 4096.
[[nodiscard]] std::uint32_t rows_within(std::uint32_t row_bytes, std::uint64_t bytes) noexcept;

}  // namespace tickreel::tracks
