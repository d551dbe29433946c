// The first byte selects codec, limit and dictionary; the rest is decompressed: never a crash, never more memory than the limit,
// and the same result from a new decompressor as from one that processed all earlier inputs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tickreel/codec/codec.hpp"

using namespace tickreel;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static decompressor used;
  const byte_span input = std::as_bytes(std::span(data, size)).subspan(1);
  const auto codec = static_cast<codec_id>(data[0] & 3);
  const std::size_t limit_bytes = std::size_t{1} << (4 + (data[0] >> 2 & 15));
  const byte_span dictionary =
      (data[0] & 0x40) != 0 ? as_bytes("what most chunks have in common") : byte_span{};

  byte_vector out;
  const auto done = used.decompress(codec, input, limit_bytes, out, dictionary);
  check(out.capacity() <= limit_bytes);
  check(done || out.empty());

  decompressor fresh;
  byte_vector again;
  const auto repeated = fresh.decompress(codec, input, limit_bytes, again, dictionary);
  check(repeated.has_value() == done.has_value() && again == out);
  check(done || repeated.error().code == done.error().code);
  return 0;
}
