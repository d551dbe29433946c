#include "restored_lines.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "echo_input.hpp"

namespace tickreel::files {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Applies the rules of the .echoreplay reader to complete lines that follow `lines_before` others.
void judge(std::string_view text, std::uint64_t lines_before, echo::state& room, unreadable_text& found) {
  // Prepends an empty line, because text in the middle must not be taken for a byte order mark or a zip.
  if (lines_before == 0 && text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::string lines = "\n";
  lines += text;
  const byte_source from(as_bytes(lines));
  auto input = open_echoreplay(from, {});
  if (!input) return;
  for (;;) {
    const auto more = (*input)->next(room);
    if (!more || !*more) break;
  }
  const source_losses lost = (*input)->losses();
  const std::uint64_t count = lost.skipped_lines + (lost.cut_short ? 1u : 0u);
  if (count != 0 && found.lines == 0) {
    const auto line_ends = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    const bool cut_alone = lost.skipped_lines == 0;
    found.first_line = lines_before + (cut_alone ? line_ends + 1 : lost.first_skipped_line - 1);
    found.first_reason = cut_alone ? "it is truncated" : lost.first_skipped_reason;
  }
  found.lines += count;
}

// Sorts items of which the first `had` are sorted; the others seldom belong between those.
template <class Items, class Before>
void put_in_order(Items& items, std::size_t had, const Before& before) {
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(had);
  std::stable_sort(middle, items.end(), before);
  if (middle == items.begin() || middle == items.end() || !before(*middle, *(middle - 1))) return;
  std::inplace_merge(items.begin(), middle, items.end(), before);
}

}  // namespace

bool keeps_lines(const reel::header& head) noexcept {
  return head.find(echoreplay::lines_key) != nullptr;
}

bool restored_lines::hold(reel::reader& source, std::size_t record) {
  if (read_number_ == record) return true;
  read_number_.reset();
  // The longest event of a line. No decompressed record of several events is longer.
  constexpr std::uint32_t max_record_bytes = echoreplay::max_line_event_bytes + 128;
  const reel::record_info& info = source.contents().records[record];
  const bool several = info.kind == reel::record_kind::events;
  if (info.raw_bytes > (several ? reel::max_gathered_bytes : max_record_bytes)) return false;
  // A damaged record is a loss that the frame iterator reports; the line is then missing.
  if (const auto done = source.read(record, read_); !done) {
    if (!is_damage(done.error().code) && !failure_) failure_ = done.error();
    return false;
  }
  read_number_ = record;
  return true;
}

byte_span restored_lines::read(reel::reader& source, const event_place& place) {
  if (!hold(source, place.record) || place.offset > read_.payload.size()) return {};
  const byte_span rest = byte_span(read_.payload).subspan(place.offset);
  return rest.first(std::min<std::size_t>(rest.size(), place.size));
}

void restored_lines::find_events(reel::reader& source) {
  const auto& records = source.contents().records;
  if (looked_records_ == records.size()) return;
  const std::size_t from = std::exchange(looked_records_, records.size());
  const std::size_t had_events = events_by_tick_.size();
  const std::size_t had_texts = ticks_with_text_.size();
  echoreplay::line_events none;
  restorer_.begin_tick();
  for (std::size_t number = from; number < records.size(); ++number) {
    if (!reel::holds_events(records[number].kind)) continue;
    if (!hold(source, number)) {
      if (!failure_) continue;
      looked_records_ = number;
      break;
    }
    reel::event_cursor events(read_);
    reel::event each;
    frame_stamp stamp;
    for (auto more = events.next(each, stamp); more && *more; more = events.next(each, stamp)) {
      const byte_span event = each.bytes;
      if (each.type != echoreplay::line_event || event.empty()) continue;
      if (!echoreplay::line_restorer::is_shape(event)) {
        const auto offset = static_cast<std::uint32_t>(event.data() - read_.payload.data());
        events_by_tick_.push_back({stamp.tick, {number, offset, static_cast<std::uint32_t>(event.size())}});
        if (echoreplay::line_restorer::is_text(event)) ticks_with_text_.push_back(stamp.tick);
        continue;
      }
      if (stamp.tick != shape_tick_) {
        restorer_.begin_tick();
        shape_tick_ = stamp.tick;
      }
      restorer_.take(event, none);
    }
  }
  put_in_order(events_by_tick_, had_events, [](const auto& a, const auto& b) { return a.first < b.first; });
  put_in_order(ticks_with_text_, had_texts, std::less<>());
  if (ticks_with_text_.size() == had_texts) return;
  ticks_with_text_.erase(std::unique(ticks_with_text_.begin(), ticks_with_text_.end()),
                         ticks_with_text_.end());
}

restored_lines::events_of_ticks::const_iterator restored_lines::first_event_of(reel::reader& source,
                                                                               std::uint64_t tick) {
  find_events(source);
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

unreadable_text restored_lines::unreadable_between(reel::reader& source, std::uint64_t first,
                                                   std::uint64_t last, bool to_end) {
  find_events(source);
  unreadable_text found;
  if (ticks_with_text_.empty()) return found;
  const auto& records = source.contents().records;
  const auto begin = std::find_if(records.begin(), records.end(), [](const reel::record_info& each) {
    return each.kind == reel::record_kind::chunk;
  });
  const std::uint64_t first_tick = begin == records.end() ? 0 : begin->first_tick;
  const auto room = std::make_unique<echo::state>();
  std::uint64_t lines_between = 0;
  for (const std::uint64_t tick : ticks_with_text_) {
    if (tick > last) break;
    // Without the shapes, which are not needed for texts.
    echoreplay::line_restorer texts;
    echoreplay::line_events around;
    texts.begin_tick();
    for (auto each = first_event_of(source, tick); each != events_by_tick_.end() && each->first == tick;
         ++each) {
      texts.take(read(source, each->second), around);
    }
    const std::uint64_t lines_before = tick - std::min(tick, first_tick) + lines_between;
    if (tick >= first) judge(around.before, lines_before, *room, found);
    lines_between += static_cast<std::uint64_t>(std::count(around.before.begin(), around.before.end(), '\n'));
    if (to_end && tick == last) {
      judge(around.after, tick - std::min(tick, first_tick) + lines_between + 1, *room, found);
    }
  }
  return found;
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
