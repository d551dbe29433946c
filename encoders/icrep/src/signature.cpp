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

// libsodium needs its initialisation only for random numbers and to choose faster code; signing and hashing
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

signature chain_signer::sign(byte_span message) const noexcept {
  signature made;
  crypto_sign_detached(sodium(made.data()), nullptr, sodium(message.data()), message.size(),
                       sodium(secret_key_.data()));
  return made;
}

result<void> chain_signer::add(std::uint64_t tick, const digest& state_hash, std::uint32_t skipped_ticks) {
  if (!chain_.chain.empty() && tick <= chain_.chain.back().tick) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {u} signed after tick {u}",
                static_cast<std::int64_t>(tick), static_cast<std::int64_t>(chain_.chain.back().tick));
  }
  chain_entry entry{tick, state_hash, skipped_ticks, {}};
  entry.relay_sig = sign(chain_message(entry, before_));
  before_ = chain_next(entry, before_);
  chain_.chain.push_back(entry);
  return {};
}

result<void> chain_signer::add(std::uint64_t tick, const digest& state_hash, std::uint32_t skipped_ticks,
                               const content_mark& content) {
  if (auto done = add(tick, state_hash, skipped_ticks); !done) return done;
  const byte_vector message = seal_message(seal_.entries.size(), before_, content);
  const auto& [frames, keyframes, events, voice] = content.counts;
  seal_.entries.push_back({frames, keyframes, events, voice, sign(message)});
  return {};
}

void chain_signer::seal_end(const content_mark& content, const recording_end& end) {
  const byte_vector message = seal_end_message(seal_.entries.size(), before_, content, end);
  const auto& [frames, keyframes, events, voice] = content.counts;
  seal_.end = seal_entry{frames, keyframes, events, voice, sign(message)};
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

bool holds(const signature& made, byte_span message, const public_key& signed_by) noexcept {
  return crypto_sign_verify_detached(sodium(made.data()), sodium(message.data()), message.size(),
                                     sodium(signed_by.data())) == 0;
}

result<std::vector<digest>> verify_chain_entries(const signature_chain& chain, const chain_subject& subject) {
  if (chain.chain.empty()) {
    return fail(error_code::malformed, error::no_offset, "the signature chain has no entries");
  }
  std::vector<digest> links;
  digest before = chain_start(subject);
  const chain_entry* previous = nullptr;
  for (const chain_entry& entry : chain.chain) {
    const auto number = static_cast<std::int64_t>(links.size());
    const auto tick = static_cast<std::int64_t>(entry.tick);
    if (previous != nullptr && entry.tick <= previous->tick) {
      return fail(error_code::malformed, error::no_offset,
                  "signature {u}, of tick {u}, does not come later than the one before", number, tick);
    }
    if (!holds(entry.relay_sig, chain_message(entry, before), chain.relay_public_key)) {
      return fail(error_code::checksum_mismatch, error::no_offset,
                  "signature {u}, of tick {u}, is not the signer's", number, tick);
    }
    before = chain_next(entry, before);
    links.push_back(before);
    previous = &entry;
  }
  return links;
}

result<void> verify_chain_end(const signature_chain& chain, std::uint64_t total_ticks,
                              const digest& final_state_hash) {
  const chain_entry& last = chain.chain.back();
  if (last.tick != total_ticks) {
    return fail(error_code::malformed, error::no_offset,
                "the signature chain ends at tick {u}, the recording at {u}",
                static_cast<std::int64_t>(last.tick), static_cast<std::int64_t>(total_ticks));
  }
  if (last.state_hash != final_state_hash) {
    return fail(error_code::checksum_mismatch, error::no_offset,
                "the signed final state is not the recording's");
  }
  return {};
}

}  // namespace tickreel::icrep
