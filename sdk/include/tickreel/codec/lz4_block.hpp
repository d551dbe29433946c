// Raw LZ4 blocks, without a frame and a size. For formats that store the size elsewhere; use codec.hpp
// otherwise.
#pragma once

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// Replaces the content of `out`, reusing its memory. Fails with unsupported_codec in a build without LZ4, and
// with over_limit above 2,113,929,216 bytes, the limit of LZ4. Any thread. Levels 3 to 12 are slower and
// smaller; all others are LZ4's fast default.
result<void> lz4_block_compress(byte_span input, byte_vector& out, int level = 0);

// Replaces the content of `out` by exactly `size_bytes` bytes; empty on failure. Allocates `size_bytes`, so
// the caller must check it first. corrupt_compression if the block has another size or does not end with the
// input. Any thread.
result<void> lz4_block_decompress(byte_span input, std::size_t size_bytes, byte_vector& out);

}  // namespace tickreel
