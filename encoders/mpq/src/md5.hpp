// MD5, RFC 1321: archives store it of their members and tables. It protects only from accidents.
#pragma once

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/attributes.hpp"

namespace tickreel::mpq {

[[nodiscard]] md5_digest md5(byte_span input) noexcept;

}  // namespace tickreel::mpq
