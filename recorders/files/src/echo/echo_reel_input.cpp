// A source of Echo VR ticks from reels.
#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "clock_search.hpp"
#include "echo_recording.hpp"
#include "echo_reels.hpp"
#include "echo_rows.hpp"
#include "reels/decoded_reel.hpp"
#include "reels/reel_facts.hpp"
#include "reels/schema_text.hpp"
#include "reels/ticked_reel.hpp"
#include "tick_lines.hpp"
#include "tickreel/butter/decoder.hpp"
#include "tickreel/echoreplay/decoder.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/files/range.hpp"

namespace tickreel::files {

namespace {

template <class Decoder>
class echo_reel_input final : public echo_input {
 public:
  echo_reel_input(reel::reader source, Decoder decoder, const echo_options& options)
      : source_(std::move(source)),
        ticks_(source_, std::move(decoder), {.live = options.live}),
        lines_(source_),
        live_(options.live),
        keeps_frames_(std::is_same_v<Decoder, butter::decoder> && !options.repair) {}

  result<void> begin() {
    if constexpr (decoder_with_header<Decoder>) return ticks_.apply_header();
    return {};
  }

  result<bool> next(echo::state& out) override { return next_from(0, out); }

  result<bool> next_from(std::uint64_t tick, echo::state& out) override {
    // Lines are restored on demand, by calls that cannot fail.
    if (const auto failed = lines_.take_failure()) return fail(*failed);
    reel::frame came;
    result<bool> more = true;
    if (held_ && held_->tick >= tick) {
      came.stamp = stamp_;
      came.kind = held_->keyframe ? frame_kind::keyframe : frame_kind::delta;
    } else {
      more = ticks_.next_from(tick, came);
    }
    held_.reset();
    if (more && !*more) {
      has_last_ = has_place_;
      has_place_ = false;
      ended_ = true;
    }
    if (!more || !*more) return more;
    const tick_place place{came.stamp.tick, ticks_.chunk().offset, came.kind == frame_kind::keyframe};
    stamp_ = came.stamp;
    frame_bytes_ = came.bytes;
    if (waits_for_line(place.tick)) {
      held_ = place;
      has_place_ = false;
      ended_ = true;
      return false;
    }
    ended_ = false;
    lines_.pass(place.tick);
    echo::copy_state(out, ticks_.decoder().state());
    place_ = place;
    has_place_ = true;
    ++passed_;
    return true;
  }

  std::string_view session_json() const noexcept override {
    if (const restored_lines* line = restored()) return line->columns().session;
    if constexpr (requires { ticks_.decoder().columns(); }) return ticks_.decoder().columns().session;
    return {};
  }
  std::string_view bones_json() const noexcept override {
    if (const restored_lines* line = restored()) return line->columns().bones;
    if constexpr (requires { ticks_.decoder().columns(); }) return ticks_.decoder().columns().bones;
    return {};
  }
  std::string_view text_before() const noexcept override {
    const restored_lines* const line = restored();
    return line != nullptr ? line->before() : std::string_view();
  }
  std::string_view whole_line() const noexcept override {
    const restored_lines* const line = restored();
    return line != nullptr ? line->whole_line() : std::string_view();
  }
  std::string_view text_after() const noexcept override {
    return ended_ && has_last_ && restores_text() ? lines_.text_after() : std::string_view();
  }
  void count_line() override {
    if constexpr (of_rows) {
      if (has_place_ && restores_text()) lines_.count(ticks_.decoder().line());
    }
  }
  bool restores_text() const noexcept override { return of_rows && keeps_lines(source_.head()); }

  std::string_view source_line() const noexcept override {
    if constexpr (requires { ticks_.decoder().text(); }) return ticks_.decoder().text();
    return {};
  }

  frame kept_frame() const noexcept override { return {frame_bytes_, place_.keyframe}; }
  byte_vector kept_frame_header() override {
    if (!keeps_frames_) return {};
    auto head = source_.last_header_update();
    return head ? std::move(*head) : byte_vector();
  }

