#include "restored_lines.hpp"

#include <algorithm>

namespace tickreel::files {

bool keeps_lines(const reel::header& head) noexcept {
  return std::any_of(head.metadata.begin(), head.metadata.end(),
                     [](const reel::metadata_entry& each) { return each.key == echoreplay::lines_key; });
}

byte_span restored_lines::read(reel::reader& source, std::size_t record) {
  // No event of a line is longer, whatever its record unpacks to.
  constexpr std::uint32_t most_record_bytes = echoreplay::most_line_event_bytes + 128;
  if (source.contents().records[record].raw_bytes > most_record_bytes) return {};
  // What cannot be read is a loss that the walk tells; the line is missing then.
  if (!source.read(record, read_)) return {};
  const auto event = reel::read_event(read_.payload);
  if (!event || event->type != echoreplay::line_event) return {};
  return event->bytes;
}

void restored_lines::find_events(reel::reader& source) {
  looked_ = true;
  echoreplay::line_events none;
  std::uint64_t tick = 0;
  restorer_.begin_tick();
  const auto& records = source.contents().records;
  for (std::size_t number = 0; number < records.size(); ++number) {
    if (records[number].kind != reel::record_kind::event) continue;
    const byte_span event = read(source, number);
    if (event.empty()) continue;
    if (!echoreplay::line_restorer::is_shape(event)) {
      events_by_tick_.emplace_back(records[number].first_tick, number);
      continue;
    }
    if (records[number].first_tick != tick) {
      restorer_.begin_tick();
      tick = records[number].first_tick;
    }
    restorer_.take(event, none);
  }
  std::stable_sort(events_by_tick_.begin(), events_by_tick_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

restored_lines::events_of_ticks::const_iterator restored_lines::first_event_of(reel::reader& source,
                                                                               std::uint64_t tick) {
  if (!looked_) find_events(source);
  return std::lower_bound(events_by_tick_.begin(), events_by_tick_.end(), tick,
                          [](const auto& each, std::uint64_t wanted) { return each.first < wanted; });
}

void restored_lines::restore_text_around(reel::reader& source, std::uint64_t tick) {
  auto each = first_event_of(source, tick);
  events_ = {};
  line_.clear();
  columns_ = {};
  restorer_.begin_tick();
  for (; each != events_by_tick_.end() && each->first == tick; ++each) {
    restorer_.take(read(source, each->second), events_);
  }
}

bool restored_lines::has_what_it_needs(reel::reader& source, std::uint64_t tick,
                                       const echo::line_reference& how) {
  const auto event = first_event_of(source, tick);
  const bool has_event = event != events_by_tick_.end() && event->first == tick;
  switch (how.kind) {
    case echo::line_kind::shaped:
      return restorer_.knows_shape(how.shape);
    case echo::line_kind::patched:
      return has_event && restorer_.knows_shape(how.shape);
    case echo::line_kind::whole:
      return has_event;
    default:
      return false;
  }
}

void restored_lines::restore(reel::reader& source, std::uint64_t tick, const echo::line_reference& how,
                             const echo::state& state) {
  restore_text_around(source, tick);
  if (!restorer_.append_line(how, state, events_.patch, line_)) return;
  std::string_view text = line_;
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  if (const auto columns = echoreplay::split_line(text)) columns_ = *columns;
  if (state.bones == echo::bones_kind::absent) columns_.bones = {};
}

}  // namespace tickreel::files
