// Events of reels of described structs, decoded with the descriptions in the reel.
#include <algorithm>
#include <array>
#include <optional>

#include "described_reel.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

class event_picker {
 public:
  explicit event_picker(const event_query& query) : query_(query) {
    if (query.from) from_ = query.from->without_game_clock();
    if (query.to) to_ = query.to->without_game_clock();
  }

  [[nodiscard]] bool takes(const tracks::event_view& event) const {
    if (from_ && is_before(event.stamp, *from_)) return false;
    if (to_ && is_after_end(event.stamp, *to_)) return false;
    if (!query_.types.empty() && std::ranges::find(query_.types, name_of(event)) == query_.types.end()) {
      return false;
    }
    return query_.player.empty() || concerns(event);
  }

  [[nodiscard]] static std::string_view name_of(const tracks::event_view& event) {
    return event.described == nullptr ? std::string_view("event") : event.name();
  }

 private:
  // Half a millisecond, because times are shown as whole milliseconds.
  static bool is_before(const frame_stamp& stamp, const moment& where) {
    if (where.unit == moment::by::tick) return stamp.tick < where.tick;
    return static_cast<double>(stamp.time_us) < where.seconds * 1e6 - 500;
  }
  static bool is_after_end(const frame_stamp& stamp, const moment& where) {
    if (where.unit == moment::by::tick) return stamp.tick > where.tick;
    return static_cast<double>(stamp.time_us) > where.seconds * 1e6 + 500;
  }

  // Whether its member "player" equals that text or number.
  [[nodiscard]] bool concerns(const tracks::event_view& event) const {
    if (event.described == nullptr) return false;
    const auto values = values_of(*event.described);
    const auto named = std::ranges::find(values, "player", &value_layout::name);
    if (named == values.end()) return false;
    byte_reader in(event.bytes.subspan(named->offset, named->size_bytes));
    if (named->kind == value_kind::text) {
      const std::uint16_t size = in.u16();
      return as_text(in.bytes(std::min<std::size_t>(size, in.remaining()))) == query_.player;
    }
    if (named->kind == value_kind::floating || named->kind == value_kind::boolean) return false;
    for (const enumerator& each : named->enumerators) {
      if (each.name == query_.player) return number_in(event.bytes, *named) == each.value;
    }
    return text::parse_number<std::int64_t>(query_.player) == number_in(event.bytes, *named);
  }
  static std::int64_t number_in(byte_span event, const value_layout& at) {
    std::uint64_t bits = 0;
    for (std::uint32_t i = 0; i < at.size_bytes; ++i) {
      bits |= std::to_integer<std::uint64_t>(event[at.offset + i]) << (8 * i);
    }
    const unsigned unused = 64 - 8 * at.size_bytes;
    if (at.kind == value_kind::signed_integer) return static_cast<std::int64_t>(bits << unused) >> unused;
    return static_cast<std::int64_t>(bits);
  }

  const event_query& query_;
  std::optional<moment> from_;
  std::optional<moment> to_;
};

}  // namespace

namespace {

// The position of an event: the record, and its index in it.
struct event_place {
  std::uint64_t tick = 0;
  std::uint32_t record = 0;
  std::uint32_t number = 0;
  auto operator<=>(const event_place&) const = default;
};

// Iterates over the events in tick order, although late events follow later ones in the file. Memory is
// bounded: it holds a limited number of positions and searches for the next ones when those were returned.
class events_by_tick {
 public:
  explicit events_by_tick(reel::reader& source) : source_(source) {
    std::uint64_t last = 0;
    for (const reel::record_info& each : records()) {
      if (!reel::holds_events(each.kind) || each.repeats()) continue;
      are_late_ = are_late_ || each.first_tick < last;
      last = each.last_tick;
    }
  }

  // False if all events are in tick order in the file, as in most reels.
  [[nodiscard]] bool are_late() const noexcept { return are_late_; }

  // Empty after the last. Damaged events are left out: the frame iterator reports them. Fails if the file cannot
  // be read.
  result<std::optional<event_place>> next() {
    if (at_ == places_.size()) {
      if (auto found = find_next(); !found) return fail(found.error());
    }
    if (at_ == places_.size()) return std::nullopt;
    given_ = places_[at_];
    return places_[at_++];
  }

 private:
  static constexpr std::size_t max_places = 1u << 18;

  [[nodiscard]] const std::vector<reel::record_info>& records() const { return source_.contents().records; }

  // Finds the first events after those that were returned.
  result<void> find_next() {
    places_.clear();
    at_ = 0;
    bound_.reset();
    reel::record found;
    for (std::uint32_t number = 0; number < records().size(); ++number) {
      const reel::record_info& info = records()[number];
      if (!reel::holds_events(info.kind) || info.repeats() || (given_ && info.last_tick < given_->tick) ||
          (bound_ && info.first_tick > bound_->tick)) {
        continue;
      }
      if (info.kind == reel::record_kind::event) {
        take({info.first_tick, number, 0});
        continue;
      }
      if (const auto read = source_.read(number, found); !read) {
        if (!is_damage(read.error().code)) return read;
        continue;
      }
      reel::event one;
      frame_stamp stamp;
      reel::event_cursor all(found);
      std::uint32_t which = 0;
      for (auto more = all.next(one, stamp); more && *more; more = all.next(one, stamp)) {
        take({stamp.tick, number, which++});
      }
    }
    if (places_.size() > max_places) keep_first();
    std::ranges::sort(places_);
    return {};
  }
  void take(const event_place& place) {
    if ((given_ && place <= *given_) || (bound_ && place > *bound_)) return;
    places_.push_back(place);
    if (places_.size() == 2 * max_places) keep_first();
  }
  void keep_first() {
    const auto last = places_.begin() + static_cast<std::ptrdiff_t>(max_places - 1);
    std::ranges::nth_element(places_, last);
    bound_ = *last;
    places_.resize(max_places);
  }

