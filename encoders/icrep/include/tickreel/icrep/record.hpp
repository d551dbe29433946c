// Records: analysis events and voice, each preceded by its length, so that readers skip unknown ones.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "tickreel/analysis/event.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// The players' voice, as Opus packets.
namespace voice {

struct to_player {
  std::uint32_t player = 0;
  bool operator==(const to_player&) const = default;
};
TICKREEL_DESCRIBE(to_player, player);
using target = std::variant<order::to_all, order::to_team, to_player>;

struct frame {
  std::uint32_t player = 0;
  std::uint64_t tick = 0;
  voice::target target;
  byte_vector opus;
  bool operator==(const frame&) const = default;
};
TICKREEL_DESCRIBE(frame, player, tick, target, opus);

// A recorded player, and whether that player consented.
struct track {
  std::uint32_t player = 0;
  std::uint32_t consented = 0;
  bool operator==(const track&) const = default;
};
TICKREEL_DESCRIBE(track, player, consented);

using record = std::variant<track, frame>;

}  // namespace voice

// BC1 of one event, without its length. The flag `derived` is not written.
void append_event(byte_vector& out, const analysis::event& happened);
// Empty for an event that is newer than this code.
[[nodiscard]] result<std::optional<analysis::event>> read_event(byte_span input, const limits& most = {},
                                                                std::uint64_t base_offset = 0);

// A game's own event; readers that do not know it skip it. `number` is the game's, from 0.
struct game_event {
  std::uint32_t number = 0;
  std::uint64_t tick = 0;
  byte_vector content;  // as described by the game in the metadata
};
inline constexpr std::uint32_t first_game_event_type = 0x8000'0000;
// u32 type, u64 tick, u64 length, content: compatible with BC1.
void append_game_event(byte_vector& out, std::uint32_t number, std::uint64_t tick, byte_span content);
// Reads a record with at least that type.
[[nodiscard]] result<game_event> read_game_event(byte_span input, const limits& most = {},
                                                 std::uint64_t base_offset = 0);

// malformed or over_limit for an event that readers reject, also for a game's own. Newer types are accepted.
[[nodiscard]] result<void> check_event(byte_span record, const limits& most = {},
                                       std::uint64_t base_offset = 0);

void append_voice(byte_vector& out, const voice::record& said);
[[nodiscard]] result<voice::record> read_voice(byte_span input, const limits& most = {},
                                               std::uint64_t base_offset = 0);

// Writes records as event blocks (at most 64 KiB or 256 ticks) or voice blocks. One thread at a time.
class record_stream_writer {
 public:
  static record_stream_writer events(bool compress = true) noexcept {
    return record_stream_writer(block_kind::events, compress);
  }
  static record_stream_writer voice_frames(bool compress = true) noexcept {
    return record_stream_writer(block_kind::voice, compress);
  }

  // Ticks never fall, otherwise invalid_argument; over_limit for a record larger than a block, and both for
  // one that readers would reject (entry.hpp). wrong_state for records of the other stream.
  result<void> add(const analysis::event& happened, byte_vector& out);
  // Adds an encoded event, also of a type that only a game or a newer program knows: malformed without type
  // and tick, and for an unreadable event of a known type.
  result<void> add_encoded_event(byte_span record, byte_vector& out);
  // A track's tick is that of the record before it.
  result<void> add(const voice::record& said, byte_vector& out);
  result<void> flush(byte_vector& out) { return blocks_.flush(out); }
  result<void> finish(byte_vector& out) { return blocks_.finish(out); }

 private:
  record_stream_writer(block_kind kind, bool compress) noexcept
      : kind_(kind), blocks_(kind, {256, 64u << 10, compress}) {}
  result<void> add_encoded(std::uint64_t tick, byte_vector& out);

  block_kind kind_;
  block_stream_writer blocks_;
  byte_vector encoded_;
  std::uint64_t tick_ = 0;
};

}  // namespace tickreel::icrep
