// Deltas between snapshots: creates them so that every reader gets the same state, and applies them.
//
// The format's documents permit two readings: a delta depends on the last full keyframe, or on the keyframe
// before it. delta_group writes deltas that give the same state in both: each depends on the group's full
// keyframe, values are absolute, and every later delta of the group repeats what an earlier one mentions.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/icrep/digest.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/icrep/schema.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// A full keyframe and the deltas up to the next. Begin one once the full keyframe is in the file; the loss of
// a delta has no effect on others. Holds a copy of the keyframe. One thread at a time.
class delta_group {
 public:
  // The state hash is the game's own, or core_hash(). invalid_argument for an inconsistent snapshot or one
  // that does not match the slots, over_limit for one that readers would reject.
  static result<delta_group> begin(sim_snapshot full, const digest& state_hash, const slot_table& slots);
  static result<delta_group> begin(sim_snapshot full, const slot_table& slots);

  // The next keyframe of the group. unsupported_operation if a delta cannot express the changes since the
  // full keyframe: another map or seed, a removed player, cell, campaign or script state, a changed string,
  // more changes than readers accept. Then write a full keyframe. Otherwise fails like begin(), and with
  // invalid_argument for a tick that is not later.
  result<delta_snapshot> delta(const sim_snapshot& now);

  [[nodiscard]] const sim_snapshot& full() const noexcept { return full_; }

 private:
  // What earlier deltas mentioned of an entity: these slots, or the whole entity.
  struct entity_mention {
    unit_tag entity;
    std::uint64_t slots = 0;
    bool is_new = false;
  };
  struct player_mention {
    std::uint32_t player = 0;
    std::uint32_t slots = 0;
  };

  delta_group() = default;
  result<void> add_entities(const sim_core_snapshot& now, sim_core_delta& out);
  result<void> add_entity(const entity_snapshot* before, entity_mention& said, const entity_snapshot& now,
                          std::vector<entity_delta>& out) const;
  result<void> add_world(const sim_core_snapshot& now, sim_core_delta& out);
  result<void> add_players(const sim_core_snapshot& now, sim_core_delta& out);
  result<void> add_cells(const sim_core_snapshot& now, sim_core_delta& out);

  sim_snapshot full_;
  digest full_hash_{};
  slot_table slots_;
  std::uint64_t last_tick_ = 0;
  std::vector<entity_mention> entities_;  // ascending, like the next two
  std::vector<player_mention> players_;
  std::vector<cell_position> cells_;
  std::uint64_t world_slots_ = 0;
  bool campaign_ = false;
  bool script_ = false;
};

// Changes `state` to that at the delta's tick. The caller checks tick and hash of the baseline. malformed if
// the delta does not match the state or the slots, over_limit for too many entities; then `state` is
// undefined.
result<void> apply(sim_core_snapshot& state, const sim_core_delta& delta, const slot_table& slots,
                   const limits& most = {});

}  // namespace tickreel::icrep
