// Game events as structs, the same for every build. Each read_*() uses data that game_event_reader has
// decoded. Only numbers are copied; views into the event or the stream are valid as long as they are. False
// if the event is of another kind.
#pragma once

#include <bitset>
#include <optional>
#include <span>

#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/units.hpp"

namespace tickreel::sc2replay {

// Bits in the order of the stream.
class bit_view {
 public:
  bit_view() noexcept = default;
  bit_view(packed_reader first, unsigned count) noexcept : first_(first), count_(count) {}
  [[nodiscard]] unsigned size() const noexcept { return count_; }
  [[nodiscard]] bool operator[](unsigned index) const noexcept {
    packed_reader at = first_;
    at.skip_bits(index);
    return at.flag();
  }
  // At the first bit.
  [[nodiscard]] const packed_reader& reader() const noexcept { return first_; }

 private:
  packed_reader first_;
  unsigned count_ = 0;
};

// The ability of an order. Numbers belong to one version of the game's data.
struct ability {
  std::uint16_t link = 0;
  std::uint8_t index = 0;  // index of the ability's command
  std::optional<std::uint8_t> data;
  // Combines both into one number.
  [[nodiscard]] std::uint32_t id() const noexcept { return std::uint32_t{link} << 5 | index; }
};

// The number of a right click, which names no ability: the beta stores it as such a link.
inline constexpr std::uint32_t right_click_ability_id = std::uint32_t{0xFFFF} << 5;

struct unit_target {
  std::uint16_t flags = 0;
  std::uint8_t timer = 0;
  unit_tag unit;
  std::uint16_t unit_link = 0;  // its type at the time of the order, in the game's data
  std::optional<std::uint8_t> control_player;
  std::optional<std::uint8_t> upkeep_player;
  map_point place;
};

namespace command_flags {
inline constexpr std::uint32_t alternate = 0x1;
inline constexpr std::uint32_t queued = 0x2;
inline constexpr std::uint32_t preempt = 0x4;
inline constexpr std::uint32_t smart_click = 0x8;  // a right click: no ability, the target decides
inline constexpr std::uint32_t smart_rally = 0x10;
inline constexpr std::uint32_t subgroup = 0x20;
inline constexpr std::uint32_t set_autocast = 0x40;
inline constexpr std::uint32_t autocast_on = 0x80;
inline constexpr std::uint32_t by_user = 0x100;
inline constexpr std::uint32_t is_order = 0x2000;
inline constexpr std::uint32_t minimap = 0x10000;
inline constexpr std::uint32_t repeat = 0x20000;
}  // namespace command_flags

struct command {
  std::uint32_t flags = 0;
  std::optional<sc2replay::ability> ability;
  // At most one of the three.
  std::optional<map_point> point;
  std::optional<unit_target> unit;
  std::optional<std::uint32_t> data;
  std::optional<unit_tag> other_unit;
  std::optional<std::uint32_t> unit_group;
  std::optional<std::uint64_t> sequence;  // from 3.0 on
};
[[nodiscard]] bool read_command(const game_event& from, command& out) noexcept;

// A later target of the user's last command: exactly one of both.
struct command_target {
  std::optional<map_point> point;
  std::optional<unit_target> unit;
};
[[nodiscard]] bool read_command_target(const game_event& from, command_target& out) noexcept;

// The maximum number of units of a mask or a list of indices.
inline constexpr std::size_t selection_limit = 512;

enum class unit_choice : std::uint8_t {
  none,
  mask,          // bit n: unit n
  one_indices,   // these
  zero_indices,  // all but these
};

// Some of the units of a selection, by their indices when its tags are in ascending order.
struct selection_mask {
  unit_choice choice = unit_choice::none;
  bit_view bits;
  std::span<const std::uint32_t> indices;

  // Bit n of the result: whether the mask contains the unit with index n, of `count` units. The game writes
  // masks as numbers of eight bits and a shorter last one, so a mask that does not begin at a byte boundary
  // has its bits in another order than the stream. This was found by following selections through whole
  // replays.
  [[nodiscard]] std::bitset<selection_limit> picks(std::size_t count) const noexcept;
  // Whether it contains indices that a selection of `count` units lacks.
  [[nodiscard]] bool exceeds(std::size_t count) const noexcept;
};

struct subgroup {
  std::uint16_t unit_link = 0;
  std::optional<std::uint8_t> subgroup_priority;  // from 2.0 on
  std::uint8_t intra_subgroup_priority = 0;
  std::uint16_t count = 0;
};

inline constexpr std::uint8_t active_selection = 10;

// A change of a user's selection or control group.
struct selection_delta {
  std::uint8_t group = active_selection;  // 0 to 9: a control group that the game itself updated
  std::uint16_t subgroup_index = 0;
  selection_mask removed;
  std::span<const std::uint32_t> added;  // values of unit_tag
  std::span<const std::uint32_t> subgroup_values;
  std::uint8_t values_per_subgroup = 3;
  [[nodiscard]] std::size_t subgroup_count() const noexcept {
    return subgroup_values.size() / values_per_subgroup;
  }
  [[nodiscard]] subgroup subgroup_at(std::size_t index) const noexcept;
};
[[nodiscard]] bool read_selection_delta(const game_event& from, selection_delta& out) noexcept;

enum class group_update : std::uint8_t { set, append, recall, clear, set_and_steal, append_and_steal };

struct control_group_update {
  std::uint8_t group = 0;
  group_update update = group_update::set;
  selection_mask left_out;
};
[[nodiscard]] bool read_control_group_update(const game_event& from, control_group_update& out) noexcept;

// Absent values are unchanged.
struct camera_update {
  std::optional<map_point> target;
  std::optional<double> distance;  // in map units
  // In the stream's own numbers; the beta's are 16 times finer.
  std::optional<std::int32_t> pitch;
  std::optional<std::int32_t> yaw;
  std::optional<std::int8_t> reason;
  bool follow = false;
};
[[nodiscard]] bool read_camera_update(const game_event& from, camera_update& out) noexcept;

}  // namespace tickreel::sc2replay
