// The numbers in "(attributes)", for its reader and its writer; the table is in tickreel/mpq/attributes.hpp.
#pragma once

#include <cstdint>

namespace tickreel::mpq {

inline constexpr std::uint32_t attributes_version = 100;
inline constexpr std::uint32_t crc32_column = 1;
inline constexpr std::uint32_t file_time_column = 2;
inline constexpr std::uint32_t md5_column = 4;

}  // namespace tickreel::mpq
