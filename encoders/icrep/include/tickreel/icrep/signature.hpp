// The chain of signatures: a relay that saw the match signs its state hashes, each with all before it. So a
// file proves that its states are those that were played. The seal beside it covers everything else,
// seal.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/icrep/digest.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/seal.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct chain_entry {
  std::uint64_t tick = 0;
  digest state_hash{};
  std::uint32_t skipped_ticks = 0;  // ticks before this one that the signer has not seen
  signature relay_sig{};
  bool operator==(const chain_entry&) const = default;
};
TICKREEL_DESCRIBE(chain_entry, tick, state_hash, skipped_ticks, relay_sig);

struct signature_chain {
  std::vector<chain_entry> chain;
  public_key relay_public_key{};
  bool operator==(const signature_chain&) const = default;
};
TICKREEL_DESCRIBE(signature_chain, chain, relay_public_key);

// The subject that a chain is bound to.
struct chain_subject {
  std::string_view replay_id;
  digest map_hash{};
  std::uint64_t game_seed = 0;
};

// The signed messages, and the values that bind them to the entries before.
[[nodiscard]] digest chain_start(const chain_subject& subject) noexcept;
[[nodiscard]] std::array<std::byte, 76> chain_message(const chain_entry& entry,
                                                      const digest& before) noexcept;
[[nodiscard]] digest chain_next(const chain_entry& entry, const digest& before) noexcept;

// Signs during a match. Holds the private key; one thread at a time.
class chain_signer {
 public:
  // The key pair is derived from 32 secret random bytes.
  chain_signer(std::span<const std::byte, 32> key_seed, const chain_subject& subject) noexcept;
  ~chain_signer();
  chain_signer(const chain_signer&) = delete;
  chain_signer& operator=(const chain_signer&) = delete;

  // Ticks rise, otherwise invalid_argument. The last is for tick total_ticks, with the state after the last
  // tick.
  result<void> add(std::uint64_t tick, const digest& state_hash, std::uint32_t skipped_ticks = 0);
  // The same, and seals everything recorded before it. Either all entries of a chain are sealed or none.
  result<void> add(std::uint64_t tick, const digest& state_hash, std::uint32_t skipped_ticks,
                   const content_mark& content);
  // Seals the whole, after the last entry.
  void seal_end(const content_mark& content, const recording_end& end);

  [[nodiscard]] const signature_chain& chain() const noexcept { return chain_; }
  [[nodiscard]] const content_seal& seal() const noexcept { return seal_; }
  // The signature section.
  [[nodiscard]] byte_vector section() const;

 private:
  [[nodiscard]] signature sign(byte_span message) const noexcept;

  std::array<std::byte, 64> secret_key_{};
  digest before_{};
  signature_chain chain_;
  content_seal seal_;
};

[[nodiscard]] result<signature_chain> read_signature_section(byte_span from, const limits& most = {},
                                                             std::uint64_t base_offset = 0);

// Checks that ticks rise, and every signature. Returns the link after each entry. malformed or
// checksum_mismatch, with the entry's number and tick. The caller decides whether to trust the key.
[[nodiscard]] result<std::vector<digest>> verify_chain_entries(const signature_chain& chain,
                                                               const chain_subject& subject);
// Checks that the chain ends with `total_ticks` and `final_state_hash`.
[[nodiscard]] result<void> verify_chain_end(const signature_chain& chain, std::uint64_t total_ticks,
                                            const digest& final_state_hash);

// Whether `signed_by` signed the message.
[[nodiscard]] bool holds(const signature& made, byte_span message, const public_key& signed_by) noexcept;

}  // namespace tickreel::icrep
