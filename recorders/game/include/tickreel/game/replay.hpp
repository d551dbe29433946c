// Reads recordings of game_recorder: players, events, and the world at any tick.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tickreel/game/game_recorder.hpp"
#include "tickreel/game/world_view.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::game {

class opened_match;

// A recording, mapped into memory if the system supports it: a finished file must not be truncated while it
// is open. Reading is const and may happen on many threads. Live files and reels are read up to their current
// end.
class replay {
 public:
  // Also fails as icrep::reader::open() does. The first file of a match opens the others too.
  static result<replay> open(const file_path& path, system_calls& calls = system_calls::real());
  // A recording in memory, which must outlive the replay. A live file then lacks what its recorder stores in
  // separate files.
  static result<replay> open(byte_span match);
  replay(replay&&) noexcept;
  replay& operator=(replay&&) noexcept;
  ~replay();

  [[nodiscard]] const icrep::metadata& facts() const noexcept;
  [[nodiscard]] std::span<const icrep::player_entry> players() const noexcept;
  [[nodiscard]] std::uint64_t total_ticks() const noexcept;
  // For a match in several files (match_options::split) that was opened by its first: the numbers of files
  // that are missing or belong to another match. Their ticks are missing.
  [[nodiscard]] std::span<const std::uint32_t> missing_parts() const noexcept;
  [[nodiscard]] std::span<const icrep::stored_keyframe> keyframes() const noexcept;
  // Independent of each other and of keyframes.
  [[nodiscard]] icrep::order_cursor orders(std::uint64_t first_tick, std::uint64_t end_tick) const;
  [[nodiscard]] icrep::event_cursor events(const icrep::event_filter& filter = {}) const;

  // The game's custom events of one struct, matched by name and kind as in get(): visit(tick, event) for
  // each. Returns their number.
  template <class Event, class Visit>
  std::uint64_t for_each_event(Visit&& visit) const {
    const recorded_type& found = types().find<Event>(type_list::events, 0);
    std::uint64_t given = 0;
    icrep::event_record record;
    for (auto all = events(); found.is_recorded && all.next(record);) {
      if (record.type < icrep::first_game_event_type) continue;
      const auto own = icrep::read_game_event(record.bytes);
      if (!own || own->number != found.slot) continue;
      const auto happened = read_component<Event>(own->content, found.match);
      if (!happened) continue;
      visit(own->tick, *happened);
      ++given;
    }
    return given;
  }
  // An order that was recorded as that struct; empty for others.
  template <class Order>
  [[nodiscard]] std::optional<Order> get(const icrep::order::game_order& order) const {
    const recorded_type& found = types().find<Order>(type_list::orders, order.type_tag);
    if (!found.is_recorded || found.slot != order.type_tag) return std::nullopt;
    const auto given = read_component<Order>(order.payload, found.match);
    return given ? std::optional<Order>(*given) : std::nullopt;
  }

  // The state at the last keyframe at or before `tick`, and the number of ticks to simulate from there; a gap
  // in the orders between reports where simulation can continue.
  [[nodiscard]] result<icrep::restored_state> restore(std::uint64_t tick) const;

  // The same, and simulates: load(snapshot), then play(frame) for each tick up to `tick`, in order. Returns
  // the number of ticks. missing_keyframe for a gap: before load() is called, unless the orders' bytes
  // contradict their own check values. Each frame is decoded once.
  template <class Load, class Play>
  result<std::uint64_t> restore(std::uint64_t tick, Load&& load, Play&& play) const {
    auto found = restore(tick);
    if (!found) return fail(found.error());
    if (found->gap) {
      return fail(error_code::missing_keyframe, error::no_offset, "tick {} was lost",
                  static_cast<std::int64_t>(found->gap->tick));
    }
    load(found->snapshot);
    auto frames = orders(found->snapshot.core.tick, tick);
    icrep::tick_frame frame;
    std::uint64_t played = 0;
    for (; frames.next(frame) && frame.tick == found->snapshot.core.tick + played; ++played) play(frame);
    if (played != found->tick_count) {
      return fail(error_code::missing_keyframe, error::no_offset, "tick {} could not be read",
                  static_cast<std::int64_t>(found->snapshot.core.tick + played));
    }
    return played;
  }