  reel::reader& source_;
  bool are_late_ = false;
  std::vector<event_place> places_;
  std::size_t at_ = 0;
  std::optional<event_place> given_;  // the last one returned
  std::optional<event_place> bound_;  // events after it are not in the buffer
};

void write_event(const tracks::event_view& event, std::string& line) {
  line.clear();
  text::json_writer json(line);
  json.begin_object().member("tick", event.stamp.tick).member("type", event_picker::name_of(event));
  if (event.described != nullptr) {
    static constexpr std::array<std::string_view, 2> keys_of_events = {"tick", "type"};
    append_members(*event.described, event.bytes, json, keys_of_events);
  } else {
    json.member("number", event.type).member("content", text::to_hex(event.bytes));
  }
  json.end_object();
}

}  // namespace

result<std::uint64_t> described_recording::events(const event_query& query,
                                                  const std::function<bool(std::string_view)>& each,
                                                  const monitor& watch) {
  tracks::event_reader from(source());
  if (!query.types.empty()) {
    const auto known = event_types();
    if (!known) return fail(known.error());
    for (const std::string& wanted : query.types) {
      if (std::ranges::find(*known, wanted) == known->end()) {
        return fail(error_code::invalid_argument, error::no_offset, "there is no such type of event");
      }
    }
  }
  const event_picker picker(query);
  events_by_tick order(source());
  std::uint64_t count = 0;
  std::uint64_t looked = 0;
  std::string line;
  tracks::event_view event;
  for (;;) {
    if (++looked % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    std::optional<event_place> place;
    if (order.are_late()) {
      const auto found = order.next();
      if (!found) return fail(found.error());
      if (!*found) break;
      place = *found;
    }
    const auto more = place ? from.read(place->record, place->number, event) : from.next(event);
    if (!more) return fail(more.error());
    if (!*more && place) continue;
    if (!*more) break;
    if (!picker.takes(event)) continue;
    write_event(event, line);
    ++count;
    if (!each(line)) return count;
  }
  // Late events are not read by the iterator, which counts the losses.
  while (order.are_late()) {
    if (++looked % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = from.next(event);
    if (!more) return fail(more.error());
    if (!*more) break;
  }
  // The ticks report the lost records of every kind.
  if (auto back = rewind(); !back) return fail(back.error());
  for (;;) {
    if (++looked % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = next();
    if (!more) return fail(more.error());
    if (!*more) break;
  }
  note_losses(from);
  return count;
}

result<std::vector<std::string>> described_recording::event_types() {
  tracks::event_reader from(source());
  const auto kinds = from.kinds();
  if (!kinds) return fail(kinds.error());
  std::vector<std::string> out;
  for (const auto& [number, kind] : **kinds) {
    if (std::ranges::find(out, kind.root().name) == out.end()) out.push_back(kind.root().name);
  }
  // Undescribed bytes.
  if (std::ranges::find(out, "event") == out.end()) out.emplace_back("event");
  return out;
}

void described_recording::note_losses(const tracks::event_reader& from) {
  event_losses_.clear();
  if (from.unreadable() != 0) {
    event_losses_.push_back(counted(from.unreadable(), "event") +
                            " cannot be decoded: the description is lost");
  }
}

std::vector<std::string> described_recording::losses() const {
  std::vector<std::string> all = ticked_reel::losses();
  all.insert(all.begin(), event_losses_.begin(), event_losses_.end());
  return all;
}

result<void> described_recording::rewind() {
  event_losses_.clear();
  events_.reset();
  return ticked_reel::rewind();
}

result<summary> described_recording::resume(const observer& to, const monitor& watch) {
  auto out = ticked_reel::resume(to, watch);
  if (!out) return out;
  if (!events_) events_.emplace(source(), is_live());
  const auto kinds = events_->kinds();
  if (!kinds) return fail(kinds.error());
  std::string types_text;
  for (const auto& [number, kind] : **kinds)
    types_text += (types_text.empty() ? "" : ", ") + fields_text(kind);
  if (!types_text.empty()) out->facts.push_back({"event_types", std::move(types_text)});
  if (!to.event) return out;
  tracks::event_view event;
  std::string line;
  for (std::uint64_t count = 1;; ++count) {
    if (count % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = events_->next(event);
    if (!more) return fail(more.error());
    if (!*more) break;
    write_event(event, line);
    to.event(line);
  }
  note_losses(*events_);
  return out;
}

result<verification> described_recording::verify(const monitor& watch) {
  auto out = ticked_reel::verify(watch);
  if (!out) return out;
  tracks::event_reader from(source());
  tracks::event_view event;
  for (;;) {
    const auto more = from.next(event);
    if (!more) return fail(more.error());
    if (!*more) break;
  }
  // Lost records are reported by the iterator over the ticks.
  if (from.unreadable() != 0) {
    out->findings.push_back(
        {severity::error, error::no_offset,
         counted(from.unreadable(), "event") + " cannot be decoded: the description is lost"});
  }
  return out;
}

}  // namespace tickreel::files
