// The seal covers what a chain of state hashes does not: orders, events, voice, texts, deltas, metadata, and the
// end of the recording. It signs, with the same key, a running hash over everything recorded at each entry of the
// chain, and at the end the whole.
//
//   item     = an order frame, or an event or voice record with its length, as blocks hold them decompressed;
//              for a keyframe u64 tick | u8 full | BC1 of the snapshot or delta
//   running  = SHA-256(running before | SHA-256(item)), zeros at first; one for each of the four streams
//   content  = u32 frames | u32 keyframes | u32 events | u32 voice records | the four running hashes
//   entry n  = signature of "ICRP-SEAL-v1" 00 | u64 n | link | content
//   end      = signature of "ICRP-SEAL-END-v1" 00 | u64 entries | last link | content | u64 total ticks
//              | final state hash | u32 lost frames | u8 incomplete | SHA-256 of the metadata
//              | SHA-256 of the embedded resources without the seal
//
// `link` is the input of the chain's next signature, so a seal belongs to one chain only. Blocks and
// compression are not covered: a file that is compressed again stays sealed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/icrep/digest.hpp"

namespace tickreel::icrep {

// Ed25519.
using public_key = std::array<std::byte, 32>;
using signature = std::array<std::byte, 64>;

enum class content_stream : std::uint8_t { orders, keyframes, events, voice };
inline constexpr std::size_t content_streams = 4;

// The number of recorded items, and their running hashes.
struct content_mark {
  std::array<std::uint32_t, content_streams> counts{};
  std::array<digest, content_streams> hashes{};
  // Adds an item of a stream.
  void add(content_stream stream, const digest& item) noexcept;
};

// Digests of items. A record's bytes exclude its length.
[[nodiscard]] digest frame_item(byte_span frame) noexcept;
[[nodiscard]] digest record_item(byte_span record) noexcept;
[[nodiscard]] digest keyframe_item(std::uint64_t tick, bool full, byte_span raw) noexcept;

struct seal_entry {
  std::uint32_t frames = 0;
  std::uint32_t keyframes = 0;
  std::uint32_t events = 0;
  std::uint32_t voice = 0;
  signature relay_sig{};
  bool operator==(const seal_entry&) const = default;
  [[nodiscard]] std::array<std::uint32_t, content_streams> counts() const noexcept {
    return {frames, keyframes, events, voice};
  }
};
TICKREEL_DESCRIBE(seal_entry, frames, keyframes, events, voice, relay_sig);

struct content_seal {
  std::vector<seal_entry> entries;  // one for each of the chain
  std::optional<seal_entry> end;    // empty: the recorder never reached the end
  bool operator==(const content_seal&) const = default;
};
TICKREEL_DESCRIBE(content_seal, entries, end);

// The content of the end besides the items.
struct recording_end {
  std::uint64_t total_ticks = 0;
  digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;
  digest metadata{};   // SHA-256 of the section
  digest resources{};  // SHA-256 of the embedded section without the seal
};

// The signed message. `link` is chain_next() of the entry, or of the last one.
[[nodiscard]] byte_vector seal_message(std::uint64_t number, const digest& link, const content_mark& content);
[[nodiscard]] byte_vector seal_end_message(std::uint64_t entries, const digest& link,
                                           const content_mark& content, const recording_end& end);

// Finds the running hashes at the entries, while items are added.
class mark_finder {
 public:
  explicit mark_finder(const content_seal& seal);
  void add(content_stream stream, const digest& item);
  // False if the content has fewer items than the entry states, or an earlier entry states more.
  [[nodiscard]] bool find(std::size_t entry, content_mark& out) const;
  // All items added.
  [[nodiscard]] const content_mark& content() const noexcept { return now_; }

 private:
  struct stream_marks {
    std::vector<std::uint32_t> counts;
    std::vector<digest> hashes;  // at each requested count
  };
  void pass(std::size_t stream);

  content_mark now_;
  std::array<stream_marks, content_streams> streams_;
};

}  // namespace tickreel::icrep
