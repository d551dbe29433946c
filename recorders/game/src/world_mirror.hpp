// The world on the writer side: updated by the notes of keyframes, and converted to snapshots.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tick_notes.hpp"
#include "tickreel/icrep/schema.hpp"
#include "tickreel/icrep/snapshot.hpp"

namespace tickreel::game {

class world_mirror {
 public:
  world_mirror(const icrep::schema& known, std::uint64_t seed, const icrep::digest& map_hash);

  // A keyframe's notes follow. `whole`: anything that they do not mention is removed.
  void begin(bool whole);
  // Applies a note whose kind has been read.
  void apply(note kind, byte_reader& in);

  [[nodiscard]] icrep::sim_snapshot snapshot(std::uint64_t tick) const;

  // Since begin(): whether everything may have changed, else the mentioned entities, in any order, and
  // whether anything else changed.
  [[nodiscard]] bool is_whole() const noexcept { return whole_; }
  [[nodiscard]] const std::vector<analysis::unit_tag>& touched() const noexcept { return touched_; }
  [[nodiscard]] bool rest_changed() const noexcept { return whole_ || rest_changed_; }

  // Parts of snapshot(), without the world entity.
  [[nodiscard]] std::size_t entity_count() const noexcept { return entities_.size(); }
  [[nodiscard]] std::size_t text_count() const noexcept { return texts_.size(); }
  // False if it does not exist. Reuses the memory of `out`.
  [[nodiscard]] bool entity_at(analysis::unit_tag tag, icrep::entity_snapshot& out) const;
  // each(entity), by tag; `room` is reused for every entity.
  template <class Each>
  void each_entity(icrep::entity_snapshot& room, Each&& each) const {
    for (const auto& [tag, content] : entities_) {
      flatten(tag, content, room);
      each(room);
    }
  }
  // The content of snapshot() beside entities, with only the world entity.
  [[nodiscard]] icrep::sim_snapshot rest(std::uint64_t tick) const;

 private:
  using slots = std::map<std::uint32_t, byte_vector>;
  struct entity {
    std::uint32_t archetype = 0;
    slots components;
  };
  struct cell {
    std::uint32_t terrain = 0;
    std::int32_t amount = 0;
  };
  struct flat {
    std::uint64_t mask = 0;
    byte_vector bytes;
  };
  static void flatten(const slots& from, std::uint64_t variable, std::uint64_t& mask, byte_vector& bytes);
  static flat flatten(const slots& from, std::uint64_t variable) {
    flat out;
    flatten(from, variable, out.mask, out.bytes);
    return out;
  }
  void flatten(analysis::unit_tag tag, const entity& content, icrep::entity_snapshot& out) const;
  void assign_rest(byte_vector& to, byte_reader& in);

  std::uint64_t seed_;
  icrep::digest map_hash_;
  // Bit n: slot n has no fixed size.
  std::uint64_t variable_components_ = 0;
  std::uint64_t variable_fields_ = 0;
  std::uint64_t variable_singletons_ = 0;
  std::vector<std::string> texts_;
  std::map<analysis::unit_tag, entity> entities_;
  std::map<std::uint32_t, slots> players_;
  std::map<icrep::cell_position, cell> cells_;
  slots singletons_;
  byte_vector generator_;
  entity* current_ = nullptr;  // whose components follow
  bool whole_ = false;
  bool rest_changed_ = false;
  std::vector<analysis::unit_tag> touched_;
};

}  // namespace tickreel::game
