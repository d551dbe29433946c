// A match of a game in two .icrep files.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <random>
#include <string>

#include "tickreel/game/game_recorder.hpp"

namespace tickreel::test {

struct split_match_unit {
  std::int32_t health = 1;
};
TICKREEL_DESCRIBE(split_match_unit, health);

// 700 ticks, with orders that no codec compresses, so that the first file reaches its limit.
inline void write_match_in_two_files(const std::string& path) {
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 8;
  options.split = true;
  options.file_limit_bytes = 4u << 20;
  using world = game::world_types<game::components<split_match_unit>>;
  auto recorder = game::game_recorder<world>::begin(path, {}, options);
  BOOST_REQUIRE(recorder);
  std::mt19937_64 random(3);
  byte_vector payload(4096);
  for (std::uint64_t tick = 0; tick < 700; ++tick) {
    BOOST_REQUIRE(
        recorder->tick(tick, 0, [](auto& to) { to.entity({1, 1}, "wolf").set(split_match_unit{}); }));
    for (std::byte& one : payload) one = static_cast<std::byte>(random());
    BOOST_REQUIRE(recorder->order(0, 1, payload));
    (void)recorder->pump();
  }
  const auto report = recorder->end();
  BOOST_REQUIRE(report);
  BOOST_REQUIRE(report->files == 2u);
}

}  // namespace tickreel::test
