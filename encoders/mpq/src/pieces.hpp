// Compressed pieces of MPQ members: a byte with the method, then the stream.
#pragma once

#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/storage.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

// The meaning of a piece's first byte. Replays use only zlib and bzip2, and nothing else is supported.
[[nodiscard]] std::optional<packing> known_packing(std::byte method) noexcept;

// Whether `packed` decompresses to exactly the size of `into`. Takes time in proportion to its size.
[[nodiscard]] bool unpack(byte_span packed, mutable_byte_span into);

// The same if only an upper limit of the size is known; `into` grows as necessary. It is unspecified after
// false.
[[nodiscard]] bool unpack_of_unknown_size(byte_span packed, std::size_t limit, byte_vector& into);

// Whether a reader that examines only the bytes might treat `content` as a compressed piece.
[[nodiscard]] bool looks_packed(byte_span content, std::size_t limit);

// Compresses `content` into `into`; false if that does not make it smaller, and it must be stored.
// out_of_memory.
[[nodiscard]] result<bool> pack(byte_span content, packing how, byte_vector& into);

}  // namespace tickreel::mpq
