#include "tickreel/icrep/digest.hpp"

#include <sodium.h>

#include "tickreel/bytes/endian.hpp"

namespace tickreel::icrep {

static_assert(crypto_hash_sha256_BYTES == std::tuple_size_v<digest>);

digest sha256(std::span<const byte_span> parts) noexcept {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  for (const byte_span part : parts) {
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(part.data()), part.size());
  }
  digest made;
  crypto_hash_sha256_final(&state, reinterpret_cast<unsigned char*>(made.data()));
  return made;
}

digest sha256(byte_span input) noexcept {
  return sha256(std::span(&input, 1));
}

std::uint64_t sync_hash(const digest& state_hash) noexcept {
  return tickreel::detail::load<std::endian::little, std::uint64_t>(state_hash.data());
}

}  // namespace tickreel::icrep