  bool give_event_records(std::function<void(byte_span)> to) override {
    const bool keeps = source_.head().find(echo_events_key) != nullptr;
    if (keeps) ticks_.give_event_records(std::move(to));
    return keeps;
  }

  loss_count lost_to_date() const noexcept override {
    return {ticks_.losses().ticks(), ticks_.losses().unknown_places()};
  }
  bool numbers_losses() const noexcept override { return true; }
  bool is_doubtful() const noexcept override { return files::is_doubtful(source_.head()); }

  std::string_view cut_from() const noexcept override {
    const reel::metadata_entry* const from = source_.head().find(cut_key);
    return from != nullptr ? as_text(from->value) : std::string_view();
  }

  std::optional<std::int64_t> start_ms() const noexcept override {
    // A clip counts from its own first tick.
    if (!has_place_ || !cut_from().empty() || !lacks_beginning()) return std::nullopt;
    // Stamps have the recorder's clock. Recorded times may have another one, for example a simulation's: then
    // the header's time is none of theirs.
    constexpr std::int64_t clock_difference_ms = 1000;
    const std::int64_t since_first_us = difference(stamp_.time_us, first_stamp_us());
    const std::int64_t by_stamps = difference(ticks_.decoder().state().recorded_time_ms,
                                              since_first_us / 1000 + (since_first_us % 1000) / 500);
    const std::int64_t by_header = source_.head().start_time_us / 1000;
    const std::int64_t apart_ms = difference(by_header, by_stamps);
    const bool is_same_clock =
        by_header != 0 && apart_ms >= -clock_difference_ms && apart_ms <= clock_difference_ms;
    return is_same_clock ? by_header : by_stamps;
  }

  void leave_bones_out(bool left_out) override { ticks_.leave_bones_out(left_out); }
  void keep_summary_only(bool only) override { ticks_.keep_summary_only(only); }
  bool keep_disc_only(bool only) override { return ticks_.keep_disc_only(only); }
  void keep_times_only(bool only) override {
    times_only_ = only;
    ticks_.keep_times_only(only);
  }

  bool keeps_source_text() const noexcept override {
    if constexpr (of_rows) return keeps_lines(source_.head());
    return requires { ticks_.decoder().columns(); };
  }

  source_losses losses() const override {
    source_losses all;
    all.unrecorded = ticks_.unrecorded();
    all.left_out = ticks_.left_out();
    if (restores_text()) {
      // The text of the responses is stored.
      std::swap(all.left_out, all.unrecorded);
      all.counted_by_recorder = true;
    }
    if (is_doubtful()) all.doubtful_ticks = passed_;
    const reel::table_of_contents& contents = source_.contents();
    all.lost_ticks = ticks_.losses().ticks();
    all.places = ticks_.losses().sentences();
    if (restores_text()) lines_.report(all, ended_ && has_last_, ticks_.losses().damaged());
    all.damaged = ticks_.losses().damaged();
    all.begins_late = ticks_.losses().begins_late();
    all.begins_at = ticks_.losses().begins_at();
    all.ticks_before = ticks_.losses().ticks_before();
    // Reported only at the end of the reel.
    if (ended_) {
      all.torn_bytes = torn_bytes(contents);
      all.cut_short = contents.end != reel::reel_end::closed;
      all.being_recorded = all.cut_short && source_.is_being_written();
      all.ends_at = contents.valid_bytes;
    }
    return all;
  }
  std::uint64_t bytes_done() const noexcept override { return place_.offset; }
  std::uint64_t bytes_total() const noexcept override { return source_.contents().file_bytes; }
  const tick_place& place() const noexcept override { return place_; }
  // Losses of a reel are always reported and never stop the reading.
  void set_tolerant(bool) noexcept override {}
  const std::vector<error>& faults() const noexcept override { return no_faults_; }

