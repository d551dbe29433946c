#include "watcher.hpp"

#include "tickreel/game/replay.hpp"

namespace tickreel::game {

void watcher::look(const icrep::sim_snapshot& state, std::vector<analysis::event>& out) {
  const world_view view(state, slots_, types_);
  detector_.begin(state.core.tick);
  for (const icrep::entity_snapshot& entity : state.core.entities) {
    if (!how_.unit || entity.entity == icrep::world_tag) continue;
    if (const auto unit = how_.unit(view, entity)) detector_.see(*unit);
  }
  for (const icrep::player_state& player : state.core.player_states) {
    if (!how_.player) continue;
    const observed_player seen = how_.player(view, player);
    if (seen.camera) {
      detector_.see_camera(player.player, seen.camera->viewport_center, seen.camera->zoom_level);
    }
    if (seen.stats) detector_.see_statistics(player.player, *seen.stats);
  }
  detector_.end(out);
}

result<std::vector<analysis::event>> derive_events(const replay& from, const detection& how) {
  icrep::slot_table slots;
  if (const auto& schema = from.facts().schema) {
    const auto known = icrep::slot_table::create(*schema);
    if (!known) return fail(known.error());
    slots = *known;
  }
  watcher observer(how, slots, &from.types());
  std::vector<analysis::event> out;
  icrep::event_cursor events = from.events();
  analysis::event happened;
  bool more = events.next(happened);
  const auto events_before = [&](std::uint64_t tick) {
    for (; more && analysis::tick_of(happened) < tick; more = events.next(happened)) {
      observer.happened(happened, out);
    }
  };
  for (std::size_t number = 0; number < from.keyframes().size(); ++number) {
    // A keyframe is the state before its tick, so before that tick's events.
    events_before(from.keyframes()[number].tick);
    const auto state = from.file().snapshot(number);
    if (!state) return fail(state.error());
    observer.look(*state, out);
  }
  events_before(UINT64_MAX);
  observer.finish(from.total_ticks(), out);
  return out;
}

}  // namespace tickreel::game