  // The bytes of a slot; empty if it does not exist.
  [[nodiscard]] byte_span component(const icrep::entity_snapshot& entity, std::uint32_t slot) const;
  [[nodiscard]] byte_span player_field(const icrep::player_state& player, std::uint32_t slot) const;
  [[nodiscard]] byte_span singleton(const icrep::sim_snapshot& snapshot, std::uint32_t slot) const;

  // The same as the game's current types, matched by name and kind; empty if it does not exist.
  template <class World, class Component>
  [[nodiscard]] std::optional<Component> get(const icrep::entity_snapshot& entity) const {
    return nowhere().template get<World, Component>(entity);
  }
  template <class World, class Field>
  [[nodiscard]] std::optional<Field> get(const icrep::player_state& player) const {
    return nowhere().template get<World, Field>(player);
  }
  template <class World, class Singleton>
  [[nodiscard]] std::optional<Singleton> get(const icrep::sim_snapshot& snapshot) const {
    return view(snapshot).template get<World, Singleton>();
  }
  // Types of the game that differ from the recorded ones, with the values that get() cannot return. Empty:
  // none differ.
  template <class World>
  [[nodiscard]] std::vector<type_difference> differences() const {
    std::vector<type_difference> out;
    World::compare(types(), out);
    return out;
  }
  // The recorded descriptions of types.
  [[nodiscard]] const recorded_types& types() const noexcept;

  // A view of a state with these types.
  [[nodiscard]] world_view view(const icrep::sim_snapshot& snapshot) const noexcept;

  [[nodiscard]] const icrep::reader& file() const noexcept;

 private:
  struct state;
  explicit replay(std::unique_ptr<state> owned) noexcept;
  static result<replay> open(result<std::unique_ptr<opened_match>>&& match);
  // For parts of any snapshot.
  [[nodiscard]] world_view nowhere() const noexcept;
  std::unique_ptr<state> state_;
};

// The position of a difference between states, as text for users.
struct state_difference {
  std::uint64_t tick = 0;                    // of the keyframe
  std::optional<analysis::unit_tag> entity;  // if it concerns an entity
  std::string where;      // "entity 7:1", "player 0", "cell 3,4,0", "random generator", ...
  std::string component;  // its name; empty if only one state has it at all
  std::string field;      // "position.x"; empty when unknown
  std::string first;      // the values, as far as they can be printed
  std::string second;
};

// Ticks that a recording lacks: damaged, or never written.
struct lacking_ticks {
  std::uint64_t first_tick = 0;
  std::uint64_t end_tick = 0;  // not included
  bool in_first = false;       // true: the first recording lacks them
  bool in_second = false;
};

struct comparison {
  // The first tick whose state is known to differ, by the hashes or by the keyframes of both.
  std::optional<std::uint64_t> first_tick;
  // In the first differing keyframe, which is at or after first_tick.
  std::optional<state_difference> state;
  // The first tick with other orders.
  std::optional<std::uint64_t> first_orders;
  // Ticks in both recordings whose orders and hashes were compared.
  std::uint64_t ticks = 0;
  // Before the end of the shorter one, in order: these could not be compared.
  std::vector<lacking_ticks> not_compared;
  [[nodiscard]] bool differ() const noexcept { return first_tick || first_orders; }
  // True also requires that every tick up to the end of the shorter one was compared.
  [[nodiscard]] bool same() const noexcept { return !differ() && not_compared.empty(); }
};

// For finding desynchronisation. Keyframes are compared at ticks where both have one. On failure `failed` is
// the recording's index, 0 or 1.
[[nodiscard]] result<comparison> compare(const replay& first, const replay& second,
                                         std::size_t* failed = nullptr);

}  // namespace tickreel::game
