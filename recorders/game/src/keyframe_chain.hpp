// Keyframes as what changed since the keyframe before: what a match's reel has between two whole ones. A
// frame says them in a part of its own (match_frame.hpp):
//
//   chain   = u8 flags: bit 0, the state hashes of these keyframes are those of their cores, and not the
//   game's
//             | varint: ticks since the keyframe before
//             | varint length | BC1 of a delta_snapshot, whose baseline is zeros: entities that came, went,
//             or
//               changed in more than values of known size; players, the world, cells, texts. Nothing, if
//               there is none of that
//             | the rest: values of known size that changed (tickreel/tracks/changes.hpp). A record is an
//               entity, by its place among those that are there then; its kind is the component, by its place
//               among those of known size
//
// The other deltas of the format (delta_group) mention until the next whole keyframe whatever changed once.
// They come back out of a chain as its recorder would have written them.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "match_frame.hpp"
#include "tickreel/game/world_layout.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/tracks/changes.hpp"
#include "world_mirror.hpp"

namespace tickreel::game {

// The components of known size.
struct chained_components {
  static constexpr std::uint8_t none = 0xFF;
  std::vector<tracks::shape> shapes;
  std::vector<std::uint8_t> slots;        // of each shape
  std::array<std::uint8_t, 64> kinds{};   // of each slot, or `none`
  std::array<std::uint32_t, 64> sizes{};  // of each slot; 0: it says so itself

  explicit chained_components(const icrep::metadata& facts);
  // Where that slot is in the bytes of an entity that has it.
  [[nodiscard]] std::size_t offset(const icrep::entity_snapshot& in, unsigned slot) const noexcept;
};

// On the writer's thread. Holds what a reader has.
class keyframe_chain_writer {
 public:
  keyframe_chain_writer(const icrep::metadata& facts, const icrep::slot_table& slots);

  // Whether there is something to go on from.
  [[nodiscard]] bool has_base() const noexcept { return base_.has_value(); }
  void drop() noexcept { base_.reset(); }
  // The next ones stand on this whole keyframe.
  void begin(icrep::sim_snapshot whole);
  // The next keyframe, appended to `out`. unsupported_operation where only a whole one can say it; that, and
  // every other failure, leaves no base.
  result<void> add(const world_mirror& now, std::uint64_t tick, bool hash_is_made, byte_vector& out);
  // What a reader has now.
  [[nodiscard]] const icrep::sim_snapshot& state() const noexcept { return *base_; }
  // As BC1.
  [[nodiscard]] std::uint64_t state_bytes() const noexcept { return state_bytes_; }
  // What the last keyframe takes in a file at most: there deltas mention what those before them did.
  [[nodiscard]] std::uint64_t file_bytes() const noexcept {
    return std::min(mentioned_bytes_, 2 * state_bytes_);
  }

 private:
  struct change {
    std::size_t entity;  // in now_
    std::uint8_t kind;
  };
  void find(const world_mirror& now);
  void look_at(const icrep::entity_snapshot* before, const icrep::entity_snapshot* now);
  [[nodiscard]] bool only_values_changed(const icrep::entity_snapshot& before,
                                         const icrep::entity_snapshot& now);
  result<void> add_rest(const world_mirror& now, std::uint64_t tick, byte_vector& out);
  void add_values(byte_vector& out);

  chained_components known_;
  icrep::slot_table slots_;
  tracks::change_writer writer_;
  std::optional<icrep::sim_snapshot> base_;
  std::uint64_t state_bytes_ = 0;
  // Of each entity the components of which a file's delta would tell; since the whole keyframe.
  std::map<analysis::unit_tag, std::uint64_t> mentioned_;
  std::uint64_t mentioned_bytes_ = 0;
  std::vector<analysis::unit_tag> tags_;
  icrep::entity_snapshot one_;
  std::vector<icrep::entity_snapshot> now_;
  std::vector<change> changes_;
  // Entities of which more changed.
  std::vector<icrep::entity_snapshot> others_before_;
  std::vector<icrep::entity_snapshot> others_now_;
  std::vector<tracks::record_change> records_;
};

// What the links of a reel may cost. A link of a few bytes, repeated next to nothing when compressed, is all
// of a keyframe in a file, and all of a world to look through for it.
struct chain_limits {
  // Of the keyframes that come of links, as BC1: as far as the offsets of one file reach. Recorders count the
  // same and end before (icrep::writer_file_limit_bytes).
  std::uint64_t made_bytes = UINT32_MAX;
  // Of the states that are looked through, the whole one and the present one for each link, as BC1, and as
  // many as take that long for texts, what changed, and models: 8 GiB, and 512 KiB for each byte of the reel.
  // A tick in which nothing happens takes 17 bytes there, enough for a world of 4 MiB, and 50,000 units of
  // two components are 2.5; a larger one takes so much as a whole keyframe that this is enough for hundreds
  // of links.
  std::uint64_t looked_through_bytes = UINT64_MAX;

  static chain_limits of(std::uint64_t reel_bytes) noexcept;
};

// The mirror, which gives keyframes as files have them.
class keyframe_chain_reader {
 public:
  keyframe_chain_reader(const icrep::metadata& facts, const chain_limits& most);

  // The limits are those of a walk.
  void begin_walk() noexcept;
  void drop() noexcept;
  // The keyframe before, if it was whole; `state_hash` of its tick's frame.
  void begin(const framed_keyframe& whole, std::uint64_t tick, std::optional<std::uint64_t> state_hash);
  // What a frame has of the next one, as a file would have it; its bytes until the next call. After a failure
  // there is nothing to go on from.
  result<framed_keyframe> next(byte_span chain, std::uint64_t tick, std::optional<std::uint64_t> state_hash);
  // That was for the limits: the next ones will fail as well.
  [[nodiscard]] bool is_spent() const noexcept { return is_spent_; }

 private:
  result<void> look_through(std::uint64_t bytes) noexcept;
  result<framed_keyframe> make(byte_span chain, std::uint64_t tick, std::optional<std::uint64_t> state_hash);
  result<void> start(bool hash_is_made);
  result<void> apply(byte_span chain, std::uint64_t tick);
  result<framed_keyframe> as_in_a_file(std::optional<std::uint64_t> state_hash, bool hash_is_made);

  chained_components known_;
  std::optional<icrep::slot_table> slots_;
  tracks::change_reader reader_;
  byte_vector whole_;  // not yet looked at
  std::optional<std::uint64_t> whole_hash_;
  bool has_whole_ = false;
  std::uint64_t tick_ = 0;  // of the keyframe before
  std::optional<icrep::sim_snapshot> state_;
  std::uint64_t state_bytes_ = 0;
  std::optional<icrep::delta_group> group_;
  std::uint64_t full_bytes_ = 0;
  byte_vector bytes_;
  chain_limits most_;
  std::uint64_t made_bytes_ = 0;
  std::uint64_t looked_through_bytes_ = 0;
  bool is_spent_ = false;
};

}  // namespace tickreel::game
