// The simple level: describe a struct, record it, read it back.
//
//   struct world { float x = 0, y = 0; };
//   TICKREEL_DESCRIBE(world, x, y);
//
//   auto out = tickreel::record<world>("match.reel", {.ticks_per_second = 60});
//   out->push(now);                                   // once per tick; never waits
//   out->event(goal{.player = 3});                    // any described struct, at the tick pushed last
//   out->close();
//
//   auto in = tickreel::replay<world>("match.reel");  // in->at(400), in->at(6.5s)
//   for (const auto& tick : *in) use(tick.tick, tick.time_us, tick.state);
//   auto goals = in->events<goal>();                  // each with its tick
//
//   auto live = tickreel::follow<world>("match.reel");  // while it is recorded; also by the address of a match
//
// component.hpp lists the types that a struct may contain; declare.hpp declares the meaning of its members.
// docs/recording-structs.md is the guide.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tickreel/describe/recorded.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/feed.hpp"
#include "tickreel/tracks/event_reader.hpp"
#include "tickreel/tracks/row_changes.hpp"
#include "tickreel/tracks/row_encoder.hpp"
#include "tickreel/tracks/row_reader.hpp"
#include "tickreel/tracks/row_rewriter.hpp"
#include "tickreel/tracks/save_last.hpp"

namespace tickreel {

namespace detail {
// Options for a recording of rows: the schema, a ring that holds a burst of small states, and chunks that
// hold a second of large ones.
[[nodiscard]] recorder_options options_for_rows(recorder_options row_options, const schema& described,
                                                std::size_t state_bytes);
// Meets options.memory_bytes, which becomes 0: see options.hpp. `state_bytes`: of a state in the ring.
[[nodiscard]] result<void> limit_memory(recorder_options& options, const schema& described,
                                        std::size_t state_bytes);
// Why a recording cannot be read as `name`: no member matches, or one has another type. In static storage;
// null if it can be read.
[[nodiscard]] const char* why_unreadable(const layout_match& match, std::string_view name,
                                         std::span<const value_layout> wanted, const schema& recorded);
// Waits at most `wait` for new records, which `from` supplies if it is not null.
result<std::size_t> refresh(tracks::row_reader& rows, reel::feed* from, std::chrono::milliseconds wait);
}  // namespace detail

struct close_options {
  // Afterwards rewrites the reel in a temporary file, in blocks of ten seconds encoded for archives, and replaces
  // it if the result is complete and smaller, like `tickreel compact`. If the process is killed, the old reel
  // remains. Takes about as long as reading and writing all of it; for tools. Not applied if a sink lacks
  // records, which only the old reel contains.
  bool compact = false;
};

// The common part of record<T>() and of recordings of structs that are described at run time
// (tracks/struct_encoder.hpp); recorder.hpp has its other functions.
template <class Encoder, loss_policy Policy>
class row_recording : public recorder<Encoder, Policy> {
  using base = recorder<Encoder, Policy>;

 public:
  // Your own bytes: see recorder_base.hpp. Types from 2147483647 on are reserved for described structs:
  // false, and counted, because readers would misinterpret the bytes.
  bool event(std::uint32_t type, byte_span bytes) {
    return event(this->state_->producer.last_stamp(), type, bytes);
  }
  bool event(frame_stamp stamp, std::uint32_t type, byte_span bytes) {
    if (type < tracks::event_description_type) return base::event(stamp, type, bytes);
    this->state_->producer.count(this->state_->producer.events_refused);
    return false;
  }

  // As recorder::close(). With `compact` it also fails if the reel could not be rewritten; the reel is then
  // whole and unchanged. invalid_argument, without closing, if there is no file.
  result<close_report> close(const close_options& how = {}) {
    if (how.compact && path_.empty()) {
      return fail(error_code::invalid_argument, error::no_offset, "only a reel in a file becomes compact");
    }
    auto report = this->close_with({this->state_.get(),
                                    [](void* self) noexcept {
                                      auto* const all = static_cast<decltype(this->state_.get())>(self);
                                      all->encoder.events()->report_all(*all->out);
                                    },
                                    nullptr});
    if (report && !report->earlier_failure) {
      report->earlier_failure = this->state_->encoder.events()->refused();
    }
    if (!report || !how.compact) return report;
    if (report->counters.failed_sinks != 0) {
      return fail(report->earlier_failure.value_or(
          error{error_code::io_failed, error::no_offset, "a sink lacks something of the reel"}));
    }
    const auto compact = tracks::compact_in_place(path_);
    if (!compact) return fail(compact.error());
    report->counters.stored_bytes = compact->bytes;
    return report;
  }

