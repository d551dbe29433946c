// Whether bytes are UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include "tickreel/bytes/span.hpp"

namespace tickreel::icrep {

[[nodiscard]] bool is_utf8(byte_span text) noexcept;

}  // namespace tickreel::icrep
