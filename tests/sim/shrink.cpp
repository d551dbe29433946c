#include <algorithm>

#include "simulation.hpp"

namespace tickreel::sim {

namespace {

// A minute at most.
int runs_left = 0;

bool fails(const script& what) {
  return runs_left-- > 0 && !run(what).violation.empty();
}

bool try_it(script& best, const script& simpler) {
  if (!fails(simpler)) return false;
  best = simpler;
  return true;
}

// Without ranges of steps, from half of them to single ones.
bool remove_steps(script& best) {
  bool any = false;
  for (std::size_t size = std::max<std::size_t>(best.steps.size() / 2, 1); size != 0; size /= 2) {
    for (std::size_t at = 0; at < best.steps.size();) {
      script simpler = best;
      const std::size_t count = std::min(size, best.steps.size() - at);
      simpler.steps.erase(simpler.steps.begin() + static_cast<std::ptrdiff_t>(at),
                          simpler.steps.begin() + static_cast<std::ptrdiff_t>(at + count));
      if (try_it(best, simpler)) {
        any = true;
      } else {
        at += size;
      }
    }
  }
  return any;
}

bool lower_numbers(script& best) {
  bool any = false;
  for (std::size_t at = 0; at < best.steps.size(); ++at) {
    for (std::int64_t step::* const member : {&step::first, &step::second, &step::third}) {
      const verb what = best.steps[at].what;
      const bool has_name = what == verb::fault || what == verb::cut || what == verb::broker ||
                            what == verb::store || what == verb::store_cut;
      const bool is_name = member == &step::first && has_name;
      if (is_name) continue;
      const bool counts_faults = what == verb::fault || what == verb::store;
      const std::int64_t least = counts_faults && member == &step::third ? 1 : 0;
      for (std::int64_t value = best.steps[at].*member; value > least;) {
        script simpler = best;
        simpler.steps[at].*member = value / 2 < least ? least : value / 2;
        if (!try_it(best, simpler)) {
          simpler.steps[at].*member = value - 1;
          if (!try_it(best, simpler)) break;
        }
        any = true;
        value = best.steps[at].*member;
      }
    }
  }
  return any;
}

bool simplify_options(script& best) {
  bool any = false;
  const auto with = [&](auto script::* member, auto value) {
    if (best.*member == value) return;
    script simpler = best;
    simpler.*member = value;
    any = try_it(best, simpler) || any;
  };
  with(&script::format, recorded_as::described);
  with(&script::codec, codec_id::none);
  with(&script::sync_interval_ms, 0u);
  with(&script::content, std::uint64_t{1});
  with(&script::ring_ticks, 16u);
  with(&script::seal_frames, 1u);
  with(&script::seal_frames, 10u);
  with(&script::keyframe_ticks, 10u);
  with(&script::tick_ms, 33u);
  with(&script::message_bytes, 1u << 20);
  with(&script::queue_records, 4096u);
  with(&script::keep_bytes, 0u);
  with(&script::interleave, 0u);
  return any;
}

}  // namespace

script shrink(const script& failing) {
  script best = failing;
  runs_left = 1500;
  for (bool any = true; any;) {
    any = remove_steps(best);
    any = lower_numbers(best) || any;
    any = simplify_options(best) || any;
  }
  return best;
}

}  // namespace tickreel::sim