  // Writes the last `time` of sealed ticks, at most seal_interval_ms old, with their events into a new reel.
  // Reads the file, so any thread may call it while another one pushes: see tracks::save_last().
  // invalid_argument if there are only sinks.
  template <class Rep, class Period>
  result<saved_part> save_last(std::chrono::duration<Rep, Period> time, const file_path& output) const {
    if (path_.empty()) {
      return fail(error_code::invalid_argument, error::no_offset, "only a reel in a file has a last part");
    }
    const auto time_us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
    return tracks::save_last(path_, static_cast<std::int64_t>(time_us), output);
  }

 protected:
  row_recording(base&& opened, const file_path& path) noexcept : base(std::move(opened)), path_(path) {}

  // Records an event of `kind`, whose component bytes write(std::byte*) writes, at the tick pushed last.
  template <class Write>
  bool push_event(const tracks::event_kind& kind, Write&& write) noexcept {
    auto& producer = this->state_->producer;
    const bool taken = !producer.closed && this->state_->encoder.events()->push(producer.last_stamp(), kind,
                                                                                std::forward<Write>(write));
    if (!taken) producer.count(producer.events_refused);
    return taken;
  }

 private:
  file_path path_;
};

// The result of record<T>().
template <described T, loss_policy Policy = loss_policy::drop_newest>
class recording : public row_recording<tracks::row_encoder<T>, Policy> {
  using base = row_recording<tracks::row_encoder<T>, Policy>;

 public:
  // Called by record(); `path` is empty if there are only sinks.
  recording(recorder<tracks::row_encoder<T>, Policy>&& opened, const file_path& path) noexcept
      : base(std::move(opened), path) {}

  // push() for a world of which little changes, and a game that knows what: copies only what is marked, from the bits of a
  // change_list that number the described members (member_number) and the elements of arrays and entities (0 for a
  // member that is no array). Everything that changed since the last push must be marked; further marks do no harm. The
  // caller clears the list.
  //
  // The first tick, the one after a tick that was not accepted, and one at each interval of recorder_options::cadence (10 s) are
  // copied whole, so a change that was not marked is missing until then. So are ticks with more marks than a whole
  // state has bytes, and with marks of something that does not exist.
  bool push_changes(const T& now, const change_list& changed) noexcept {
    return push_changes(this->state_->producer.next_stamp(), now, changed);
  }
  bool push_changes(frame_stamp stamp, const T& now, const change_list& changed) noexcept {
    static_assert(Policy != loss_policy::drop_oldest,
                  "tickreel: push_changes() needs the ticks before, of which drop_oldest may drop one: use "
                  "drop_newest, or push()");
    return this->push_packed(stamp, now, [&](mutable_byte_span room) noexcept {
      return detail::pack_changes(now, changed, room);
    });
  }

