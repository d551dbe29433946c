#include "tick_feed.hpp"

#include <algorithm>

namespace tickreel::files {

tick_feed::tick_feed(echo_source& from, const monitor& watch, bool keeps_events)
    : from_(from), watch_(watch), state_(std::make_unique<echo::state>()) {
  if (keeps_events && from_.give_event_records([this](byte_span record) { kept_->take_record(record); })) {
    kept_.emplace();
  }
}

tick_feed::~tick_feed() {
  if (kept_) (void)from_.give_event_records({});
}

echo_source::loss_count tick_feed::take_losses() noexcept {
  const bool has_numbers = from_.numbers_losses() && from_.tick_number();
  if (has_numbers && !next_number_) {
    // Ticks before a late beginning are not counted as losses here.
    const source_losses source_losses_now = from_.losses();
    const std::uint64_t first = from_.cut_from().empty() ? 0 : *from_.tick_number();
    next_number_ = source_losses_now.begins_late ? source_losses_now.begins_at : first;
    if (source_losses_now.begins_late) losses_taken_.ticks = source_losses_now.ticks_before;
  }
  const echo_source::loss_count now = from_.lost_to_date();
  std::uint64_t lost = now.ticks - std::min(now.ticks, losses_taken_.ticks);
  if (has_numbers && held_) {
    // The gap in its tick numbers; the iterator may have counted later losses already.
    const std::uint64_t number = *from_.tick_number();
    lost = std::min(lost, number - std::min(number, *next_number_));
    next_number_ = number + 1;
  }
  const std::uint64_t places = now.places - std::min(now.places, losses_taken_.places);
  losses_taken_.ticks += lost;
  losses_taken_.places += places;
  return {lost, places};
}

result<void> tick_feed::restart() {
  if (kept_) kept_.emplace();
  losses_taken_ = {};
  next_number_.reset();
  held_ = ended_ = false;
  given_ = 0;
  return from_.rewind();
}

result<const echo::state*> tick_feed::current() {
  constexpr std::uint64_t report_every = 64;
  if (!held_ && !ended_) {
    auto more = from_.next(*state_);
    if (!more) return fail(more.error());
    held_ = *more;
    ended_ = !held_;
    if (held_ && given_++ % report_every == 0) {
      watch_.report(from_.bytes_done(), from_.bytes_total());
      if (watch_.stop()) return fail(error_code::interrupted);
    }
  }
  return held_ ? state_.get() : nullptr;
}

}  // namespace tickreel::files
