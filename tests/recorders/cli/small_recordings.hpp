// Recordings of few ticks, of every format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "chain_recordings.hpp"

namespace tickreel::test {

// The first ticks of a match.
class first_ticks final : public files::echo_source {
 public:
  explicit first_ticks(std::uint64_t count) : match_(short_match()), count_(count) {}
  result<bool> next(echo::state& out) override {
    if (tick_ == count_ || !match_.next(out)) return false;
    ++tick_;
    return true;
  }
  result<void> rewind() override {
    match_.rewind();
    tick_ = 0;
    return {};
  }

 private:
  echo_vr::match_simulator match_;
  std::uint64_t count_;
  std::uint64_t tick_ = 0;
};

inline void make_match(const std::string& path, std::uint64_t ticks, codec_id codec) {
  first_ticks match(ticks);
  files::convert_options options;
  options.codec = codec_options{.codec = codec};
  const auto made = files::convert(match, path, options);
  BOOST_REQUIRE_MESSAGE(made, path << (made ? "" : describe(made.error())));
}

// With one tick that the recorder did not receive.
inline void make_reel_with_gap(const std::string& path) {
  auto to = recorder<butter::encoder>::open(path, butter::encoder(), short_chunks());
  BOOST_REQUIRE(to);
  first_ticks match(3);
  const auto state = std::make_unique<echo::state>();
  frame_stamp stamp;
  while (*match.next(*state)) {
    stamp = {stamp.tick + 1, stamp.time_us + 33'333};
    BOOST_REQUIRE(to->capture(stamp, [&](auto& slot) { echo::copy_state(slot, *state); }));
    (void)to->pump();
    if (stamp.tick != 1) continue;
    ++stamp.tick;
    to->note_gap(1, stamp, stamp, reel::gap_reason::source_failed);
  }
  BOOST_REQUIRE(to->close());
}

struct lamp {
  bool on = false;
};
TICKREEL_DESCRIBE(lamp, on);
struct click {
  std::uint8_t count = 0;
};
TICKREEL_DESCRIBE(click, count);

inline void make_lamp(const std::string& path, int ticks) {
  auto out = record<lamp>(path, short_chunks());
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < ticks; ++tick) {
    BOOST_REQUIRE(out->push({tick % 2 == 1}));
    if (tick == 0) BOOST_REQUIRE(out->event(click{1}));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
}

// Without the ticks from `missing` on, if there are more.
inline void make_orders(const std::string& path, std::uint64_t ticks, std::uint64_t missing) {
  auto recorder = little_recorder::begin(path, little_match(), pumped_options(2));
  BOOST_REQUIRE(recorder);
  small_world world;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    if (tick != missing) {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
      BOOST_REQUIRE(recorder->event(analysis::pause_event{tick, 0, true}));
      (void)recorder->pump();
    }
    world.step();
  }
  game::match_result how;
  how.state_hash = world.hash();
  BOOST_REQUIRE(recorder->end(how));
}

inline void make_short_walk(const std::string& path, std::size_t blocks) {
  std::vector<samp_rec::on_foot_block> walk(blocks);
  for (std::size_t each = 0; each < blocks; ++each)
    walk[each].time_ms = static_cast<std::uint32_t>(40 * each);
  write_file(path, samp_rec::to_bytes(std::span<const samp_rec::on_foot_block>(walk)));
}

inline void make_cache_of_one(const std::string& path) {
  gamecache::contents cache;
  cache.layout = gamecache::layout::flagged;
  cache.stored_version = gamecache::version_2_09;
  cache.items.push_back(full_item(cache.layout, 0));
  write_file(path, taken(gamecache::write(cache)));
}

}  // namespace tickreel::test