  using base::event;
  // Records an event at the tick that was pushed last: any described struct of at most 1024 bytes, whose name
  // and members are stored in the reel. Copies into a ring: no allocation, lock, system call or wait. Call it
  // on the thread that pushes. False, and counted, if 256 are waiting or after close(). Of two structs with
  // one described name the second is not recorded: it is counted, and close() reports it in earlier_failure.
  template <described E>
  bool event(const E& happened) noexcept {
    static_assert(
        !detail::has_interned_text<E>(),
        "tickreel: an interned_text is a number in a table that only game_recorder keeps; in an event "
        "use a short_text");
    static_assert(
        component_size<E> <= tracks::max_event_bytes,
        "tickreel: an event has at most 1024 bytes; what is larger belongs into the recorded struct");
    return this->push_event(tracks::event_kind_of<E>, [&happened](std::byte* bytes) noexcept {
      detail::put_component(bytes, happened);
    });
  }
  // Rejects a type that is not described.
  template <class E>
  requires(!described<E>)
  bool event(const E&) noexcept {
    static_assert(described<E>,
                  "tickreel: describe the event's struct first, at namespace level and in its own namespace: "
                  "TICKREEL_DESCRIBE(name, member, member);");
    return false;
  }
};

// Records states of type T into a new reel. Fails as recorder::open() does, and with invalid_argument if
// TICKREEL_DECLARE names an unknown member. By default the codec is the best one of the build, at level 1:
// encoded columns gain little from higher levels. By default the ring holds 256 states, or as many more as
// fit into 8 MB, up to 65,536. The schema of `options` is replaced by T's. The reel's bytes also go to
// `sinks`; with an empty path only to them.
template <described T, loss_policy Policy = loss_policy::drop_newest>
result<recording<T, Policy>> record(const file_path& reel_path, const recorder_options& options = {},
                                    std::vector<std::unique_ptr<reel::sink>> sinks = {}) {
  static_assert(component_size<T> <= schema_limits{}.max_row_bytes,
                "tickreel: a recorded struct has at most 1048576 bytes (1 MiB): make its arrays and entities "
                "smaller, or record parts of it as structs of their own");
  const schema described = schema_of<T>();
  // Rejects a schema that readers would reject.
  if (auto known = read_schema(to_bytes(described)); !known) return fail(known.error());
  recorder_options row_options = detail::options_for_rows(options, described, sizeof(T));
  if (auto fits = detail::limit_memory(row_options, described, sizeof(T)); !fits) return fail(fits.error());
  auto encoder = tracks::row_encoder<T>::create(
      {.max_rows = tracks::rows_within(described.row_bytes(), row_options.seal_bytes),
       .max_change_rows = tracks::max_change_rows});
  if (!encoder) return fail(encoder.error());
  encoder->take_events();
  auto opened = recorder<tracks::row_encoder<T>, Policy>::open(reel_path, std::move(*encoder), row_options,
                                                               std::move(sinks));
  if (!opened) return fail(opened.error());
  return recording<T, Policy>(std::move(*opened), reel_path);
}

namespace detail {
// The result type is deduced, so that this is the compiler's first error.
template <class T>
auto refuse_undescribed() {
  static_assert(described<T>,
                "tickreel: describe the struct first, at namespace level and in its own namespace: "
                "TICKREEL_DESCRIBE(name, member, member);");
  return result<T>(T{});
}
}  // namespace detail
// Rejects a type that is not described.
template <class T, loss_policy Policy = loss_policy::drop_newest>
requires(!described<T>)
auto record(const file_path&, const recorder_options& = {},
            const std::vector<std::unique_ptr<reel::sink>>& = {}) {
  return detail::refuse_undescribed<T>();
}
template <class T>
requires(!described<T>)
auto replay(const file_path&) {
  return detail::refuse_undescribed<T>();
}
template <class T>
requires(!described<T>)
auto follow(const file_path&) {
  return detail::refuse_undescribed<T>();
}

// One tick of a recording.
template <class T>
struct replayed {
  std::uint64_t tick = 0;
  std::int64_t time_us = 0;  // since the start of the recording
  T state{};
};

// One event of a recording.
template <class E>
struct happened {
  std::uint64_t tick = 0;
  std::int64_t time_us = 0;  // since the start of the recording
  E event{};
};

// A recording of T, or of an older or newer T: members are matched by name, and members that were not
// recorded keep the value of T{}. One thread at a time. Movable.
template <described T>
class replay_of {
  static_assert(std::is_default_constructible_v<T>,
                "tickreel: a recorded struct has a default constructor: waiting and reading begin with T{}");

 public:
  // Called by replay() and follow().
  static result<replay_of> open(const file_path& path, bool live) {
    auto rows = tracks::row_reader::open(path, live);
    if (!rows) return fail(rows.error());
    const auto wanted = layout_of<T>();
    auto match = layout_match::between(wanted, values_of(rows->described()), rows->described().row_bytes());
    if (const char* why = detail::why_unreadable(match, described_name<T>(), wanted, rows->described())) {
      return fail(error_code::unsupported_operation, error::no_offset, why);
    }
    return replay_of(std::move(*rows), std::move(match));
  }

  // For a recording on another machine.
  static result<replay_of> open(std::unique_ptr<reel::feed> from) {
    auto out = open(from->path(), true);
    if (out) out->from_ = std::move(from);
    return out;
  }

  // The tick with that number: out_of_range if it was not recorded, or is lost.
  [[nodiscard]] result<T> at(std::uint64_t tick) { return state_of(rows_.at_tick(tick)); }
  // A number with a fraction is neither a tick nor a time: use at(9) or at(0.9s).
  template <class Number>
  requires std::is_floating_point_v<Number>
  result<T> at(Number) = delete;
  // The state at that time since the start of the recording: that of the last tick not after it. After the last tick
  // its state applies. out_of_range before the first tick, and if ticks between that one and that time are lost, or
  // may be: also those that the recorder dropped at the end, or that were lost with it.
  template <class Rep, class Period>
  [[nodiscard]] result<T> at(std::chrono::duration<Rep, Period> time) {
    if constexpr (std::is_floating_point_v<Rep>) {
      // NaN is not a time, and the clock cannot express a time outside of its range.
      constexpr Rep max_s = 9e12;
      const Rep seconds = std::chrono::duration<Rep>(time).count();
      if (!(seconds < max_s && seconds > -max_s)) {
        return fail(error_code::invalid_argument, error::no_offset, "no time of a recording");
      }
    }
    const auto time_us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
    return state_of(rows_.at_time(static_cast<std::int64_t>(time_us)));
  }
  // The newest readable tick.
  [[nodiscard]] result<replayed<T>> last() { return replayed_of(rows_.last()); }

