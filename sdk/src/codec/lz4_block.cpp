#include "tickreel/codec/lz4_block.hpp"

#ifdef TICKREEL_HAS_LZ4
#include <lz4.h>
#include <lz4hc.h>

#include <algorithm>
#endif

namespace tickreel {

#ifdef TICKREEL_HAS_LZ4

result<void> lz4_block_compress(byte_span input, byte_vector& out, int level) {
  out.clear();
  if (input.size() > LZ4_MAX_INPUT_SIZE) {
    return fail(error_code::over_limit, error::no_offset, "{} bytes for one lz4 block",
                static_cast<std::int64_t>(input.size()));
  }
  const int bound = LZ4_compressBound(static_cast<int>(input.size()));
  out.resize(static_cast<std::size_t>(bound));
  // The slow levels read the input's address even if it is empty.
  const char* from = input.empty() ? "" : reinterpret_cast<const char*>(input.data());
  auto* to = reinterpret_cast<char*>(out.data());
  const int count = static_cast<int>(input.size());
  const int size = level < LZ4HC_CLEVEL_MIN
                       ? LZ4_compress_default(from, to, count, bound)
                       : LZ4_compress_HC(from, to, count, bound, std::min(level, LZ4HC_CLEVEL_MAX));
  if (size <= 0) {
    out.clear();
    return fail(error_code::out_of_memory, error::no_offset, "lz4 block");
  }
  out.resize(static_cast<std::size_t>(size));
  return {};
}

result<void> lz4_block_decompress(byte_span input, std::size_t size_bytes, byte_vector& out) {
  out.clear();
  if (input.size() > LZ4_MAX_INPUT_SIZE || size_bytes > LZ4_MAX_INPUT_SIZE) {
    return fail(error_code::over_limit, error::no_offset, "{} bytes in one lz4 block",
                static_cast<std::int64_t>(size_bytes));
  }
  if (size_bytes > out.capacity()) byte_vector().swap(out);
  out.resize(size_bytes);
  // LZ4 takes the input as a whole and reports bytes after the last literals as an error.
  const int size =
      LZ4_decompress_safe(reinterpret_cast<const char*>(input.data()), reinterpret_cast<char*>(out.data()),
                          static_cast<int>(input.size()), static_cast<int>(size_bytes));
  if (size < 0 || static_cast<std::size_t>(size) != size_bytes) {
    out.clear();
    return fail(error_code::corrupt_compression, 0, "an lz4 block that does not make {} bytes",
                static_cast<std::int64_t>(size_bytes));
  }
  return {};
}

#else

result<void> lz4_block_compress(byte_span, byte_vector& out, int) {
  out.clear();
  return fail(error_code::unsupported_codec, error::no_offset, "built without lz4");
}

result<void> lz4_block_decompress(byte_span, std::size_t, byte_vector& out) {
  out.clear();
  return fail(error_code::unsupported_codec, error::no_offset, "built without lz4");
}

#endif

}  // namespace tickreel
