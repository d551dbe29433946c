#include "icrep_format.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "byte_stream.hpp"
#include "icrep_keyframes.hpp"
#include "icrep_layout.hpp"
#include "icrep_losses.hpp"
#include "icrep_orders.hpp"
#include "icrep_own_events.hpp"
#include "icrep_query.hpp"
#include "icrep_statistics.hpp"
#include "icrep_summary.hpp"
#include "match_container.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/icrep/lost_content.hpp"

namespace tickreel::files {

namespace {

// For a file without a speed: the slower speed of the format, its default.
constexpr double default_tick_seconds = 0.067;

class icrep_recording final : public recording,
                              public event_source,
                              public statistics_source,
                              public missing_orders_source {
 public:
  icrep_recording(std::string_view format, game::replay match, std::uint64_t file_bytes,
                  const open_options& options, held_bytes&& kept = {})
      : kept_(std::move(kept)),
        format_(format),
        match_(std::move(match)),
        file_bytes_(file_bytes),
        options_(options),
        layout_(match_.facts()),
        slots_(icrep::slot_table::create(match_.facts().schema.value_or(icrep::schema{}))
                   .value_or(icrep::slot_table{})),
        keyframes_(match_.file(), slots_),
        own_events_(match_, layout_),
        clock_{icrep::tick_seconds(match_.facts()).value_or(default_tick_seconds)} {
    container_.losses = parts_missing(match_);
  }

  std::string_view format() const noexcept override { return format_; }
  bool has_other_files() const noexcept override {
    return match_.file().header().live || game::part_of(match_.facts()).has_value();
  }
  capabilities offers() noexcept override {
    return {.events = this, .statistics = this, .missing_orders = this};
  }

  // The next keyframe whose state can be restored.
  result<bool> next() override {
    if (take_found()) return true;
    sought_.reset();
    while (number_ < match_.keyframes().size()) {
      const icrep::stored_keyframe& keyframe = match_.keyframes()[number_];
      const auto state = keyframes_.state(number_++);
      if (!state) {
        note_loss(keyframe, state.error());
        continue;
      }
      state_ = *state;
      position_ = position_of(keyframe);
      looked_to_tick_ = keyframe.tick;
      return true;
    }
    at_end_ = true;
    looked_to_tick_ = match_.total_ticks();
    return false;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    text::json_writer writer(json);
    writer.member("keyframe", match_.keyframes()[shown_keyframe()].full ? "full" : "delta");
    if (sought_) append_search(writer);
    append_icrep_state(*state_, match_.facts(), layout_, slots_, writer);
    own_events_.append_between(state_->core.tick, end_of_state(), writer);
  }

  std::vector<std::string> losses() const override {
    // Losses elsewhere do not affect the requested state.
    if (sought_ && losses_.empty()) return {};
    std::vector<std::string> all = container_.losses;
    all.insert(all.end(), losses_.begin(), losses_.end());
    if (!sought_)
      append_losses_between(match_, looked_from_tick_, looked_to_tick_, named_from_tick_,
                            layout_.has_events(), all);
    if (sought_) return all;
    append_damage_found(match_.file(), all);
    if (at_end_ && !container_.ended) all.push_back(container_.end_sentence);
    // States and events without a position are not detected otherwise.
    const auto reported = icrep::lost_content_of(match_.facts());
    const bool is_unlocated = reported && (reported->keyframes != 0 || reported->events != 0);
    if (is_unlocated || (at_end_ && all.empty() && named_from_tick_ == 0))
      append_reported_losses(match_.file(), all);
    if (at_end_) append_invalid_signatures(match_.file(), all);
    return all;
  }

  void name_missing_orders_from(std::uint64_t tick) noexcept override { named_from_tick_ = tick; }

  result<void> rewind() override {
    found_ = at_end_ = false;
    sought_.reset();
    number_ = 0;
    looked_from_tick_ = looked_to_tick_ = 0;
    losses_.clear();
    return {};
  }

  // Moves to the state from which the tick can be reached: the last keyframe at or before it. The state then
  // includes the number of ticks to simulate from there, and their orders.
  result<void> seek(const moment& where) override {
    const auto tick = clock_.tick_of(where);
    if (!tick) return fail(tick.error());
    if (auto back = rewind(); !back) return back;
    // A clip begins later than its match.
    const std::uint64_t wanted = std::max(*tick, match_.file().first_tick());
    auto restored = match_.restore(wanted);
    if (!restored) return fail(restored.error());
    sought_ = std::move(*restored);
    wanted_tick_ = wanted;
    for (const error& each : sought_->warnings) losses_.push_back(describe(each));
    if (sought_->gap) losses_.push_back(gap_text(*sought_->gap));
    state_ = &sought_->snapshot;
    position_ = position_of(match_.keyframes()[sought_->keyframe]);
    number_ = sought_->keyframe + 1;
    looked_from_tick_ = looked_to_tick_ = position_.tick;
    found_ = true;
    return {};
  }

  // seek() adds orders to the state; this is the keyframe without them.
  result<bool> go_to(std::uint64_t tick) override {
    if (auto back = rewind(); !back) return fail(back.error());
    const auto& all = match_.keyframes();
    while (number_ < all.size() && all[number_].tick < tick) ++number_;
    return next();
  }

  void set_container(match_container container) {
    const auto missing = std::move(container_.losses);
    container_ = std::move(container);
    container_.losses.insert(container_.losses.begin(), missing.begin(), missing.end());
  }

  result<summary> summarise(const monitor& watch) override {
    go_to_end();
    auto reported = summarise_icrep(source(), watch);
    if (!reported || reported->health == health::damaged) return reported;
    if (!container_.whole) {
      reported->health = health::incomplete;
    } else if (container_.recovered) {
      reported->health = health::recovered;
    }
    return reported;
  }
  result<summary> quick_summary(const monitor& watch) override {
    if (auto reported = container_.whole && !container_.recovered ? outline_icrep(source()) : std::nullopt) {
      go_to_end();
      return std::move(*reported);
    }
    return summarise(watch);
  }
  result<verification> verify(const monitor&) override {
    go_to_end();
    verification reported = verify_icrep(match_, options_);
    reported.findings.insert(reported.findings.begin(), container_.findings.begin(),
                             container_.findings.end());
    return reported;
  }
  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override;
  result<std::vector<std::string>> event_types() override { return event_types_of(match_.types().layout()); }
  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch) override;

