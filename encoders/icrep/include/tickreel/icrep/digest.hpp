// SHA-256, and what the format calls a state hash.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tickreel/bytes/span.hpp"

namespace tickreel::icrep {

using digest = std::array<std::byte, 32>;

// Of the parts one after the other. Any thread.
[[nodiscard]] digest sha256(std::span<const byte_span> parts) noexcept;
[[nodiscard]] digest sha256(byte_span input) noexcept;

// What order frames carry of a state hash: its first 8 bytes as a little-endian number.
[[nodiscard]] std::uint64_t sync_hash(const digest& state_hash) noexcept;

}  // namespace tickreel::icrep
