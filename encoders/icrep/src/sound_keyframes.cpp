#include "tickreel/icrep/sound_keyframes.hpp"

#include "tickreel/icrep/snapshot.hpp"

namespace tickreel::icrep {

result<void> sound_keyframes::take(const stored_keyframe& one) {
  raw_ = {};
  const auto at_keyframe = [&](error what) {
    what.offset = one.offset;
    return what;
  };
  if (one.raw_bytes > most_.snapshot_bytes ||
      one.raw_bytes > std::uint64_t{one.stored.size()} * most_.ratio) {
    return fail(error_code::over_limit, one.offset, "a keyframe of {} bytes",
                static_cast<std::int64_t>(one.raw_bytes));
  }
  const auto raw = open_keyframe(one, buffer_);
  if (!raw) return fail(raw.error());
  if (one.full) {
    if (const auto state = read_snapshot(*raw, most_); !state) return fail(at_keyframe(state.error()));
    full_tick_ = one.tick;
  } else {
    const auto delta = read_delta(*raw, most_);
    if (!delta) return fail(at_keyframe(delta.error()));
    const std::uint64_t baseline = delta->core.baseline_tick;
    if (baseline != full_tick_ && baseline != last_tick_) {
      return fail(error_code::missing_keyframe, one.offset,
                  "the keyframe of tick {u} depends on a lost one, of tick {u}",
                  static_cast<std::int64_t>(one.tick), static_cast<std::int64_t>(baseline));
    }
  }
  last_tick_ = one.tick;
  raw_ = *raw;
  return {};
}

}  // namespace tickreel::icrep