 private:
  void note_damage(std::span<const icrep::stream_damage> damage) {
    for (const icrep::stream_damage& one : damage) {
      losses_.push_back("events are missing: " + describe(one.what));
    }
  }
  void go_to_end() {
    number_ = match_.keyframes().size();
    sought_.reset();
    at_end_ = true;
  }
  [[nodiscard]] icrep_source source() const noexcept { return {format_, &match_, file_bytes_, clock_}; }
  [[nodiscard]] tick_position position_of(const icrep::stored_keyframe& keyframe) const {
    return {keyframe.tick, clock_.time_ms_of(keyframe.tick), keyframe.offset, true};
  }
  [[nodiscard]] std::size_t shown_keyframe() const { return sought_ ? sought_->keyframe : number_ - 1; }

  void note_loss(const icrep::stored_keyframe& keyframe, const error& why) {
    losses_.push_back("the state at tick " + std::to_string(keyframe.tick) +
                      " cannot be restored: " + describe(why));
  }
  static std::string gap_text(const icrep::order_gap& gap) {
    std::string text = "the orders of tick " + std::to_string(gap.tick) + " are missing";
    if (gap.resume_tick) text += "; playback can continue at tick " + std::to_string(*gap.resume_tick);
    return text;
  }

  void append_search(text::json_writer& json) const {
    json.member("requested_tick", wanted_tick_).member("ticks_to_play", sought_->tick_count);
    if (sought_->tick_count != 0) {
      auto frames = match_.orders(sought_->snapshot.core.tick, wanted_tick_);
      json.key("orders_to_play").begin_array();
      icrep::tick_frame frame;
      while (frames.next(frame)) append_orders(frame, layout_, own_events_.interned_texts(), json);
      json.end_array();
    }
    if (!sought_->gap) return;
    json.key("gap").begin_object().member("tick", sought_->gap->tick).key("resume_tick");
    sought_->gap->resume_tick ? json.value(*sought_->gap->resume_tick) : json.null();
    json.end_object();
  }

  // The end of the ticks that a state describes: the next returned keyframe, or the tick that was sought.
  [[nodiscard]] std::uint64_t end_of_state() const {
    if (sought_) return wanted_tick_;
    return number_ < match_.keyframes().size() ? match_.keyframes()[number_].tick : UINT64_MAX;
  }

  held_bytes kept_;  // content of a source that is not a file
  std::string_view format_;
  game::replay match_;
  std::uint64_t file_bytes_;
  open_options options_;
  icrep_layout layout_;
  icrep::slot_table slots_;
  icrep_keyframes keyframes_;
  icrep_own_events own_events_;
  icrep_clock clock_;
  match_container container_;

