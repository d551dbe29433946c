// Bytes as letters, as RFC 4648 has them: the common alphabet, with padding.
#pragma once

#include <string>

#include "tickreel/bytes/span.hpp"

namespace tickreel::text {

// Pieces whose sizes are multiples of 3 become the same text as the whole.
void append_base64(byte_span bytes, std::string& out);

}  // namespace tickreel::text
