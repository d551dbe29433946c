#include "echo_recording.hpp"

#include <utility>

#include "echo_events.hpp"
#include "echo_losses.hpp"
#include "echo_statistics.hpp"
#include "echo_summary.hpp"
#include "ongoing_summary.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/json_repair.hpp"

namespace tickreel::files {

namespace {

class echo_recording final : public recording,
                             public event_source,
                             public statistics_source,
                             public echo_states,
                             public growing_recording,
                             public entry_points {
 public:
  echo_recording(std::string_view format, std::unique_ptr<echo_input> input)
      : format_(format), input_(std::move(input)), state_(std::make_unique<echo::state>()) {}

  std::string_view format() const noexcept override { return format_; }
  capabilities offers() noexcept override {
    return {.events = this, .statistics = this, .echo = this, .growth = this, .entries = this};
  }

  result<bool> next() override {
    if (take_found()) return true;
    auto more = input_->next(*state_);
    if (more && *more) take_position();
    return more;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    const auto time = echo::format_time(state_->recorded_time_ms);
    json += "\"recorded_time\":";
    text::append_json_text({time.data(), time.size()}, json);
    json += ',';
    append_session(json);
    if (!input_->session_json().empty()) {
      if (const std::string_view bones = input_->bones_json(); !bones.empty()) {
        json += ",\"bones\":";
        text::append_repaired_json(bones, json);
      }
      return;
    }
    bones_.clear();
    echo::append_bones_json(*state_, shape_without_words(), echo::number_style::shortest, bones_);
    if (!bones_.empty()) {
      json += ",\"bones\":";
      json += bones_;
    }
  }

  bool append_member(std::string_view name, std::string& json) const override {
    if (name != "session") return false;
    append_session(json);
    return true;
  }
  result<void> read_disc_only() override { return input_->keep_disc_only(true) ? rewind() : result<void>(); }
  bool keeps_text() const noexcept override { return input_->keeps_source_text(); }
  const echo::state* echo_state() const noexcept override { return state_.get(); }

  std::optional<double> game_clock() const noexcept override {
    if ((state_->match.fields & echo::session::has_game_clock) == 0) return std::nullopt;
    return static_cast<double>(state_->match.game_clock);
  }

  // append_state() writes the recorded text if there is any, as JSON that every parser accepts.
  std::vector<std::string> losses() const override {
    auto all = sentences_of_losses(*input_);
    if (missing_events_ != 0) {
      all.push_back(counted(missing_events_, "of the events that were recorded is",
                            "of the events that were recorded are") +
                    " missing");
    }
    if (players_left_out_ != 0) {
      all.push_back(counted(players_left_out_, "time") + " a player exceeded the limit and was not counted");
    }
    return all;
  }

  bool is_shifted(moment::by unit) const override {
    if (unit == moment::by::clock)
      return (state_->match.fields & echo::session::has_game_clock) == 0 &&
             input_->is_shifted(moment::by::time);
    return input_->is_shifted(unit);
  }

  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override {
    auto lines = echo_event_lines::make(query, each);
    if (!lines) return fail(lines.error());
    input_->leave_bones_out(true);
    if (auto back = rewind(); !back) return fail(back.error());
    const bool kept = input_->give_event_records([&](byte_span record) { lines->take_record(record); });
    auto walked = pass_events(*lines, kept, watch);
    (void)input_->give_event_records({});
    input_->leave_bones_out(false);
    if (walked) lines->finish();
    missing_events_ = lines->missing();
    if (!walked) return fail(walked.error());
    if (!lines->knows_player()) {
      return fail(error_code::invalid_argument, error::no_offset,
                  "the recording has no player of that name or number");
    }
    return lines->given();
  }

  result<std::vector<std::string>> event_types() override {
    std::vector<std::string> out;
    for (std::size_t type = 0; type < echo::event_type_count; ++type) out.emplace_back(echo::type_name(type));
    return out;
  }

  result<void> rewind() override {
    found_ = false;
    missing_events_ = 0;
    players_left_out_ = 0;
    if (ongoing_) end_walk();
    return input_->rewind();
  }

  result<void> seek(const moment& where) override {
    if (where.unit == moment::by::clock) return recording::seek(where);
    if (!first_time_ms_) {
      // Times count from the first tick, which an index would skip.
      if (auto back = rewind(); !back) return back;
      if (auto first = next(); !first) return fail(first.error());
    }
    if (auto near = input_->approach(where); !near) return near;
    found_ = false;
    if (where.unit == moment::by::tick) {
      auto more = input_->next_from(where.tick, *state_);
      if (!more) return fail(more.error());
      // An index may have skipped ticks with unknown times; the slow search finds the time of the last tick.
      if (!*more) return recording::seek(where);
      take_position();
      found_ = true;
      return {};
    }
    const auto before = [&] { return static_cast<double>(position_.time_ms) < where.seconds * 1000 - 0.5; };
    bool first_tick = true;
    bool approached = true;
    for (;;) {
      auto more = next();
      if (!more) return fail(more.error());
      if (!*more) return recording::seek(where);
      if (before()) {
        first_tick = false;
        input_->forget_losses(false);
        continue;
      }
      // If times do not rise, the index may have led too far.
      if (first_tick && position_.tick != 0 && std::exchange(approached, false)) {
        if (auto back = rewind(); !back) return back;
        continue;
      }
      found_ = true;
      return {};
    }
  }

  std::vector<entrance> entrances() const override { return input_->entrances(); }
  void learn(const std::vector<entrance>& known) override { input_->learn(known); }

  result<summary> summarise(const monitor& watch) override {
    echo_summary totals;
    const auto add = [&](const echo::state& now, const tick_place& place) {
      totals.add(now, place);
      input_->count_line();
      return true;
    };
    if (auto looked = look_at_all(add, watch); !looked) return fail(looked.error());
    return summary_of(totals);
  }

  // A summary reads few members of a tick.
  result<summary> quick_summary(const monitor& watch) override {
    input_->keep_summary_only(true);
    auto out = summarise(watch);
    input_->keep_summary_only(false);
    return out;
  }

  result<summary> summarise_events(const std::function<void(std::string_view)>& each,
                                   const monitor& watch) override {
    auto begun = ongoing_summary::begin();
    if (!begun) return fail(begun.error());
    ongoing_summary& walk = **begun;
    const observer to{.event = each};
    walk.to = &to;
    if (auto back = rewind(); !back) return fail(back.error());
    walk.take_records_of(*input_);
    // Derived events need more members of a tick than a summary.
    input_->keep_summary_only(walk.kept);
    const auto add = [&](const echo::state& now, const tick_place&) {
      walk.add(position_, now, *input_);
      return true;
    };
    const auto looked = look_at_all(add, watch);
    input_->keep_summary_only(false);
    (void)input_->give_event_records({});
    if (!looked) return fail(looked.error());
    walk.finish();
    missing_events_ = walk.lines->missing();
    return summary_of(walk.totals);
  }

  result<summary> resume(const observer& to, const monitor& watch) override {
    if (ongoing_ == nullptr) {
      if (auto back = rewind(); !back) return fail(back.error());
      auto begun = ongoing_summary::begin();
      if (!begun) return fail(begun.error());
      ongoing_ = std::move(*begun);
      ongoing_->take_records_of(*input_);
    }
    ongoing_->to = &to;
    const auto done = walk_on(*ongoing_, watch);
    ongoing_->to = nullptr;
    if (!done) return fail(done.error());
    missing_events_ = ongoing_->lines->missing();
    return summary_of(ongoing_->totals);
  }

  [[nodiscard]] summary summary_of(const echo_summary& totals) const {
    summary out;
    out.bytes = input_->bytes_total();
    input_->describe(out);
    totals.describe(out);
    describe_losses(*input_, out);
    return out;
  }

  std::optional<summary> head() const override {
    summary out;
    out.bytes = input_->bytes_total();
    input_->describe(out);
    return out;
  }

  result<verification> verify(const monitor& watch) override {
    echo_summary totals;
    const auto add = [&](const echo::state& now, const tick_place& place) {
      totals.add(now, place);
      (void)input_->whole_line();
      return true;
    };
    if (auto looked = look_at_all(add, watch); !looked) return fail(looked.error());
    verification out;
    out.ticks = totals.ticks();
    inspect_losses(*input_, out);
    totals.inspect(out.findings);
    if (out.ticks == 0) out.findings.push_back({severity::warning, error::no_offset, "no ticks can be read"});
    return out;
  }

  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch) override {
    echo_matches matches(each);
    input_->leave_bones_out(true);
    auto looked = look_at_all([&](const echo::state& now,
                                  const tick_place& place) { return matches.see(now, place.tick, *input_); },
                              watch);
    input_->leave_bones_out(false);
    if (!looked) return looked;
    matches.finish(*input_);
    players_left_out_ = matches.players_left_out();
    return {};
  }

