// Packed pieces of MPQ members: a byte that names the method, then the stream.
#pragma once

#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/storage.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

// What a piece's first byte stands for. Replays have no other than zlib and bzip2, and nothing else is known.
[[nodiscard]] std::optional<packing> known_packing(std::byte method) noexcept;

// Whether `packed` unpacks to exactly the size of `into`. Takes no more time than its bytes are worth.
[[nodiscard]] bool unpack(byte_span packed, mutable_byte_span into);

// The same when nobody knows the size but that it is at most `limit`; `into` grows as it must. It is rubbish
// after false.
[[nodiscard]] bool unpack_of_unknown_size(byte_span packed, std::size_t limit, byte_vector& into);

// Whether a reader that goes by the bytes alone might take `content` for a packed piece.
[[nodiscard]] bool looks_packed(byte_span content, std::size_t limit);

// Packs `content` into `into`; false when that does not make it smaller, and it is to be stored as it is.
// out_of_memory.
[[nodiscard]] result<bool> pack(byte_span content, packing how, byte_vector& into);

}  // namespace tickreel::mpq
