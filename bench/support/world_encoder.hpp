// Worlds as frames: what a game does with sdk/describe that has its world in arrays.
//
//   keyframe   every placement, then every condition
//   delta      for placements, then conditions: a record for each that changed, then a 0
//   record     LEB128: zigzag of the distance to the place before, never 0; LEB128: mask of its fields;
//              those fields, whole
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tickreel/bytes/varint.hpp"
#include "tickreel/describe/changes.hpp"
#include "tickreel/describe/component.hpp"
#include "tickreel/record/encoder.hpp"
#include "worlds.hpp"

namespace tickreel::bench {

// Holds the baseline. One thread at a time.
class world_frames {
 public:
  explicit world_frames(std::size_t entities) : placements_(entities), conditions_(entities) {}

  [[nodiscard]] std::size_t max_frame_size() const noexcept {
    return placements_.size() * (component_size<placement> + component_size<condition> + 16) + 2;
  }

  void keyframe(std::span<const placement> placements, std::span<const condition> conditions,
                byte_writer& out) noexcept {
    write_all(placements, placements_, out);
    write_all(conditions, conditions_, out);
  }
  // Finds the changes by reading the whole world.
  void compared(std::span<const placement> placements, std::span<const condition> conditions,
                byte_writer& out) noexcept {
    write_compared(placements, placements_, out);
    write_compared(conditions, conditions_, out);
  }
  // Receives the changes and compares nothing.
  void marked(std::span<const placement> placements, std::span<const condition> conditions,
              const change_list& changes, byte_writer& out) noexcept {
    write_marked(placements, placements_, changes, placement_slot, out);
    write_marked(conditions, conditions_, changes, condition_slot, out);
  }

 private:
  template <class Component>
  static void write_all(std::span<const Component> now, std::vector<Component>& before,
                        byte_writer& out) noexcept {
    for (const Component& each : now) out.bytes(to_component_bytes(each));
    std::copy(now.begin(), now.end(), before.begin());
  }

  template <class Component>
  static void write_compared(std::span<const Component> now, std::vector<Component>& before,
                             byte_writer& out) noexcept {
    std::size_t previous = static_cast<std::size_t>(-1);
    compare_records(std::as_bytes(std::span(before)), std::as_bytes(now), sizeof(Component),
                    [&](std::size_t at) { write_record(at, previous, now[at], before[at], out); });
    write_leb128(out, 0);
  }
  template <class Component>
  static void write_marked(std::span<const Component> now, std::vector<Component>& before,
                           const change_list& changes, unsigned slot, byte_writer& out) noexcept {
    std::size_t previous = static_cast<std::size_t>(-1);
    for (const std::uint32_t at : changes.entities()) {
      if (changes.is_marked(at, slot)) write_record(at, previous, now[at], before[at], out);
    }
    write_leb128(out, 0);
  }
  template <class Component>
  static void write_record(std::size_t at, std::size_t& previous, const Component& now, Component& before,
                           byte_writer& out) noexcept {
    const std::uint64_t mask = change_mask(before, now);
    write_leb128(out, zigzag_encode(static_cast<std::int64_t>(at - previous)));
    write_leb128(out, mask);
    unsigned bit = 0;
    visit_fields(now, [&](std::string_view, const auto& field) {
      if ((mask >> bit++ & 1) != 0) out.bytes(to_component_bytes(field));
    });
    previous = at;
    before = now;
  }

  std::vector<placement> placements_;
  std::vector<condition> conditions_;
};

// The same for a recorder, which has copies of the whole world and compares.
template <std::size_t Entities>
class world_encoder {
 public:
  using state_type = world_state<Entities>;
  static constexpr std::string_view encoder_name = "bench_world";
  static constexpr std::uint32_t encoder_version = 1;

  [[nodiscard]] std::size_t max_frame_size() const noexcept { return frames_.max_frame_size(); }
  [[nodiscard]] bool needs_keyframe(const state_type&) const noexcept { return false; }
  void encode(const state_type& from, frame_kind kind, byte_writer& out) noexcept {
    if (kind == frame_kind::keyframe) {
      frames_.keyframe(from.placements, from.conditions, out);
    } else {
      frames_.compared(from.placements, from.conditions, out);
    }
  }

 private:
  world_frames frames_{Entities};
};

}  // namespace tickreel::bench