 protected:
  result<growth> take_growth() override { return input_->extend(); }

 private:
  result<void> walk_on(ongoing_summary& walk, const monitor& watch) {
    for (std::uint64_t count = 1;; ++count) {
      if (count % 256 == 0) {
        watch.report(input_->bytes_done(), input_->bytes_total());
        if (watch.stop()) return fail(error_code::interrupted);
      }
      const auto more = next();
      if (!more) return fail(more.error());
      if (!*more) break;
      walk.add(position_, *state_, *input_);
    }
    if (!input_->losses().cut_short) walk.finish();
    return {};
  }
  void end_walk() {
    (void)input_->give_event_records({});
    ongoing_.reset();
  }

  // A tick whose text is lost, in a recording that keeps the text, is printed with its known fields in the
  // game's JSON; unknown fields are omitted.
  [[nodiscard]] echo::json_shape shape_without_words() const noexcept {
    return input_->keeps_source_text() ? echo::json_shape::api : echo::json_shape::model;
  }

  // The game's text if the recording keeps it; otherwise the JSON of the format.
  void append_session(std::string& json) const {
    json += "\"session\":";
    if (const std::string_view words = input_->session_json(); !words.empty()) {
      text::append_repaired_json(words, json);
      return;
    }
    echo::append_session_json(*state_, shape_without_words(), echo::number_style::shortest, json);
  }

