#include <algorithm>

#include "reader_state.hpp"
#include "tickreel/codec/crc32.hpp"

namespace tickreel::icrep {

namespace {

// Errors inside a snapshot count from its start; the keyframe's offset identifies it.
error at_keyframe(error what, const stored_keyframe& keyframe) noexcept {
  what.offset = keyframe.offset;
  return what;
}

void take_states(sim_snapshot& state, delta_snapshot& delta) {
  if (delta.campaign_state) state.campaign_state = std::move(delta.campaign_state);
  if (delta.script_state) state.script_state = std::move(delta.script_state);
}

}  // namespace

result<sim_snapshot> reader_state::read_full(std::size_t number) const {
  const stored_keyframe& keyframe = keyframes[number];
  byte_vector buffer;
  const auto bytes = open_keyframe(keyframe, buffer);
  if (!bytes) return fail(bytes.error());
  auto snapshot = read_snapshot(*bytes, options.most);
  if (!snapshot) return fail(at_keyframe(snapshot.error(), keyframe));
  return snapshot;
}

result<delta_snapshot> reader_state::read_delta_of(std::size_t number) const {
  const stored_keyframe& keyframe = keyframes[number];
  byte_vector buffer;
  const auto bytes = open_keyframe(keyframe, buffer);
  if (!bytes) return fail(bytes.error());
  auto delta = read_delta(*bytes, options.most);
  if (!delta) return fail(at_keyframe(delta.error(), keyframe));
  return delta;
}

// Games with their own hashes cannot be checked directly; their order frames contain the first 8 bytes.
bool reader_state::follows_baseline(const sim_core_delta& delta, const sim_core_snapshot& baseline) const {
  if (delta.baseline_tick != baseline.tick) return false;
  if (hashes_core()) return core_hash(baseline) == delta.baseline_hash;
  order_cursor frames = orders_between(baseline.tick, baseline.tick + 1);
  tick_frame frame;
  if (!frames.next(frame) || frame.state_hash == sync_hash(delta.baseline_hash)) return true;
  return core_hash(baseline) == delta.baseline_hash;
}

result<void> reader_state::apply_deltas(const restore_plan& plan, sim_snapshot& state,
                                        std::vector<error>& warnings) const {
  const auto mismatch = [&](std::size_t number) {
    return error{error_code::malformed,
                 keyframes[number].offset,
                 "baseline mismatch of the keyframe of tick {u}",
                 {static_cast<std::int64_t>(keyframes[number].tick), 0}};
  };
  auto selected = read_delta_of(plan.keyframe);
  if (!selected) return fail(selected.error());
  const bool grouped = selected->core.baseline_tick == state.core.tick;
  if (grouped) {
    if (!follows_baseline(selected->core, state.core)) return fail(mismatch(plan.keyframe));
  } else if (selected->core.baseline_tick != keyframes[plan.keyframe - 1].tick) {
    return fail(mismatch(plan.keyframe));
  }
  for (std::size_t number = plan.full + 1; number < plan.keyframe; ++number) {
    auto between = read_delta_of(number);
    // Deltas of a group name the same baseline, which has been checked.
    const bool is_known = grouped && between && between->core.baseline_tick == selected->core.baseline_tick &&
                          between->core.baseline_hash == selected->core.baseline_hash;
    if (between && !is_known && !follows_baseline(between->core, state.core))
      between = fail(mismatch(number));
    if (!between) {
      // The selected delta contains the core changes of this one.
      if (!grouped) return fail(between.error());
      warnings.push_back(between.error());
      continue;
    }
    if (!grouped) {
      if (auto done = apply(state.core, between->core, slots, options.most); !done) {
        return fail(at_keyframe(done.error(), keyframes[number]));
      }
    }
    take_states(state, *between);
  }
  if (!grouped && !follows_baseline(selected->core, state.core)) return fail(mismatch(plan.keyframe));
  if (auto done = apply(state.core, selected->core, slots, options.most); !done) {
    return fail(at_keyframe(done.error(), keyframes[plan.keyframe]));
  }
  take_states(state, *selected);
  return {};
}

// Each frame has a separate tick, so a block with as many frames as there are ticks up to the next block has
// all of them. Only blocks with fewer are opened; for the others the check value suffices.
std::uint64_t reader_state::end_of_run(std::uint64_t first_tick, std::uint64_t end_tick) const {
  const std::span<const block> blocks = orders.blocks;
  const auto later =
      std::ranges::upper_bound(blocks, first_tick, {}, [](const block& one) { return one.head.first_tick; });
  auto number = static_cast<std::size_t>(later - blocks.begin());
  if (number == 0) return first_tick;
  std::uint64_t expected = first_tick;
  for (--number; number < blocks.size() && expected < end_tick; ++number) {
    const block_header& head = blocks[number].head;
    const std::uint64_t block_end =
        number + 1 < blocks.size() ? blocks[number + 1].head.first_tick : total_ticks;
    if (head.first_tick > expected || block_end < head.first_tick) break;
    if (block_end - head.first_tick == head.count && crc32(blocks[number].payload) == head.crc) {
      expected = std::max(expected, block_end);
      continue;
    }
    order_cursor frames = orders_between(expected, std::min(end_tick, block_end));
    tick_frame frame;
    while (frames.next(frame) && frame.tick == expected) ++expected;
    if (expected < block_end) break;
  }
  return std::min(expected, end_tick);
}

std::optional<order_gap> reader_state::find_gap(std::uint64_t first_tick, std::uint64_t end_tick) const {
  if (first_tick >= end_tick) return std::nullopt;
  const std::uint64_t run_end = end_of_run(first_tick, end_tick);
  if (run_end >= end_tick) return std::nullopt;
  order_gap gap{run_end, std::nullopt};
  const auto resume =
      std::ranges::upper_bound(keyframes, run_end, {}, [](const stored_keyframe& one) { return one.tick; });
  if (resume != keyframes.end()) gap.resume_tick = resume->tick;
  return gap;
}

result<restored_state> reader::restore(std::uint64_t tick) const {
  const reader_state& self = *state_;
  auto plan = plan_restore(self.keyframes, self.total_ticks, tick);
  if (!plan) return fail(plan.error());
  restored_state out;
  while (true) {
    auto full = self.read_full(plan->full);
    if (full) {
      out.snapshot = std::move(*full);
      break;
    }
    out.warnings.push_back(full.error());
    const std::uint64_t at = self.keyframes[plan->full].tick;
    if (at == 0) return fail(full.error());
    plan = plan_restore(self.keyframes, self.total_ticks, at - 1);
    if (!plan) return fail(full.error());
    // Deltas of the damaged keyframe are useless; those before it may be usable.
  }
  out.keyframe = plan->full;
  if (plan->keyframe != plan->full) {
    sim_snapshot later = out.snapshot;
    if (auto done = self.apply_deltas(*plan, later, out.warnings)) {
      out.snapshot = std::move(later);
      out.keyframe = plan->keyframe;
    } else {
      out.warnings.push_back(done.error());
    }
  }
  out.tick_count = tick - out.snapshot.core.tick;
  out.gap = self.find_gap(out.snapshot.core.tick, tick);
  return out;
}

result<sim_snapshot> reader::snapshot(std::size_t keyframe) const {
  const reader_state& self = *state_;
  if (keyframe >= self.keyframes.size()) {
    return fail(error_code::out_of_range, error::no_offset, "keyframe {} of {}",
                static_cast<std::int64_t>(keyframe), static_cast<std::int64_t>(self.keyframes.size()));
  }
  restore_plan plan;
  plan.keyframe = keyframe;
  plan.full = keyframe;
  while (plan.full != 0 && !self.keyframes[plan.full].full) --plan.full;
  if (!self.keyframes[plan.full].full)
    return fail(error_code::missing_keyframe, self.keyframes[keyframe].offset);
  auto state = self.read_full(plan.full);
  if (!state || plan.full == keyframe) return state;
  std::vector<error> warnings;
  if (auto done = self.apply_deltas(plan, *state, warnings); !done) return fail(done.error());
  if (!warnings.empty()) return fail(warnings.front());
  return state;
}

}  // namespace tickreel::icrep
