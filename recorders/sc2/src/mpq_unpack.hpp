// Packed pieces of MPQ members: a byte that names the method, then the stream.
#pragma once

#include "tickreel/bytes/span.hpp"

namespace tickreel::sc2 {

// zlib and bzip2; the game uses no other.
[[nodiscard]] bool can_unpack(std::byte method) noexcept;

// Whether `packed` unpacks to exactly the size of `into`. Takes no more time than its bytes are worth.
[[nodiscard]] bool unpack(byte_span packed, mutable_byte_span into);

// The same when nobody knows the size but that it is at most `limit`; `into` grows as it must. It is rubbish
// after false.
[[nodiscard]] bool unpack_of_unknown_size(byte_span packed, std::size_t limit, byte_vector& into);

}  // namespace tickreel::sc2
