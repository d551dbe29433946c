// Base64 of RFC 4648: the common alphabet, with padding.
#pragma once

#include <string>

#include "tickreel/bytes/span.hpp"

namespace tickreel::text {

// Pieces whose sizes are multiples of 3 produce the same text as the whole.
void append_base64(byte_span bytes, std::string& out);

}  // namespace tickreel::text
