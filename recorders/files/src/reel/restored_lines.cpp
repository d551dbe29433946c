#include "restored_lines.hpp"

#include <algorithm>

namespace tickreel::files {

bool keeps_lines(const reel::header& head) noexcept {
  return std::any_of(head.metadata.begin(), head.metadata.end(),
                     [](const reel::metadata_entry& each) { return each.key == echoreplay::lines_key; });
}

void restored_lines::read(reel::reader& source, std::size_t record, std::vector<byte_vector>& out) {
  reel::record found;
  // What cannot be read is a loss that the walk tells; the line is missing then.
  if (!source.read(record, found)) return;
  const auto event = reel::read_event(found.payload);
  if (!event || event->type != echoreplay::line_event) return;
  out.emplace_back(event->bytes.begin(), event->bytes.end());
}

void restored_lines::find_events(reel::reader& source) {
  looked_ = true;
  std::vector<byte_vector> shapes;
  std::uint64_t tick = 0;
  const auto& records = source.contents().records;
  for (std::size_t number = 0; number < records.size(); ++number) {
    if (records[number].kind != reel::record_kind::event) continue;
    std::vector<byte_vector> one;
    read(source, number, one);
    if (one.empty()) continue;
    if (!echoreplay::line_restorer::is_shape(one.front())) {
      events_by_tick_.emplace_back(records[number].first_tick, number);
      continue;
    }
    if (records[number].first_tick != tick) {
      (void)restorer_.take(shapes);
      shapes.clear();
      tick = records[number].first_tick;
    }
    shapes.push_back(std::move(one.front()));
  }
  (void)restorer_.take(shapes);
  std::stable_sort(events_by_tick_.begin(), events_by_tick_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

void restored_lines::restore(reel::reader& source, std::uint64_t tick, const echo::line_reference& how,
                             const echo::state& state) {
  if (!looked_) find_events(source);
  const auto first =
      std::lower_bound(events_by_tick_.begin(), events_by_tick_.end(), tick,
                       [](const auto& each, std::uint64_t wanted) { return each.first < wanted; });
  std::vector<byte_vector> own;
  for (auto each = first; each != events_by_tick_.end() && each->first == tick; ++each) {
    read(source, each->second, own);
  }
  events_ = restorer_.take(own);
  line_.clear();
  columns_ = {};
  if (!restorer_.append_line(how, state, events_.patch, line_)) return;
  std::string_view text = line_;
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  if (const auto columns = echoreplay::split_line(text)) columns_ = *columns;
  if (state.bones == echo::bones_kind::absent) columns_.bones = {};
}

}  // namespace tickreel::files
