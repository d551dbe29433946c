// A match in a reel. The encoder is "icrep"; the schema is the metadata (JSON) as they were at the start.
//
//   frame          = u8 parts: bit 0 orders, 1 full keyframe, 2 delta, 3 the keyframe as .icrep stores it,
//                              4 the delta as a chain
//                    | bit 1 or 2: u32 length | BC1 of the sim_snapshot or delta_snapshot
//                    | bit 1 or 2, with 3: u32 bytes of that BC1 | u64 tick of a delta's baseline, else 0
//                      | u32 length | the BC1, an LZ4 block unless both lengths are equal
//                    | bit 2, with 4: u32 length | changes since the previous keyframe (keyframe_chain.hpp)
//                    | bit 0: BC1 of the tick_frame
//                    A reel's keyframe is a frame with a full keyframe.
//   event          = type 0 to 20, the number of an analysis event: its BC1
//                    type 256: BC1 of a voice record
//                    type 257: BC1 of a signed_entry: signatures during the match, for when its end is lost
//                    type 258: JSON, the layout of an order or of a custom event (layout_json.hpp)
//                    type 2147483648 and above: a custom event of the game, as in .icrep
//   header update  = BC1 of a match_end, once, at the end; missing if the recorder died
//
// Version 1 has no bit 3. Recorders set it if the reel becomes an .icrep: publishing then only copies.
// Version 2 has no bit 4. Recorders set it if the reel stays a reel and is not signed: signatures cover deltas.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "tickreel/describe/describe.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/signature.hpp"
#include "tickreel/record/encoder.hpp"
#include "tickreel/reel/format.hpp"

namespace tickreel::game {

inline constexpr std::uint32_t voice_event_type = 256;
inline constexpr std::uint32_t described_event_type = 258;
// The size of an .icrep's block, including its overhead there.
inline constexpr std::size_t record_limit_bytes = 60u << 10;
inline constexpr std::uint32_t signature_event_type = 257;

enum frame_parts : std::uint8_t {
  orders_part = 1,
  full_part = 2,
  delta_part = 4,
  stored_part = 8,
  chain_part = 16
};

// A keyframe in a frame. `bytes` are its BC1, or its stored form in an .icrep, or a link of a chain; this
// type does not decode them.
struct framed_keyframe {
  bool full = false;
  bool stored = false;
  bool chained = false;
  std::uint32_t raw_bytes = 0;
  std::uint64_t baseline_tick = 0;  // of a delta
  byte_span bytes;
};
struct match_frame {
  std::optional<framed_keyframe> keyframe;
  byte_span orders;  // BC1 of the tick_frame; empty if there is none
};
// Points into `from`. False if it is not such a frame.
[[nodiscard]] bool read_match_frame(byte_span from, match_frame& out) noexcept;

// The same as consecutive parts of a frame.
class frame_writer {
 public:
  [[nodiscard]] std::span<const byte_span> parts(const match_frame& from) noexcept;

 private:
  std::array<std::byte, 1 + 4 + 8 + 4> head_{};
  std::array<byte_span, 3> parts_;
};

// Everything in a file except orders, keyframes and records.
struct match_end {
  byte_vector metadata_json;
  std::uint64_t total_ticks = 0;
  icrep::digest final_state_hash{};
  std::uint32_t lost_frame_count = 0;
  bool incomplete = false;
  byte_vector signature;
  byte_vector embedded;
};
TICKREEL_DESCRIBE(match_end, metadata_json, total_ticks, final_state_hash, lost_frame_count, incomplete,
                  signature, embedded);

// One entry of a match's signatures. The signed content is before it in the reel.
struct signed_entry {
  std::uint32_t number = 0;
  icrep::chain_entry entry;
  icrep::seal_entry seal;
  icrep::public_key signer{};
};
TICKREEL_DESCRIBE(signed_entry, number, entry, seal, signer);

// Times of ticks, by the match's own rate.
class match_clock {
 public:
  explicit match_clock(const icrep::metadata& facts);
  [[nodiscard]] frame_stamp stamp_of(std::uint64_t tick) const noexcept;
  // 0 if no reel supports that rate.
  [[nodiscard]] double ticks_per_second() const noexcept;

 private:
  double tick_us_ = 0;
};

// The schema of a match's reel.
[[nodiscard]] byte_vector match_schema(const icrep::metadata& facts);
[[nodiscard]] bool is_reel(byte_span file) noexcept;

}  // namespace tickreel::game