  result<void> rewind() override {
    ticks_.restart(0);
    place_ = {};
    has_place_ = has_last_ = ended_ = false;
    held_.reset();
    lines_.restart();
    passed_ = 0;
    return {};
  }

  result<void> approach(const moment& where) override {
    // Recorded times and the reel's own clock may differ slightly, by less than two seconds.
    constexpr double margin_s = 2;
    const auto chunk =
        where.unit == moment::by::tick
            ? source_.chunk_for_tick(where.tick)
            : source_.chunk_for_time(static_cast<std::int64_t>((where.seconds - margin_s) * 1e6));
    // Decoding continues from here if the place is ahead and no keyframe is closer to it.
    const bool ahead = has_place_ && where.unit == moment::by::tick && place_.tick < where.tick;
    if (chunk && ahead && *chunk < ticks_.next_record_number()) return {};
    if (auto back = rewind(); !back) return back;
    if (chunk) ticks_.restart(*chunk);
    return {};
  }

  result<growth> extend() override {
    if (!live_) return echo_input::extend();
    const auto grew = ticks_.extend();
    if (grew && *grew == growth::more) ended_ = false;
    return grew;
  }

  void forget_losses(bool) override {
    ticks_.forget_losses();
    lines_.forget_losses();
    passed_ = 0;
  }

  // For game clocks: uses the clocks in the first frames of chunks.
  result<bool> approach_without_number(const moment& where) override {
    if (where.unit != moment::by::clock) return true_after(approach(where));
    ticks_.keep_times_only(true);
    const std::optional<std::size_t> found = entrance_by_clock(where.seconds);
    ticks_.keep_times_only(times_only_);
    return found ? enter(*found) : true_after(rewind());
  }

  void describe(summary& out) const override {
    // Before the end, only of a head. If a gap record cannot be read, next() fails when it comes to it.
    const auto lost = ended_
                          ? counted_losses(ticks_.losses())
                          : recorded_losses(source_).value_or(stated_losses{source_.contents().lost_ticks});
    describe_reel(source_, lost, out);
    // Levels of members in a sentence; a tick has hundreds of members.
    constexpr unsigned levels_of_text = 1;
    if (source_.head().encoder_name != tracks::rows_name) return;
    if (const auto described = read_schema(source_.head().schema)) {
      out.facts.push_back({"fields", fields_text(*described, levels_of_text)});
    }
  }
  void inspect(std::vector<finding>& out) const override {
    ticks_.losses().inspect(out, source_.is_being_written());
    inspect_reel(source_, out);
    if (is_doubtful()) {
      out.push_back({severity::warning, error::no_offset,
                     "made of an archive whose checksum was wrong: any tick may have been changed"});
    }
  }

 private:
  result<bool> enter(std::size_t record) {
    if (auto back = rewind(); !back) return fail(back.error());
    ticks_.restart(record);
    return true;
  }

  // The last chunk that begins before the game clock falls to `seconds`; empty if no frame has a clock.
  std::optional<std::size_t> entrance_by_clock(double seconds) {
    clock_search search(seconds);
    const auto& records = source_.contents().records;
    for (std::size_t number = 0; number < records.size(); ++number) {
      const reel::record_info& info = records[number];
      if (!info.is_entrance() || info.damaged) continue;
      ticks_.restart(number);
      reel::frame first;
      const auto more = ticks_.next(first);
      if (!more || !*more) break;
      const echo::session& at = ticks_.decoder().state().match;
      if ((at.fields & echo::session::has_game_clock) == 0) return std::nullopt;
      if (search.pass(number, static_cast<double>(at.game_clock))) break;
    }
    return search.found();
  }

  static constexpr bool of_rows = requires(const Decoder& decoder) { decoder.line(); };

