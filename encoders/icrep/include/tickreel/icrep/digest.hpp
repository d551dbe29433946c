// SHA-256, and the format's state hashes.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tickreel/bytes/span.hpp"

namespace tickreel::icrep {

using digest = std::array<std::byte, 32>;

// The hash of the concatenated parts. Any thread.
[[nodiscard]] digest sha256(std::span<const byte_span> parts) noexcept;
[[nodiscard]] digest sha256(byte_span input) noexcept;

// The part of a state hash in order frames: its first 8 bytes as a little-endian number.
[[nodiscard]] std::uint64_t sync_hash(const digest& state_hash) noexcept;

}  // namespace tickreel::icrep
