#include "icrep_keyframes.hpp"

#include "tickreel/icrep/delta.hpp"

namespace tickreel::files {

result<const icrep::sim_snapshot*> icrep_keyframes::state(std::size_t number) {
  if (number_ == number) return &now_;
  if (follow(number)) return &now_;
  // The reader handles every case and reports the error.
  number_.reset();
  auto found = from_.snapshot(number);
  if (!found) return fail(found.error());
  now_ = std::move(*found);
  number_ = number;
  if (from_.keyframes()[number].full) {
    full_ = now_;
    full_number_ = number;
    baseline_checked_ = false;
    return &now_;
  }
  byte_vector buffer;
  const auto raw = icrep::open_keyframe(from_.keyframes()[number], buffer);
  const auto delta = raw ? icrep::read_delta(*raw) : fail(raw.error());
  baseline_checked_ = delta && full_number_ && delta->core.baseline_tick == full_.core.tick;
  if (baseline_checked_) baseline_hash_ = delta->core.baseline_hash;
  return &now_;
}

// Only for the next keyframe of the same group with the same baseline.
result<void> icrep_keyframes::follow(std::size_t number) {
  const auto refuse = [] { return fail(error_code::wrong_state); };
  if (!baseline_checked_ || !number_ || *number_ + 1 != number || number >= from_.keyframes().size()) {
    return refuse();
  }
  const icrep::stored_keyframe& keyframe = from_.keyframes()[number];
  if (keyframe.full) return refuse();
  byte_vector buffer;
  const auto raw = icrep::open_keyframe(keyframe, buffer);
  if (!raw) return fail(raw.error());
  auto delta = icrep::read_delta(*raw);
  if (!delta) return fail(delta.error());
  if (delta->core.tick != keyframe.tick || delta->core.baseline_tick != full_.core.tick ||
      delta->core.baseline_hash != baseline_hash_) {
    return refuse();
  }
  number_.reset();
  now_.core = full_.core;
  if (auto done = icrep::apply(now_.core, delta->core, slots_); !done) return done;
  // Campaign and script state are those of an earlier delta of the group.
  if (delta->campaign_state) now_.campaign_state = std::move(delta->campaign_state);
  if (delta->script_state) now_.script_state = std::move(delta->script_state);
  number_ = number;
  return {};
}

}  // namespace tickreel::files
