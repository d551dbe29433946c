// Scripts of fleets, made from a seed.
#include <iterator>

#include "broker_model.hpp"
#include "script.hpp"

namespace tickreel::sim {

namespace {

std::int64_t up_to(generator& random, std::uint64_t most) {
  return static_cast<std::int64_t>(1 + random.below(most));
}

step broker_step(generator& random) {
  auto kind = static_cast<broker_fault>(random.below(std::size(broker_fault_names)));
  if (random.chance(6)) kind = broker_fault::forge;
  std::int64_t a = static_cast<std::int64_t>(random.below(random.chance(2) ? 4 : 60));
  std::int64_t b = up_to(random, 4);
  switch (kind) {
    case broker_fault::down:
      a = up_to(random, random.chance(2) ? 1000 : 60'000);
      break;
    case broker_fault::restart:
      b = random.chance(2) ? 0 : up_to(random, 12);
      break;
    case broker_fault::remove:
      a = up_to(random, 4);
      b = static_cast<std::int64_t>(random.below(1'000'000));
      break;
    case broker_fault::forge:
      a = up_to(random, 6);
      b = static_cast<std::int64_t>(random.below(1'000'000));
      break;
    case broker_fault::late:
      b = up_to(random, 8);
      break;
    default:
      break;
  }
  return {verb::broker, static_cast<std::int64_t>(kind), a, b};
}

step of_store(step one) {
  one.what = one.what == verb::fault ? verb::store : verb::store_cut;
  return one;
}

// What others than the recorder do.
void add_elsewhere(generator& random, script& to) {
  const std::uint64_t dice = random.below(100);
  if (dice < 40) {
    to.steps.push_back(broker_step(random));
  } else if (dice < 60) {
    to.steps.push_back({verb::watch, up_to(random, random.chance(4) ? 90'000 : 2000)});
  } else if (dice < 65) {
    to.steps.push_back({verb::unwatch, static_cast<std::int64_t>(random.below(2))});
  } else if (dice < 80) {
    const std::int64_t ms = up_to(random, random.chance(3) ? 300'000 : 20'000);
    if (random.chance(2)) {
      to.steps.push_back({verb::archivers, 4 * ms, up_to(random, 1'000'000)});
    } else {
      to.steps.push_back({verb::archive, ms});
    }
  } else if (dice < 90) {
    to.steps.push_back(of_store(any_fault(random, random.chance(2))));
  } else if (dice < 94) {
    to.steps.push_back({verb::store_heal});
  } else {
    to.steps.push_back(of_store(any_cut(random)));
  }
}

void add_match(generator& random, script& to, std::int64_t ticks) {
  while (ticks > 0) {
    const std::uint64_t dice = random.below(100);
    if (dice < 35) {
      to.steps.push_back({verb::push, up_to(random, 20)});
      ticks -= to.steps.back().first;
    } else if (dice < 38) {
      to.steps.push_back({verb::burst, up_to(random, 2 * to.ring_ticks)});
      ticks -= to.steps.back().first;
    } else if (dice < 42) {
      to.steps.push_back({verb::event, up_to(random, 4)});
    } else if (dice < 45) {
      to.steps.push_back({verb::gap, up_to(random, 5)});
    } else if (dice < 49) {
      to.steps.push_back({verb::clock, up_to(random, random.chance(4) ? 200'000 : 1500)});
    } else if (dice < 70) {
      to.steps.push_back({verb::deliver, up_to(random, 30)});
    } else if (dice < 74) {
      to.steps.push_back(any_fault(random, random.chance(4)));
    } else if (dice < 77) {
      to.steps.push_back({verb::heal});
    } else {
      add_elsewhere(random, to);
    }
  }
}

}  // namespace

script fleet_script_of(std::uint64_t seed) {
  generator random(seed ^ 0xF1EE7);
  script made;
  made.fleet = true;
  constexpr recorded_as formats[] = {recorded_as::described, recorded_as::changes, recorded_as::columns};
  made.format = formats[random.below(std::size(formats))];
  made.content = random.below(1000);
  made.seal_frames = static_cast<std::uint32_t>(up_to(random, 40));
  made.keyframe_ticks = static_cast<std::uint32_t>(up_to(random, 60));
  made.ring_ticks = 4u << random.below(4);
  made.tick_ms = random.chance(2) ? 16 : 33;
  constexpr codec_id codecs[] = {codec_id::none, codec_id::lz4, codec_id::zstd};
  made.codec = codecs[random.below(std::size(codecs))];
  // Records of some kB: with the smallest limit they have several parts.
  made.message_bytes = random.chance(3) ? 4096 : 1u << 20;
  made.queue_records = random.chance(3) ? static_cast<std::uint32_t>(up_to(random, 8)) : 4096;
  made.keep_bytes = random.chance(6) ? 4000 + static_cast<std::uint32_t>(random.below(40'000)) : 0;
  made.interleave = random.chance(2) ? static_cast<std::uint32_t>(up_to(random, 12)) : 0;
  made.steps.push_back({verb::open});
  add_match(random, made, up_to(random, 250));
  if (!random.chance(4)) made.steps.push_back({verb::close});
  if (random.chance(3)) made.steps.push_back(any_cut(random));
  for (std::uint64_t left = random.below(8); left != 0; --left) {
    if (random.chance(4)) {
      made.steps.push_back({verb::republish, up_to(random, 60'000)});
    } else if (random.chance(10)) {
      made.steps.push_back({verb::recover});
    } else {
      add_elsewhere(random, made);
    }
  }
  return made;
}

}  // namespace tickreel::sim
