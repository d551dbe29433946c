#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tickreel/codec/codec.hpp"

namespace tickreel {

std::uint64_t xxh3_64(byte_span input) noexcept {
  return XXH3_64bits(input.data(), input.size());
}

}  // namespace tickreel
