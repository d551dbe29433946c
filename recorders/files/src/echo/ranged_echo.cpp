#include "ranged_echo.hpp"

#include <utility>

namespace tickreel::files {

namespace {

std::optional<double> clock_of(const echo::state& tick) noexcept {
  if ((tick.match.fields & echo::session::has_game_clock) == 0) return std::nullopt;
  return static_cast<double>(tick.match.game_clock);
}

// Detects the tick at which a game clock has fallen to a place, as recording::seek() does.
class falling_clock {
 public:
  explicit falling_clock(double wanted) : wanted_(wanted) {}

  bool reached(double clock) noexcept {
    constexpr double rounding = 1e-4;
    const bool above = clock > wanted_ + rounding;
    const bool exact = clock >= wanted_ - rounding;
    const bool there = !above && (was_above_ || (first_ && exact));
    was_above_ = above;
    first_ = false;
    return there;
  }

 private:
  double wanted_;
  bool first_ = true;
  bool was_above_ = false;
};

}  // namespace

bool ranged_echo::is_after_end(const echo::state& tick) const {
  return range_.to && is_after(*range_.to, input_->place().tick, time_of(tick), clock_of(tick));
}

void ranged_echo::take(const echo::state& tick) {
  if (has_numbers_) {
    if (!cut_.first_tick) cut_.first_tick = input_->place().tick;
    cut_.last_tick = input_->place().tick;
  }
  cut_.last_ms = time_of(tick);
  ++taken_;
  // Later ticks are not in the range; losses after the last requested tick are not read.
  ended_ = range_.to && range_.to->unit == moment::by::tick && input_->place().tick >= range_.to->tick;
  // The same for times, which several ticks may share.
  if (range_.to && range_.to->unit == moment::by::time &&
      !is_before(*range_.to, input_->place().tick, time_of(tick), std::nullopt)) {
    losses_at_end_ = input_->losses();
    lost_at_end_ = input_->lost_to_date();
  }
}

result<void> ranged_echo::past_end() {
  tick_position last;
  if (auto back = input_->rewind(); !back) return back;
  for (;;) {
    const auto more = input_->next(*first_);
    if (!more) return fail(more.error());
    if (!*more) return fail_past_end(last);
    last.tick = input_->place().tick;
    last.time_ms = time_of(*first_);
  }
}

result<void> ranged_echo::go_to(const moment& from, const std::function<void(const echo::state&)>& passed) {
  const bool numbered = range_.uses(moment::by::tick);
  // From the beginning, so that `passed` is called for every tick.
  if (auto back = input_->rewind(); !back) return back;
  if (numbered && from.unit != moment::by::clock) {
    if (auto near = input_->approach(from); !near) return near;
  } else if (!numbered) {
    const auto near = input_->approach_without_number(from);
    if (!near) return fail(near.error());
    has_numbers_ = *near;
  }
  falling_clock clock(from.seconds);
  bool any_clock = false;
  bool approached = true;
  for (bool first = true;; first = false) {
    const auto more = input_->next(*first_);
    if (!more) return fail(more.error());
    if (!*more) {
      if (any_clock) {
        return fail(error_code::out_of_range, error::no_offset, "the game clock never falls to that");
      }
      return past_end();
    }
    const std::uint64_t tick = input_->place().tick;
    bool before = false;
    if (from.unit == moment::by::clock && clock_of(*first_)) {
      any_clock = true;
      before = !clock.reached(*clock_of(*first_));
    } else {
      before = is_before(from, tick, time_of(*first_), std::nullopt);
      // If times do not increase, the index may have led too far.
      const bool too_far = first && approached && from.unit == moment::by::time &&
                           is_after(from, tick, time_of(*first_), std::nullopt);
      if (too_far) {
        approached = false;
        has_numbers_ = true;
        if (auto back = input_->rewind(); !back) return back;
        continue;
      }
    }
    if (!before) return {};
    input_->forget_losses(range_.uses(moment::by::tick));
    if (passed) passed(*first_);
    cut_.last_tick = has_numbers_ ? std::optional(tick) : std::nullopt;
  }
}

result<void> ranged_echo::fail_no_tick() const {
  const auto next = static_cast<std::int64_t>(input_->place().tick);
  if (input_->losses().lost_ticks != 0) {
    return fail(error_code::out_of_range, error::no_offset,
                "no tick is there: it is lost, and the next is tick {}", next);
  }
  if (has_numbers_ && cut_.last_tick) {
    return fail(error_code::out_of_range, error::no_offset,
                "no tick is there: the one before is tick {}, the next is tick {}",
                static_cast<std::int64_t>(*cut_.last_tick), next);
  }
  return fail(error_code::out_of_range, error::no_offset,
              "no tick is there: the next one is {} ms after the beginning", time_of(*first_));
}

result<void> ranged_echo::find(const std::function<void(const echo::state&)>& passed) {
  found_ = true;
  first_given_ = ended_ = input_ended_ = false;
  losses_at_end_.reset();
  has_numbers_ = true;
  taken_ = 0;
  cut_ = {};
  tick_before_.reset();
  tick_after_.reset();
  if (auto back = input_->rewind(); !back) return back;
  const auto more = input_->next(*first_);
  if (!more) return fail(more.error());
  if (!*more) return fail(error_code::truncated, error::no_offset, "there is no tick to convert");
  first_readable_ = input_->place().tick;
  // Times count from the first tick, which approaching would skip, or from the recorded start.
  start_ms_ = input_->start_ms().value_or(first_->recorded_time_ms);
  if (range_.from) {
    if (auto there = go_to(*range_.from, passed); !there) return there;
  }
  if (is_after_end(*first_)) return fail_no_tick();
  tick_before_ = std::exchange(cut_.last_tick, std::nullopt);
  cut_.first_ms = time_of(*first_);
  take(*first_);
  return {};
}

result<bool> ranged_echo::next(echo::state& out) {
  if (!found_) {
    if (auto there = find(); !there) return fail(there.error());
  }
  if (!first_given_) {
    first_given_ = true;
    echo::copy_state(out, *first_);
    return true;
  }
  if (ended_) return false;
  auto more = input_->next(out);
  if (!more || !*more || is_after_end(out)) {
    ended_ = true;
    if (!more) return more;
    input_ended_ = !*more;
    if (input_ended_) losses_at_end_.reset();
    if (!input_ended_ && has_numbers_ && !losses_at_end_) tick_after_ = input_->place().tick;
    return false;
  }
  take(out);
  return true;
}

}  // namespace tickreel::files
