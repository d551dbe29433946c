// Signs state hashes, and everything recorded, while a match is recorded.
#pragma once

#include "match_frame.hpp"
#include "tickreel/icrep/embedded.hpp"
#include "tickreel/icrep/signature.hpp"

namespace tickreel::game {

class match_signer {
 public:
  match_signer(std::span<const std::byte, 32> key_seed, const icrep::chain_subject& subject,
               std::uint32_t interval_ticks) noexcept
      : chain_(key_seed, subject), interval_ticks_(interval_ticks) {}

  // Adds a frame of the reel, by its items, and the state hash of `tick`, if it has one: the first of each
  // interval is signed, with everything before it. Missing ticks are marked as skipped.
  void frame(std::uint64_t tick, const icrep::digest* state_hash, const icrep::digest& orders,
             const icrep::digest* keyframe) {
    skipped_ += tick - next_tick_;
    next_tick_ = tick + 1;
    if (state_hash != nullptr && tick >= due_) {
      add(tick, *state_hash);
      due_ = (tick / interval_ticks_ + 1) * interval_ticks_;
    }
    content_.add(icrep::content_stream::orders, orders);
    if (keyframe != nullptr) content_.add(icrep::content_stream::keyframes, *keyframe);
  }
  // Adds an event or a voice record that will be in the reel before the next item.
  void record(icrep::content_stream stream, byte_span bytes) {
    content_.add(stream, icrep::record_item(bytes));
  }

  // Passes each new signed_entry to the callback.
  template <class Visit>
  void visit_new_entries(Visit&& visit) {
    const auto& chain = chain_.chain();
    for (; reported_ < chain.chain.size(); ++reported_) {
      visit(signed_entry{static_cast<std::uint32_t>(reported_), chain.chain[reported_],
                         chain_.seal().entries[reported_], chain.relay_public_key});
    }
  }

  // Adds the last entry and the end, over everything added, to `end`, which is complete otherwise.
  void finish(match_end& end) {
    add(end.total_ticks, end.final_state_hash);
    const auto resources = icrep::with_seal(end.embedded, &chain_.seal());
    if (!resources) return;
    chain_.seal_end(content_,
                    {end.total_ticks, end.final_state_hash, end.lost_frame_count, end.incomplete,
                     icrep::sha256(end.metadata_json), icrep::sha256(icrep::without_seal(*resources))});
    end.signature = chain_.section();
    if (auto sealed = icrep::with_seal(*resources, &chain_.seal())) end.embedded = std::move(*sealed);
  }

 private:
  void add(std::uint64_t tick, const icrep::digest& state_hash) {
    const auto skipped = static_cast<std::uint32_t>(std::min<std::uint64_t>(skipped_, UINT32_MAX));
    // Ticks increase here, so it cannot fail.
    (void)chain_.add(tick, state_hash, skipped, content_);
    skipped_ = 0;
  }

  icrep::chain_signer chain_;
  icrep::content_mark content_;
  std::size_t reported_ = 0;
  std::uint64_t interval_ticks_;
  std::uint64_t next_tick_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t due_ = 0;
};

}  // namespace tickreel::game
