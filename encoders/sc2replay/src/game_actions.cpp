#include "tickreel/sc2replay/game_actions.hpp"

#include <algorithm>

#include "layout_slots.inc"

namespace tickreel::sc2replay {

namespace {

constexpr std::uint32_t first_base_build_of_choices = 16561;

template <class T>
T value(const game_event& from, unsigned slot) noexcept {
  return static_cast<T>(from.slot(slot));
}

template <class T>
std::optional<T> maybe(const game_event& from, unsigned slot) noexcept {
  if (!from.has(slot)) return std::nullopt;
  return value<T>(from, slot);
}

map_point point_at(const game_event& from, unsigned x, double scale = point_scale) noexcept {
  return {value<double>(from, x) / scale, value<double>(from, x + 1) / scale};
}

std::span<const std::uint32_t> list_at(const game_event& from, unsigned slot) noexcept {
  if (!from.has(slot)) return {};
  const auto packed = value<std::uint64_t>(from, slot);
  return std::span(from.list).subspan(static_cast<std::size_t>(packed >> 16), packed & 0xFFFF);
}

bit_view bits_at(const game_event& from, unsigned slot) noexcept {
  if (!from.has(slot)) return {};
  const auto packed = value<std::uint64_t>(from, slot);
  packed_reader bits(from.bytes);
  bits.skip_bits((packed >> 16) - from.offset * 8);
  return {bits, static_cast<unsigned>(packed & 0xFFFF)};
}

// Before 1.1 there is only a mask; later there is a choice.
selection_mask mask_at(const game_event& from, unsigned choice, unsigned mask, unsigned one_indices,
                       unsigned zero_indices) noexcept {
  if (!from.has(choice)) return {};
  if (from.base_build < first_base_build_of_choices) return {unit_choice::mask, bits_at(from, choice), {}};
  const auto which = value<unit_choice>(from, choice);
  switch (which) {
    case unit_choice::none:
      return {};
    case unit_choice::mask:
      return {which, bits_at(from, mask), {}};
    case unit_choice::one_indices:
      return {which, {}, list_at(from, one_indices)};
    case unit_choice::zero_indices:
      return {which, {}, list_at(from, zero_indices)};
  }
  return {};
}

// The fields of a unit target have the same order in all events, except for the players.
unit_target target_at(const game_event& from, unsigned flags, std::optional<std::uint8_t> control_player,
                      std::optional<std::uint8_t> upkeep_player, unsigned x) noexcept {
  unit_target out;
  out.flags = value<std::uint16_t>(from, flags);
  out.timer = value<std::uint8_t>(from, flags + 1);
  out.unit = {value<std::uint32_t>(from, flags + 2)};
  out.unit_link = value<std::uint16_t>(from, flags + 3);
  out.control_player = control_player;
  out.upkeep_player = upkeep_player;
  out.place = point_at(from, x);
  return out;
}

// Before 1.1: every field is present, with meaningless values for absent ones.
void read_fixed_command(const game_event& from, command& out) noexcept {
  namespace at = slots::game::command;
  constexpr std::uint16_t no_ability = 0xFFFF;
  if (const auto link = value<std::uint16_t>(from, at::ability_link); link != no_ability) {
    out.ability = ability{link, value<std::uint8_t>(from, at::ability_command_index),
                          value<std::uint8_t>(from, at::ability_command_data)};
  }
  const auto other = value<std::uint32_t>(from, at::other_unit);
  if (other != 0) out.other_unit = unit_tag{other};
  const map_point place = point_at(from, at::target_point_x);
  const unit_tag unit{value<std::uint32_t>(from, at::target_unit_tag)};
  if (unit.value != 0) {
    out.unit = unit_target{value<std::uint16_t>(from, at::target_unit_flags),
                           value<std::uint8_t>(from, at::target_unit_timer),
                           unit,
                           value<std::uint16_t>(from, at::target_unit_snapshot_unit_link),
                           maybe<std::uint8_t>(from, at::target_unit_snapshot_player_id),
                           std::nullopt,
                           place};
  } else if (place.x != 0 || place.y != 0) {
    out.point = place;
  }
}

}  // namespace

bool read_command(const game_event& from, command& out) noexcept {
  namespace at = slots::game::command;
  static_assert(at::data_target_unit_tag == at::data_target_unit_target_unit_flags + 2 &&
                at::data_target_unit_snapshot_unit_link == at::data_target_unit_target_unit_flags + 3);
  if (from.kind != game_event_kind::command) return false;
  out = {};
  out.flags = value<std::uint32_t>(from, at::command_flags);
  if (from.base_build < first_base_build_of_choices) {
    read_fixed_command(from, out);
    return true;
  }
  if (from.has(at::ability_ability_link)) {
    out.ability = ability{value<std::uint16_t>(from, at::ability_ability_link),
                          value<std::uint8_t>(from, at::ability_ability_command_index),
                          maybe<std::uint8_t>(from, at::ability_ability_command_data)};
  }
  if (from.has(at::data_target_point_x)) out.point = point_at(from, at::data_target_point_x);
  if (from.has(at::data_target_unit_tag)) {
    const bool one_player = from.has(at::data_target_unit_snapshot_player_id);
    out.unit =
        target_at(from, at::data_target_unit_target_unit_flags,
                  maybe<std::uint8_t>(from, one_player ? at::data_target_unit_snapshot_player_id
                                                       : at::data_target_unit_snapshot_control_player_id),
                  maybe<std::uint8_t>(from, at::data_target_unit_snapshot_upkeep_player_id),
                  at::data_target_unit_snapshot_point_x);
  }
  out.data = maybe<std::uint32_t>(from, at::data_data);
  if (from.has(at::other_unit)) out.other_unit = unit_tag{value<std::uint32_t>(from, at::other_unit)};
  out.unit_group = maybe<std::uint32_t>(from, at::unit_group);
  out.sequence = maybe<std::uint64_t>(from, at::sequence);
  return true;
}

bool read_command_target(const game_event& from, command_target& out) noexcept {
  out = {};
  if (from.kind == game_event_kind::command_update_target_point) {
    out.point = point_at(from, slots::game::command_update_target_point::target_x);
    return true;
  }
  if (from.kind != game_event_kind::command_update_target_unit) return false;
  namespace at = slots::game::command_update_target_unit;
  out.unit = target_at(
      from, at::target_target_unit_flags, maybe<std::uint8_t>(from, at::target_snapshot_control_player_id),
      maybe<std::uint8_t>(from, at::target_snapshot_upkeep_player_id), at::target_snapshot_point_x);
  return true;
}

std::bitset<selection_limit> selection_mask::picks(std::size_t count) const noexcept {
  std::bitset<selection_limit> out;
  switch (choice) {
    case unit_choice::none:
      return out;
    case unit_choice::mask: {
      packed_reader from = bits.reader();
      for (unsigned done = 0; done < bits.size(); done += 8) {
        const unsigned width = std::min(8u, bits.size() - done);
        const std::uint64_t group = from.bits(width);
        for (unsigned i = 0; i < width; ++i) out[done + i] = (group >> i & 1) != 0;
      }
      break;
    }
    case unit_choice::one_indices:
    case unit_choice::zero_indices:
      for (const std::uint32_t index : indices) {
        if (index < out.size()) out.set(index);
      }
      if (choice == unit_choice::zero_indices) out.flip();
      break;
  }
  for (std::size_t i = count; i < out.size(); ++i) out.reset(i);
  return out;
}

bool selection_mask::exceeds(std::size_t count) const noexcept {
  if (choice == unit_choice::mask) return bits.size() > count;
  return std::ranges::any_of(indices, [count](std::uint32_t index) { return index >= count; });
}

subgroup selection_delta::subgroup_at(std::size_t index) const noexcept {
  const auto values = subgroup_values.subspan(index * values_per_subgroup, values_per_subgroup);
  subgroup out;
  out.unit_link = static_cast<std::uint16_t>(values.front());
  if (values.size() == 4) out.subgroup_priority = static_cast<std::uint8_t>(values[1]);
  out.intra_subgroup_priority = static_cast<std::uint8_t>(values[values.size() - 2]);
  out.count = static_cast<std::uint16_t>(values.back());
  return out;
}

bool read_selection_delta(const game_event& from, selection_delta& out) noexcept {
  if (from.kind != game_event_kind::selection_delta) return false;
  namespace at = slots::game::selection_delta;
  constexpr std::uint32_t first_base_build_of_subgroup_priorities = 23925;
  out.group = value<std::uint8_t>(from, at::control_group_id);
  out.subgroup_index = value<std::uint16_t>(from, at::delta_subgroup_index);
  out.removed = mask_at(from, at::delta_remove_mask, at::delta_remove_mask_mask,
                        at::delta_remove_mask_one_indices, at::delta_remove_mask_zero_indices);
  out.added = list_at(from, at::delta_add_unit_tags);
  out.subgroup_values = list_at(from, at::delta_add_subgroups);
  out.values_per_subgroup = from.base_build < first_base_build_of_subgroup_priorities ? 3 : 4;
  return true;
}

bool read_control_group_update(const game_event& from, control_group_update& out) noexcept {
  if (from.kind != game_event_kind::control_group_update) return false;
  namespace at = slots::game::control_group_update;
  out.group = value<std::uint8_t>(from, at::control_group_index);
  out.update = value<group_update>(from, at::control_group_update);
  out.left_out = mask_at(from, at::mask, at::mask_mask, at::mask_one_indices, at::mask_zero_indices);
  return true;
}

bool read_camera_update(const game_event& from, camera_update& out) noexcept {
  if (from.kind != game_event_kind::camera_update) return false;
  namespace at = slots::game::camera_update;
  constexpr std::uint32_t first_base_build_of_coarse_cameras = 15405;
  const double scale = from.base_build < first_base_build_of_coarse_cameras ? point_scale : camera_scale;
  out = {};
  if (from.has(at::target_x)) out.target = point_at(from, at::target_x, scale);
  if (from.has(at::distance)) out.distance = value<double>(from, at::distance) / scale;
  out.pitch = maybe<std::int32_t>(from, at::pitch);
  out.yaw = maybe<std::int32_t>(from, at::yaw);
  out.reason = maybe<std::int8_t>(from, at::reason);
  out.follow = from.has(at::follow) && from.slot(at::follow) != 0;
  return true;
}

}  // namespace tickreel::sc2replay
