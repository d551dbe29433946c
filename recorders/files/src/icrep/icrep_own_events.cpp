#include "icrep_own_events.hpp"

#include <algorithm>
#include <utility>

namespace tickreel::files {

result<void> icrep_own_events::append(const icrep::event_record& record, const event_query& query,
                                      const icrep::event_filter& filter, std::string& line) const {
  const auto own = icrep::read_game_event(record.bytes);
  if (!own) return fail(own.error());
  if (!query.types.empty() &&
      std::ranges::find(query.types, layout_.event_name(own->number)) == query.types.end()) {
    return {};
  }
  if (filter.player && !layout_.concerns(*own, *filter.player)) return {};
  text::json_writer json(line);
  layout_.append_event(*own, interned_texts(), json);
  return {};
}

void icrep_own_events::append_between(std::uint64_t first_tick, std::uint64_t end_tick,
                                      text::json_writer& json) const {
  if (!layout_.has_events()) return;
  icrep::event_filter filter;
  filter.types = 0;
  filter.first_tick = first_tick;
  filter.end_tick = end_tick;
  auto found = match_.events(filter);
  icrep::event_record record;
  json.key("events").begin_array();
  while (found.next(record)) {
    if (record.type < icrep::first_game_event_type) continue;
    if (const auto own = icrep::read_game_event(record.bytes)) {
      layout_.append_event(*own, interned_texts(), json);
    }
  }
  json.end_array();
}

// The types up to the last keyframe: types are only ever added.
const std::vector<std::string>& icrep_own_events::interned_texts() const {
  if (!interned_) {
    interned_.emplace();
    if (auto last = match_.restore(match_.total_ticks()))
      *interned_ = std::move(last->snapshot.core.intern_table);
  }
  return *interned_;
}

}  // namespace tickreel::files
