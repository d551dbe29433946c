// Signs state hashes while a match is recorded.
#pragma once

#include "tickreel/icrep/signature.hpp"

namespace tickreel::game {

class match_signer {
 public:
  match_signer(std::span<const std::byte, 32> key_seed, const icrep::chain_subject& subject,
               std::uint32_t interval_ticks) noexcept
      : chain_(key_seed, subject), interval_ticks_(interval_ticks) {}

  // The state hash of `tick`, when there is one: each interval's first is signed. Ticks that never came here
  // are said to be skipped.
  void frame(std::uint64_t tick, const icrep::digest* state_hash) {
    skipped_ += tick - next_tick_;
    next_tick_ = tick + 1;
    if (state_hash == nullptr || tick < due_) return;
    add(tick, *state_hash);
    due_ = (tick / interval_ticks_ + 1) * interval_ticks_;
  }
  [[nodiscard]] byte_vector finish(std::uint64_t total_ticks, const icrep::digest& final_state_hash) {
    add(total_ticks, final_state_hash);
    return chain_.section();
  }

 private:
  void add(std::uint64_t tick, const icrep::digest& state_hash) {
    const auto skipped = static_cast<std::uint32_t>(std::min<std::uint64_t>(skipped_, UINT32_MAX));
    // Ticks rise here, so there is nothing that it could refuse.
    (void)chain_.add(tick, state_hash, skipped);
    skipped_ = 0;
  }

  icrep::chain_signer chain_;
  std::uint64_t interval_ticks_;
  std::uint64_t next_tick_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t due_ = 0;
};

}  // namespace tickreel::game
