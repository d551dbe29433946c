#include "tickreel/tracks/event_reader.hpp"

#include "tickreel/bytes/reader.hpp"

namespace tickreel::tracks {

event_reader::event_reader(reel::reader& source, bool live)
    : source_(&source), stream_(source, {.live = live, .chunks = false}) {}

result<bool> event_reader::next(event_view& out) {
  reel::item item;
  for (;;) {
    const auto more = stream_.next(item);
    if (!more || !*more) return more;
    if (item.kind == reel::item_kind::loss) {
      const bool may_be_event = !item.lost.kind || reel::holds_events(*item.lost.kind);
      if (may_be_event && losses_.size() < reel::frame_stream::max_kept) losses_.push_back(item.lost);
    }
    if (item.kind != reel::item_kind::event) continue;
    if (item.event.type == event_description_type) {
      learn(item.event.bytes);
      continue;
    }
    const auto shown = show({item.in->info.first_tick, item.in->info.first_time_us}, item.event, out);
    if (!shown) return shown;
    if (!*shown) ++unreadable_;
    return true;
  }
}

result<bool> event_reader::read(std::size_t record, std::uint32_t number, event_view& out) {
  if (!reel::holds_events(source_->contents().records[record].kind)) return false;
  if (read_record_ != record) {
    read_record_.reset();
    if (const auto done = source_->read(record, read_); !done) {
      // The iterator over the reel reports damaged records.
      if (is_damage(done.error().code)) return false;
      return fail(done.error());
    }
    read_record_ = record;
    read_events_.reset();
  }
  if (!read_events_ || number < read_number_) {
    read_events_.emplace(read_);
    read_number_ = 0;
  }
  reel::event one;
  frame_stamp stamp;
  do {
    const auto more = read_events_->next(one, stamp);
    if (!more || !*more) {
      read_events_.reset();
      return false;
    }
  } while (read_number_++ < number);
  if (one.type == event_description_type) return false;
  const auto shown = show(stamp, one, out);
  if (!shown) return shown;
  return true;
}

result<bool> event_reader::show(const frame_stamp& stamp, const reel::event& one, event_view& out) {
  out = {stamp, one.type, nullptr, one.bytes};
  if (out.type < first_own_event_type) return true;
  const auto known = described_as(out.type - first_own_event_type);
  if (!known) return fail(known.error());
  if (*known == nullptr || (*known)->row_bytes() != out.bytes.size()) return false;
  out.described = *known;
  return true;
}

result<const std::map<std::uint32_t, schema>*> event_reader::kinds() {
  if (auto done = learn_all(); !done) return fail(done.error());
  return &kinds_;
}

void event_reader::learn(byte_span description) {
  byte_reader in(description);
  const std::uint32_t number = in.u32();
  if (!in.ok() || description.size() > sizeof(number) + max_event_schema_bytes) return;
  if (number >= max_event_kinds || kinds_.contains(number)) return;
  schema_limits limits;
  limits.max_row_bytes = max_event_bytes;
  if (auto described = read_schema(description.subspan(sizeof(number)), limits)) {
    kinds_.emplace(number, std::move(*described));
  }
}

// A later repetition replaces a damaged description.
result<void> event_reader::learn_all() {
  reel::frame_stream look(*source_, {.first_record = learned_records_, .live = true, .chunks = false});
  learned_records_ = source_->contents().records.size();
  reel::item item;
  for (;;) {
    const auto more = look.next(item);
    if (!more) return fail(more.error());
    if (!*more) return {};
    if (item.kind == reel::item_kind::event && item.event.type == event_description_type) {
      learn(item.event.bytes);
    }
  }
}

result<const schema*> event_reader::described_as(std::uint32_t number) {
  auto known = kinds_.find(number);
  if (known == kinds_.end() && learned_records_ != source_->contents().records.size()) {
    if (auto done = learn_all(); !done) return fail(done.error());
    known = kinds_.find(number);
  }
  return known == kinds_.end() ? nullptr : &known->second;
}

}  // namespace tickreel::tracks
