// The coder without processor-specific instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tickreel::test {

std::vector<std::byte> plain_encoded(const std::vector<std::uint64_t>& values);
std::vector<std::uint64_t> plain_decoded(const std::vector<std::byte>& bytes, std::size_t count);

}  // namespace tickreel::test