  // The line of the current tick, if there is a tick and the reel keeps lines.
  [[nodiscard]] const restored_lines* restored() const {
    if constexpr (of_rows) {
      if (has_place_ && restores_text()) {
        return &lines_.restore(ticks_.decoder().line(), ticks_.decoder().state());
      }
    }
    return nullptr;
  }
  // While the reel is being written, a tick is returned only after the data of its line.
  bool waits_for_line(std::uint64_t tick) {
    if constexpr (of_rows) {
      return live_ && restores_text() &&
             lines_.waits(tick, ticks_.decoder().line(), ticks_.next_record_number());
    }
    return false;
  }

  // The record of the first tick, or gap; null if there is none.
  [[nodiscard]] const reel::record_info* first_record() const noexcept {
    const auto& records = source_.contents().records;
    const auto first = std::ranges::find_if(records, &reel::record_info::counts_ticks);
    return first == records.end() ? nullptr : &*first;
  }

  // Whether the reel lacks ticks before the chunk of the current tick.
  [[nodiscard]] bool lacks_beginning() const noexcept {
    const reel::record_info& given = ticks_.chunk();
    if (given.ticks_before) return *given.ticks_before != 0;
    const reel::record_info* const first = first_record();
    return first != nullptr && first->sequence != given.sequence;
  }

  // That of the recording's first tick, or gap, where its record is known.
  [[nodiscard]] std::int64_t first_stamp_us() const noexcept {
    const reel::record_info* const first = first_record();
    return first != nullptr && first->ticks_before == std::uint64_t{0} ? first->first_time_us : 0;
  }

  mutable reel::reader source_;
  decoded_reel<Decoder> ticks_;
  mutable tick_lines lines_;
  bool live_ = false;
  tick_place place_;
  // Of the frame that was decoded last.
  frame_stamp stamp_;
  byte_span frame_bytes_;
  bool keeps_frames_ = false;  // they are those of a .butter, unchanged
  bool has_place_ = false;
  bool ended_ = false;
  std::optional<tick_place> held_;  // decoded, returned when its line is available
  std::uint64_t passed_ = 0;        // ticks returned since losses are counted
  std::vector<error> no_faults_;
  bool has_last_ = false;
  bool times_only_ = false;
};

template <class Decoder>
result<std::unique_ptr<echo_input>> open_as(reel::reader source, Decoder decoder,
                                            const echo_options& options) {
  auto made = std::make_unique<echo_reel_input<Decoder>>(std::move(source), std::move(decoder), options);
  if (auto begun = made->begin(); !begun) return fail(begun.error());
  return made;
}

}  // namespace

result<std::unique_ptr<echo_input>> open_butter_reel(reel::reader source, const echo_options& options) {
  butter::reader_options reading;
  reading.repair = options.repair;
  return open_as(std::move(source), butter::decoder(reading), options);
}

result<std::unique_ptr<echo_input>> open_echoreplay_reel(reel::reader source, const echo_options& options) {
  return open_as(std::move(source), echoreplay::decoder(), options);
}

result<std::unique_ptr<echo_input>> open_row_reel(reel::reader source, const echo_options& options) {
  auto rows = echo_row_decoder::create(source.head().schema);
  if (!rows) return fail(rows.error());
  return open_as(std::move(source), std::move(*rows), options);
}

result<std::unique_ptr<echo_input>> open_echo_reel(const byte_source& from, const echo_options& options) {
  auto source = reel::reader::open(from);
  if (!source) return fail(source.error());
  const auto row = reel_encoder_of(source->head());
  if (!row) return fail(row.error());
  if ((*row)->open_echo == nullptr) {
    return fail(error_code::unsupported_operation, 0, "the reel's frames are not Echo VR ticks");
  }
  return (*row)->open_echo(std::move(*source), options);
}

result<std::unique_ptr<recording>> open_echo_reel_recording(const byte_source& from,
                                                            const open_options& options) {
  auto ticks = open_echo_reel(from, {.repair = options.repair, .live = options.live});
  if (!ticks) return fail(ticks.error());
  return make_echo_recording("reel", std::move(*ticks));
}

}  // namespace tickreel::files
