#include "tickreel/icrep/signature.hpp"

#include <sodium.h>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::icrep {

static_assert(crypto_sign_PUBLICKEYBYTES == std::tuple_size_v<public_key>);
static_assert(crypto_sign_BYTES == std::tuple_size_v<signature>);
static_assert(crypto_sign_SECRETKEYBYTES == 64 && crypto_sign_SEEDBYTES == 32);

namespace {

constexpr std::string_view chain_name = "ICRP-CHAIN-v1";
constexpr std::byte zero{0};

// libsodium needs its initialisation for random numbers and for choosing faster code; signing and hashing
// work without.
unsigned char* sodium(std::byte* bytes) noexcept {
  return reinterpret_cast<unsigned char*>(bytes);
}
const unsigned char* sodium(const std::byte* bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes);
}

std::array<std::byte, 44> signed_fields(const chain_entry& entry) noexcept {
  std::array<std::byte, 44> bytes;
  byte_writer out(bytes);
  out.u32(entry.skipped_ticks);
  out.u64(entry.tick);
  out.bytes(entry.state_hash);
  return bytes;
}

}  // namespace

digest chain_start(const chain_subject& subject) noexcept {
  std::array<std::byte, 8> seed;
  tickreel::detail::store<std::endian::little>(seed.data(), subject.game_seed);
  const byte_span separator(&zero, 1);
  const byte_span parts[] = {as_bytes(chain_name), separator, as_bytes(subject.replay_id), separator,
                             subject.map_hash,     seed};
  return sha256(parts);
}

std::array<std::byte, 76> chain_message(const chain_entry& entry, const digest& before) noexcept {
  std::array<std::byte, 76> message;
  byte_writer out(message);
  out.bytes(signed_fields(entry));
  out.bytes(before);
  return message;
}

digest chain_next(const chain_entry& entry, const digest& before) noexcept {
  const auto fields = signed_fields(entry);
  const byte_span parts[] = {before, fields};
  return sha256(parts);
}

chain_signer::chain_signer(std::span<const std::byte, 32> key_seed, const chain_subject& subject) noexcept
    : before_(chain_start(subject)) {
  crypto_sign_seed_keypair(sodium(chain_.relay_public_key.data()), sodium(secret_key_.data()),
                           sodium(key_seed.data()));
}

chain_signer::~chain_signer() {
  sodium_memzero(secret_key_.data(), secret_key_.size());
}

result<void> chain_signer::add(std::uint64_t tick, const digest& state_hash, std::uint32_t skipped_ticks) {
  if (!chain_.chain.empty() && tick <= chain_.chain.back().tick) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {} signed after tick {}",
                static_cast<std::int64_t>(tick), static_cast<std::int64_t>(chain_.chain.back().tick));
  }
  chain_entry entry{tick, state_hash, skipped_ticks, {}};
  const auto message = chain_message(entry, before_);
  crypto_sign_detached(sodium(entry.relay_sig.data()), nullptr, sodium(message.data()), message.size(),
                       sodium(secret_key_.data()));
  before_ = chain_next(entry, before_);
  chain_.chain.push_back(entry);
  return {};
}

byte_vector chain_signer::section() const {
  byte_vector bytes;
  append_bc1(bytes, chain_);
  return bytes;
}

result<signature_chain> read_signature_section(byte_span from, const limits& most,
                                               std::uint64_t base_offset) {
  return read_bc1<signature_chain>(from, most, base_offset);
}

result<void> verify_chain(const signature_chain& chain, const chain_subject& subject,
                          std::uint64_t total_ticks, const digest& final_state_hash) {
  const auto refuse = [](error_code code, const char* why, std::int64_t first = 0, std::int64_t second = 0) {
    return fail(code, error::no_offset, why, first, second);
  };
  if (chain.chain.empty()) return refuse(error_code::malformed, "the signature chain has no entries");
  digest before = chain_start(subject);
  std::int64_t number = 0;
  const chain_entry* previous = nullptr;
  for (const chain_entry& entry : chain.chain) {
    const auto tick = static_cast<std::int64_t>(entry.tick);
    if (previous != nullptr && entry.tick <= previous->tick) {
      return refuse(error_code::malformed,
                    "signature {}, of tick {}, does not come later than the one before", number, tick);
    }
    const auto message = chain_message(entry, before);
    if (crypto_sign_verify_detached(sodium(entry.relay_sig.data()), sodium(message.data()), message.size(),
                                    sodium(chain.relay_public_key.data())) != 0) {
      return refuse(error_code::checksum_mismatch, "signature {}, of tick {}, is not the signer's", number,
                    tick);
    }
    before = chain_next(entry, before);
    previous = &entry;
    ++number;
  }
  if (previous->tick != total_ticks) {
    return refuse(error_code::malformed, "the signature chain ends at tick {}, the recording at {}",
                  static_cast<std::int64_t>(previous->tick), static_cast<std::int64_t>(total_ticks));
  }
  if (previous->state_hash != final_state_hash) {
    return refuse(error_code::checksum_mismatch, "the signed final state is not the recording's");
  }
  return {};
}

}  // namespace tickreel::icrep
