// The byte types of all interfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tickreel {

using byte_span = std::span<const std::byte>;
using mutable_byte_span = std::span<std::byte>;
using byte_vector = std::vector<std::byte>;

// Text as bytes and back, without copying. char and std::byte may alias anything.
[[nodiscard]] inline byte_span as_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}
[[nodiscard]] inline std::string_view as_text(byte_span bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace tickreel
