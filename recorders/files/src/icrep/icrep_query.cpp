#include "icrep_query.hpp"

#include <algorithm>

#include "player_names.hpp"
#include "tickreel/analysis/event.hpp"

namespace tickreel::files {

result<std::optional<icrep::event_filter>> event_filter_of(const event_query& query,
                                                           const icrep::metadata& facts,
                                                           const game::world_layout& types,
                                                           const icrep_clock& clock) {
  icrep::event_filter filter;
  if (query.from) {
    const auto first = clock.tick_of(*query.from);
    if (!first) return fail(first.error());
    filter.first_tick = *first;
  }
  if (query.to) {
    auto last = clock.tick_of(*query.to);
    if (!last) return fail(last.error());
    // A time between two ticks ends the range at the earlier one.
    const bool between = query.to->unit != moment::by::tick &&
                         static_cast<double>(clock.time_ms_of(*last)) > query.to->seconds * 1000 + 0.5;
    if (between && *last == 0) return std::nullopt;
    if (*last != icrep::event_filter::no_end) filter.end_tick = *last + (between ? 0 : 1);
  }
  if (!query.types.empty()) {
    filter.types = 0;
    for (const std::string& name : query.types) {
      const auto is_named = [&](const game::slot_layout& one) { return one.slot.name == name; };
      if (std::ranges::any_of(types.events, is_named)) continue;
      const auto type = analysis::type_from_name(name);
      if (!type)
        return fail(error_code::invalid_argument, error::no_offset, "there is no such type of event");
      filter.types |= std::uint32_t{1} << *type;
    }
  }
  if (!query.player.empty()) {
    filter.player = player_named(query.player, facts.players, &icrep::player_entry::slot);
    if (!filter.player)
      return fail(error_code::invalid_argument, error::no_offset,
                  "the recording has no player of that name or number");
  }
  return filter;
}

std::vector<std::string> event_types_of(const game::world_layout& types) {
  std::vector<std::string> out;
  for (std::size_t type = 0; type < analysis::type_count; ++type) out.emplace_back(analysis::type_name(type));
  for (const game::slot_layout& one : types.events) {
    if (std::ranges::find(out, one.slot.name) == out.end()) out.push_back(one.slot.name);
  }
  return out;
}

}  // namespace tickreel::files
