// Bytes as hexadecimal digits, two per byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"

namespace tickreel::text {

// In lower case.
void append_hex(byte_span bytes, std::string& out);
[[nodiscard]] std::string to_hex(byte_span bytes);

// In upper or lower case. Fills all of `out`; false if the text is anything else than that many bytes, and
// `out` is then unspecified.
[[nodiscard]] bool from_hex(std::string_view digits, mutable_byte_span out) noexcept;

// Any number of bytes; empty if the text is anything else, or more than `max_bytes`.
[[nodiscard]] std::optional<byte_vector> from_hex(std::string_view digits, std::size_t max_bytes);

}  // namespace tickreel::text
