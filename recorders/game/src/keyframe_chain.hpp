// Keyframes as changes since the previous keyframe: the keyframes of a match's reel between two full ones. A
// frame stores them in a part of their own (match_frame.hpp):
//
//   chain   = u8 flags: bit 0, the state hashes of these keyframes are those of their cores, not the game's
//             | varint: ticks since the previous keyframe
//             | varint length | BC1 of a delta_snapshot whose baseline is zeros: entities that were added,
//               removed, or changed in other values than those of known size; players, the world, cells,
//               texts. Empty without such changes.
//             | the rest: values of known size that changed (tickreel/tracks/changes.hpp). A record is an
//               entity, by its index among the existing ones; its kind is the component, by its index among
//               those of known size.
//
// The other deltas of the format (delta_group) repeat every change until the next full keyframe. A reader of a
// chain restores them as the recorder would have written them.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "match_frame.hpp"
#include "tickreel/game/world_layout.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/tracks/changes.hpp"
#include "world_mirror.hpp"

namespace tickreel::game {

enum chain_flags : std::uint8_t { hash_is_made_flag = 1 };

// The components of known size.
struct chained_components {
  static constexpr std::uint8_t none = 0xFF;
  std::vector<tracks::shape> shapes;
  std::vector<std::uint8_t> slots;        // of each shape
  std::array<std::uint8_t, 64> kinds{};   // of each slot, or `none`
  std::array<std::uint32_t, 64> sizes{};  // of each slot; 0: the size is stored with the value

  explicit chained_components(const icrep::metadata& facts);
  // The offset of that slot in the bytes of an entity that has it.
  [[nodiscard]] std::size_t offset(const icrep::entity_snapshot& in, unsigned slot) const noexcept;
};

// Runs on the writer's thread. Holds the state that a reader has.
class keyframe_chain_writer {
 public:
  keyframe_chain_writer(const icrep::metadata& facts, const icrep::slot_table& slots);

  // Whether there is a baseline for the next link.
  [[nodiscard]] bool has_base() const noexcept { return base_.has_value(); }
  void drop() noexcept { base_.reset(); }
  // The next links depend on this full keyframe.
  void begin(icrep::sim_snapshot whole);
  // Appends the next keyframe to `out`. unsupported_operation if only a full one can express it. After this
  // and any other failure there is no baseline.
  result<void> add(const world_mirror& now, std::uint64_t tick, bool hash_is_made, byte_vector& out);
  // The state that a reader has now.
  [[nodiscard]] const icrep::sim_snapshot& state() const noexcept { return *base_; }
  // The size as BC1.
  [[nodiscard]] std::uint64_t state_bytes() const noexcept { return state_bytes_; }
  // The largest size of the last keyframe in a file, where deltas repeat what earlier ones mentioned.
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
  // For each entity, the components that a file's delta would mention, since the full keyframe.
  std::map<analysis::unit_tag, std::uint64_t> mentioned_;
  std::uint64_t mentioned_bytes_ = 0;
  std::vector<analysis::unit_tag> tags_;
  icrep::entity_snapshot one_;
  std::vector<icrep::entity_snapshot> now_;
  std::vector<change> changes_;
  // Entities with other changes.
  std::vector<icrep::entity_snapshot> others_before_;
  std::vector<icrep::entity_snapshot> others_now_;
  std::vector<tracks::record_change> records_;
};

// Limits of the links in a reel. A link of a few bytes, or almost none if repeated and compressed, can become
// a whole keyframe in a file, and requires reading a whole world.
struct chain_limits {
  // Bytes of keyframes that come from links, as BC1: the range of one file's offsets. Recorders count the
  // same and end before (icrep::writer_file_limit_bytes).
  std::uint64_t made_bytes = UINT32_MAX;
  // Bytes of states that are read, the full and the current one for each link, as BC1, and the equivalent time
  // for texts, changes and models: 8 GiB, and 512 KiB for each byte of the reel. An empty tick takes 17 bytes
  // there, which allows a world of 4 MiB; 50,000 units of two components take 2.5 MiB. The full keyframe of a
  // larger world is so large that this allows hundreds of links.
  std::uint64_t looked_through_bytes = UINT64_MAX;

  static chain_limits of(std::uint64_t reel_bytes) noexcept;
};

// The counterpart, which returns keyframes as files have them.
class keyframe_chain_reader {
 public:
  keyframe_chain_reader(const icrep::metadata& facts, const chain_limits& most);

  // The limits apply to one scan.
  void begin_scan() noexcept;
  void drop() noexcept;
  // The previous keyframe, if it was full; `state_hash` of its tick's frame.
  void begin(const framed_keyframe& whole, std::uint64_t tick, std::optional<std::uint64_t> state_hash);
  // The next keyframe of a frame, as a file has it; its bytes are valid until the next call. After a failure
  // there is no baseline.
  result<framed_keyframe> next(byte_span chain, std::uint64_t tick, std::optional<std::uint64_t> state_hash);
  // The limits are exceeded: the next links will fail too.
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
  byte_vector whole_;  // not parsed yet
  std::optional<std::uint64_t> whole_hash_;
  bool has_whole_ = false;
  std::uint64_t tick_ = 0;  // of the previous keyframe
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
