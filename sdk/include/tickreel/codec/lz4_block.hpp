// Raw LZ4 blocks: no frame around them, no size before them. For formats that keep the size elsewhere; what
// stands alone is better compressed by codec.hpp.
#pragma once

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// Replaces the content of `out`, reusing its memory. Fails with unsupported_codec in a build without LZ4, and
// with over_limit for more than 2,113,929,216 bytes, which is what LZ4 can take. Any thread.
// Levels 3 to 12 are slower and smaller, all others LZ4's fast default.
result<void> lz4_block_compress(byte_span input, byte_vector& out, int level = 0);

// Replaces the content of `out` by exactly `size_bytes` bytes, and leaves it empty on failure. The caller
// vouches for the size: that much memory is taken. corrupt_compression when the block makes fewer or more, or
// does not end with the input. Any thread.
result<void> lz4_block_decompress(byte_span input, std::size_t size_bytes, byte_vector& out);

}  // namespace tickreel