  // The next tick in order; empty at the end. During a recording call it again after refresh().
  [[nodiscard]] result<std::optional<replayed<T>>> next() {
    tracks::row_view row;
    const auto more = rows_.next(row);
    if (!more) return fail(more.error());
    if (!*more) return std::optional<replayed<T>>();
    auto one = replayed_of(row);
    if (!one) return fail(one.error());
    return std::optional<replayed<T>>(std::move(*one));
  }
  void rewind() noexcept { rows_.rewind(); }
  // Reads what was recorded since the last call; returns the number of new records. For follow(). Waits for
  // records for at most `wait`; for a recording on another machine also until a broken connection is
  // restored.
  result<std::size_t> refresh(std::chrono::milliseconds wait = {}) {
    return detail::refresh(rows_, from_.get(), wait);
  }
  // The recording has its end: no more ticks follow.
  [[nodiscard]] bool ended() const noexcept { return rows_.contents().end == reel::reel_end::closed; }
  // The current obstacle to receiving a recording from another machine; retries are automatic.
  [[nodiscard]] std::optional<error> trouble() const { return from_ ? from_->trouble() : std::nullopt; }

  // All events that were recorded with the described name of E, in any namespace, in the order of their
  // ticks. Members are matched like those of T. unsupported_operation if one has another type in the
  // recording.
  template <tickreel::described E>
  [[nodiscard]] result<std::vector<happened<E>>> events() {
    auto from = rows_.events();
    auto all = read_events<E>(from);
    if (!all) return all;
    std::stable_sort(all->begin(), all->end(),
                     [](const happened<E>& a, const happened<E>& b) { return a.tick < b.tick; });
    return all;
  }
  // The events since the last call, in the order in which they were written. For follow(), after refresh().
  template <tickreel::described E>
  [[nodiscard]] result<std::vector<happened<E>>> new_events() {
    for (auto& each : followed_) {
      if (each.first == &tracks::event_kind_of<E>) return read_events<E>(each.second);
    }
    followed_.emplace_back(&tracks::event_kind_of<E>, rows_.events());
    return read_events<E>(followed_.back().second);
  }
  // The number of events that the last of those calls missed: records that were or may have been events, and
  // events with unreadable bytes.
  [[nodiscard]] std::uint64_t lost_events() const noexcept { return lost_events_; }

  // All ticks in order: for (const auto& tick : *in). Ends early if reading fails: failure() has the error.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = replayed<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    iterator() noexcept = default;
    explicit iterator(replay_of& of) : of_(&of) { ++*this; }
    reference operator*() const noexcept { return now_; }
    pointer operator->() const noexcept { return &now_; }
    iterator& operator++() {
      auto more = of_->next();
      if (!more) of_->failure_ = more.error();
      if (!more || !*more) {
        of_ = nullptr;
      } else {
        now_ = std::move(**more);
      }
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.of_ == b.of_; }

   private:
    replay_of* of_ = nullptr;
    value_type now_{};
  };
  // Starts at the first tick each time.
  [[nodiscard]] iterator begin() {
    failure_.reset();
    rows_.rewind();
    return iterator(*this);
  }
  [[nodiscard]] iterator end() noexcept { return {}; }
  [[nodiscard]] const std::optional<error>& failure() const noexcept { return failure_; }

  // The number of ticks in the reel.
  [[nodiscard]] std::uint64_t size() const noexcept { return rows_.contents().frames; }
  // What next() and the loop skipped: .ticks were recorded but are unreadable; .gap_ticks were reported
  // missing by the recorder, for example because the ring was full. missing_ticks() is the sum.
  [[nodiscard]] const reel::loss_totals& losses() const noexcept { return rows_.totals(); }
  // Members of T that the recording lacks, members that only the recording has, enumerators that T no longer
  // has, texts with less capacity. One entry per member.
  [[nodiscard]] std::span<const layout_difference> differences() const noexcept {
    return match_.differences();
  }
  // Names, types, units, rates and the other contents of the header.
  [[nodiscard]] const schema& described() const noexcept { return rows_.described(); }
  [[nodiscard]] const reel::header& head() const noexcept { return rows_.head(); }