  // `kept`: the events are read from the reel together with the ticks.
  result<void> pass_events(echo_event_lines& lines, bool kept, const monitor& watch) {
    echo::event_detector detector;
    constexpr std::uint64_t report_every = 256;
    for (std::uint64_t count = 0; !lines.stopped(); ++count) {
      if (count % report_every == 0) {
        watch.report(input_->bytes_done(), input_->bytes_total());
        if (watch.stop()) return fail(error_code::interrupted);
      }
      const auto more = next();
      if (!more) return fail(more.error());
      if (!*more) {
        if (!kept) detector.finish(lines);
        return {};
      }
      lines.look(position_, *state_);
      if (kept) continue;  // events of a tick may follow later ticks
      if (lines.is_past()) return {};
      detector.see(position_.tick, *state_, lines);
    }
    return {};
  }

  void take_position() {
    if (!first_time_ms_) first_time_ms_ = input_->start_ms().value_or(state_->recorded_time_ms);
    const tick_place& place = input_->place();
    position_ = {place.tick, state_->recorded_time_ms - *first_time_ms_, place.offset, place.keyframe};
  }

  // Passes every readable tick to `see`, until that returns false.
  template <class See>
  result<void> look_at_all(See&& see, const monitor& watch) {
    if (auto back = rewind(); !back) return back;
    input_->set_tolerant(true);
    constexpr std::uint64_t report_every = 256;
    result<void> outcome;
    for (std::uint64_t count = 0;; ++count) {
      if (count % report_every == 0) {
        watch.report(input_->bytes_done(), input_->bytes_total());
        if (watch.stop()) {
          outcome = fail(error_code::interrupted);
          break;
        }
      }
      auto more = next();
      if (!more) {
        outcome = fail(more.error());
        break;
      }
      if (!*more) break;
      if (!see(*state_, input_->place())) break;
    }
    input_->set_tolerant(false);
    watch.report(input_->bytes_total(), input_->bytes_total());
    return outcome;
  }

  std::string_view format_;
  std::unique_ptr<echo_input> input_;
  std::unique_ptr<echo::state> state_;
  tick_position position_;
  std::optional<std::int64_t> first_time_ms_;
  mutable std::string bones_;
  std::uint64_t missing_events_ = 0;
  std::uint64_t players_left_out_ = 0;
  std::unique_ptr<ongoing_summary> ongoing_;
};

}  // namespace

std::unique_ptr<recording> make_echo_recording(std::string_view format, std::unique_ptr<echo_input> input) {
  return std::make_unique<echo_recording>(format, std::move(input));
}

}  // namespace tickreel::files
