// The checksums that an archive keeps of its members.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2/archive.hpp"

namespace tickreel::sc2 {

// From the archive's "(attributes)" member: u32 version 100, u32 what follows (1 CRC-32, 2 file times, 4
// MD5), then a u32 CRC-32 for each row of the block table. The result's index is member::block; rows without
// a checksum are empty, and all are when the archive keeps none.
result<std::vector<std::optional<std::uint32_t>>> read_checksums(const archive& of);

}  // namespace tickreel::sc2