 private:
  replay_of(tracks::row_reader&& rows, layout_match&& match)
      : rows_(std::move(rows)), match_(std::move(match)) {
    append_component(defaults_, T{});
  }

  result<T> state_of(const result<tracks::row_view>& row) {
    if (!row) return fail(row.error());
    if (match_.is_same()) return read_component<T>(row->bytes);
    row_ = defaults_;
    if (const auto done = match_.apply(row->bytes, row_); !done) return fail(done.error());
    return read_component<T>(row_);
  }
  result<replayed<T>> replayed_of(const result<tracks::row_view>& row) {
    auto state = state_of(row);
    if (!state) return fail(state.error());
    return replayed<T>{row->stamp.tick, row->stamp.time_us, std::move(*state)};
  }

  template <tickreel::described E>
  result<std::vector<happened<E>>> read_events(tracks::event_reader& from) {
    struct kind {
      std::uint32_t type = 0;
      layout_match match;
      const char* unreadable = nullptr;
    };
    std::vector<happened<E>> out;
    std::vector<std::uint32_t> types;
    std::vector<kind> kinds;
    tracks::event_view next;
    for (;;) {
      const auto more = from.next(next);
      if (!more) return fail(more.error());
      if (!*more) break;
      if (next.described == nullptr || next.name() != described_name<E>()) continue;
      auto known =
          std::find_if(kinds.begin(), kinds.end(), [&](const kind& each) { return each.type == next.type; });
      if (known == kinds.end()) {
        const auto wanted = layout_of<E>();
        auto match = layout_match::between(wanted, values_of(*next.described), next.described->row_bytes());
        const char* const why = detail::why_unreadable(match, next.name(), wanted, *next.described);
        kinds.push_back({next.type, std::move(match), why});
        known = kinds.end() - 1;
      }
      if (known->unreadable != nullptr) continue;
      auto event = read_component<E>(next.bytes, known->match);
      if (!event) return fail(event.error());
      out.push_back({next.stamp.tick, next.stamp.time_us, std::move(*event)});
      types.push_back(next.type);
    }
    // A reel may contain several structs with this name: then only those with the shape of E are returned.
    const auto is_same = [](const kind& each) { return each.match.is_same(); };
    const auto is_other = [&](std::uint32_t type) {
      return !std::find_if(kinds.begin(), kinds.end(), [&](const kind& each) {
                return each.type == type;
              })->match.is_same();
    };
    if (std::none_of(kinds.begin(), kinds.end(), is_same)) {
      for (const kind& each : kinds) {
        if (each.unreadable != nullptr)
          return fail(error_code::unsupported_operation, error::no_offset, each.unreadable);
      }
      if (kinds.size() > 1) {
        return fail(error_code::unsupported_operation, error::no_offset,
                    "the recording has several structs of events with that name, and none is as it is now: "
                    "declare it as one of them was, which 'tickreel info' shows, to read those");
      }
    } else if (!std::all_of(kinds.begin(), kinds.end(), is_same)) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (is_other(types[i])) continue;
        if (kept != i) out[kept] = std::move(out[i]);
        ++kept;
      }
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
    }
    lost_events_ = from.unreadable();
    for (const reel::loss& each : from.losses()) lost_events_ += each.records;
    return out;
  }

  std::unique_ptr<reel::feed> from_;  // owns the file of rows_, so it is destroyed last
  tracks::row_reader rows_;
  std::vector<std::pair<const tracks::event_kind*, tracks::event_reader>> followed_;
  std::uint64_t lost_events_ = 0;
  layout_match match_;
  byte_vector defaults_;  // T{} as a row
  byte_vector row_;
  std::optional<error> failure_;
};

// Opens a recording of described structs: finished, abandoned after a crash, or compacted. Fails as
// reel::reader does. unsupported_operation for another kind of reel, if the recording has no member of T, and
// if the recorded type of a member cannot be read as its type in T: the error names both types.
template <described T>
result<replay_of<T>> replay(const file_path& reel_path) {
  return replay_of<T>::open(reel_path, false);
}

// The same for a recording in progress: refresh() finds what was sealed since, at most one chunk old. If
// tickreel/fleet/follow.hpp is included and tickreel::fleet linked, it also accepts the address of a match on
// another machine, nats://host:4222/league/match; otherwise unsupported_operation.
template <described T>
result<replay_of<T>> follow(const file_path& reel_path) {
  if (reel::is_address(reel_path.utf8())) {
    auto from = reel::open_feed(reel_path.utf8());
    if (!from) return fail(from.error());
    return replay_of<T>::open(std::move(*from));
  }
  return replay_of<T>::open(reel_path, true);
}

}  // namespace tickreel
