// State of the bridge between events. Each take_*() appends the analysis events that result from one of the
// replay's.
#pragma once

#include <map>

#include "selection_tracker.hpp"
#include "tickreel/sc2replay/analysis_bridge.hpp"
#include "tickreel/sc2replay/game_actions.hpp"

namespace tickreel::sc2replay {

// Numbers names in the order in which they occur.
class name_table {
 public:
  std::uint32_t number(std::string_view name);
  [[nodiscard]] const std::deque<std::string>& names() const noexcept { return names_; }

 private:
  std::deque<std::string> names_;  // stay where they are
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

// A queued event and the name of its type.
struct queued_event {
  analysis::event what;
  std::string_view type_name;
  std::optional<unit_facts> unit = {};
};

struct player_counters {
  std::uint32_t alive = 0;
  std::uint32_t lost = 0;
  std::uint32_t killed = 0;
  std::uint64_t actions = 0;
  std::optional<std::array<std::int64_t, 2>> collected;  // minerals, vespene, from the last statistics
};

struct camera_state {
  map_point target;
  double distance = 0;
  bool known = false;
  bool changed = false;
};

struct living_unit {
  unit_tag tag;
  std::uint8_t owner = 0;
  std::uint32_t type = 0;  // in the table of names
  map_point place;         // where it was created
};

struct analysis_bridge::state {
  explicit state(const bridge_sources& from);

  bridge_sources sources;
  game_event_reader games;
  message_reader messages;
  tracker_event_reader trackers;
  game_event game;
  message said;
  tracker_event tracker;
  bool has_game = false;
  bool has_message = false;
  bool has_tracker = false;

  std::vector<queued_event> queue;
  std::size_t given = 0;
  bridged origin;                   // source of the queued events, and their unit
  bool left_something_out = false;  // of it
  bool ended = false;

  name_table unit_types;
  name_table upgrades;
  std::vector<left_out> left_outs;
  std::vector<bridge_problem> problems;

  std::array<std::optional<std::uint8_t>, 32> player_of_user;
  std::map<std::uint32_t, living_unit> living;  // by index
  std::array<player_counters, 256> counters;
  std::array<camera_state, 32> cameras;
  std::uint64_t camera_window = 0;
  std::uint64_t last_tick = 0;  // of the processed events
  selection_tracker selections;
  std::array<std::optional<std::uint32_t>, 32> last_ability;
  std::optional<std::uint64_t> last_leave;
  std::vector<std::uint8_t> leavers;  // players, in their order

  void advance_game();
  void advance_message();
  void advance_tracker();
  // Processes the next event of the three streams; false when all are at their ends.
  bool take_next();

  void take_tracker();
  void take_birth(const unit_born& born);
  void take_death(const unit_died& died);
  void take_done(const unit_done& done);
  void take_owner_change(const unit_owner_change& owner);
  void take_type_change(const unit_type_change& change);
  // Null if the birth of that unit was not seen.
  living_unit* find_living(unit_tag tag);
  unit_facts facts_of(const living_unit& unit, std::optional<map_point> place) const;
  void take_upgrade(const upgrade& bought);
  void take_stats();
  void take_positions();
  void take_game();
  void take_camera(const camera_update& camera);
  void take_selection_delta(std::uint8_t player, const selection_delta& delta);
  void take_control_group(std::uint8_t player, const control_group_update& group);
  void take_message();
  void take_command(std::uint8_t player);
  void take_selection(std::uint8_t player, const selection_tracker::difference& found);
  void take_end();
  // Samples cameras that changed before the window of `tick`.
  void sample_cameras(std::uint64_t tick);
  // The same before processing an event of `tick`; returns whether there is an event to return first.
  bool samples_before(std::uint64_t tick);

  void leave_out(std::string_view what);
  template <class Event>
  void emit(Event&& what, bool derived = false, std::string_view type_name = {}) {
    queue.push_back({{std::forward<Event>(what), derived}, type_name, origin.unit});
  }
};

[[nodiscard]] analysis::unit_tag to_analysis(unit_tag tag) noexcept;
[[nodiscard]] analysis::world_position to_analysis(const map_point& place) noexcept;

}  // namespace tickreel::sc2replay