  std::size_t number_ = 0;  // of the keyframe after the current one
  // The first tick after the last next(); losses since then are reported.
  std::uint64_t looked_from_tick_ = 0;
  std::uint64_t looked_to_tick_ = 0;
  std::uint64_t named_from_tick_ = 0;
  bool at_end_ = false;
  const icrep::sim_snapshot* state_ = nullptr;
  tick_position position_;
  std::optional<icrep::restored_state> sought_;
  std::uint64_t wanted_tick_ = 0;
  std::vector<std::string> losses_;
};

result<std::uint64_t> icrep_recording::events(const event_query& query,
                                              const std::function<bool(std::string_view)>& each,
                                              const monitor& watch) {
  const auto filter = event_filter_of(query, match_.facts(), match_.types().layout(), clock_);
  if (!filter) return fail(filter.error());
  if (!*filter) {
    go_to_end();
    looked_to_tick_ = match_.total_ticks();
    return 0;
  }
  auto found = match_.events(**filter);
  icrep::event_record record;
  std::uint64_t count = 0;
  std::uint64_t unknown = 0;
  std::string line;
  while (found.next(record)) {
    line.clear();
    if (record.type >= icrep::first_game_event_type) {
      if (const auto own = own_events_.append(record, query, **filter, line); !own) {
        losses_.push_back("an event is missing: " + describe(own.error()));
      }
    } else if (auto known = icrep::read_event(record.bytes); !known) {
      losses_.push_back("an event is missing: " + describe(known.error()));
    } else if (!*known) {
      ++unknown;
    } else if (!(*filter)->player || analysis::concerns(**known, *(*filter)->player)) {
      (*known)->derived = found.is_derived(record.type);
      analysis::append_json(**known, line);
    }
    if (line.empty()) continue;
    ++count;
    if (!each(line)) return count;
    if (count % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
  }
  note_damage(found.damage());
  if (unknown != 0) {
    losses_.push_back(counted(unknown, "event") + " of an unknown type");
  }
  go_to_end();
  looked_to_tick_ = match_.total_ticks();
  return count;
}

result<void> icrep_recording::statistics(const std::function<bool(const match_rows&)>& each,
                                         const monitor& watch) {
  auto found = match_.events({});
  analysis::statistics counted;
  icrep::event_record record;
  for (std::uint64_t count = 1; found.next(record); ++count) {
    if (count % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    if (record.type >= icrep::first_game_event_type) continue;
    auto known = icrep::read_event(record.bytes);
    if (!known) losses_.push_back("an event is missing: " + describe(known.error()));
    if (!known || !*known) continue;
    (*known)->derived = found.is_derived(record.type);
    counted.happened(**known);
  }
  note_damage(found.damage());
  go_to_end();
  looked_to_tick_ = match_.total_ticks();
  const bool lossy = !losses().empty();
  (void)each(statistics_of(match_.facts(), match_.total_ticks(), clock_, counted, lossy));
  return {};
}

// The limit of a source that must be read into memory; files are mapped, whatever their size.
constexpr std::uint64_t max_distant_bytes = std::uint64_t{4} << 30;

result<game::replay> open_in_memory(const byte_source& from) {
  const auto bytes = from.whole(std::numeric_limits<std::uint64_t>::max());
  if (!bytes) return fail(bytes.error());
  return game::replay::open(bytes->bytes());
}

result<std::unique_ptr<icrep_recording>> open_as(std::string_view format, const byte_source& from,
                                                 const open_options& options) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  if (from.is_distant()) {
    auto all = from.whole(max_distant_bytes);
    if (!all) return fail(all.error());
    auto match = game::replay::open(all->bytes());
    if (!match) return fail(match.error());
    return std::make_unique<icrep_recording>(format, std::move(*match), *size, options, std::move(*all));
  }
  // A named file is mapped, and opened with the files that a recorder keeps beside it.
  auto match = from.in_memory() ? open_in_memory(from) : game::replay::open(from.name());
  if (!match) return fail(match.error());
  return std::make_unique<icrep_recording>(format, std::move(*match), *size, options);
}

}  // namespace

result<std::unique_ptr<recording>> open_icrep_recording(const byte_source& from,
                                                        const open_options& options) {
  return open_as("icrep", from, options);
}

result<std::unique_ptr<recording>> open_match_reel(const byte_source& from, const open_options& options) {
  auto opened = open_as("reel", from, options);
  if (!opened) return fail(opened.error());
  auto container = container_of(from);
  if (!container) return fail(container.error());
  (*opened)->set_container(std::move(*container));
  return std::move(*opened);
}

}  // namespace tickreel::files
