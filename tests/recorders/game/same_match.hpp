// Whether two files contain the same match.
#pragma once

#include <boost/test/unit_test.hpp>

#include "same_content.hpp"
#include "small_world.hpp"
#include "tickreel/game/replay.hpp"

namespace tickreel::test {

inline game::replay opened(const std::string& path) {
  auto made = game::replay::open(path);
  BOOST_REQUIRE_MESSAGE(made, path << ": " << why(made));
  return std::move(*made);
}

inline void check_same_orders_and_events(const game::replay& one, const game::replay& other) {
  check_same_items<icrep::tick_frame>(one.orders(0, UINT64_MAX), other.orders(0, UINT64_MAX));
  check_same_items<analysis::event>(one.events(), other.events());
}

// All queries of a reader.
inline void check_same(const std::string& one_path, const std::string& other_path) {
  const game::replay one = opened(one_path);
  const game::replay other = opened(other_path);
  BOOST_TEST((one.facts() == other.facts()));
  const icrep::file_header& a = one.file().header();
  const icrep::file_header& b = other.file().header();
  BOOST_TEST(a.is_signed == b.is_signed);
  BOOST_TEST(a.has_events == b.has_events);
  BOOST_TEST(a.has_voice == b.has_voice);
  BOOST_TEST(a.total_ticks == b.total_ticks);
  BOOST_TEST(a.lost_frame_count == b.lost_frame_count);
  BOOST_TEST((a.final_state_hash == b.final_state_hash));
  BOOST_REQUIRE(one.keyframes().size() == other.keyframes().size());
  for (std::size_t i = 0; i < one.keyframes().size(); ++i) {
    byte_vector x;
    byte_vector y;
    const auto first = icrep::open_keyframe(one.keyframes()[i], x);
    const auto second = icrep::open_keyframe(other.keyframes()[i], y);
    BOOST_REQUIRE((first && second));
    BOOST_TEST(one.keyframes()[i].tick == other.keyframes()[i].tick);
    BOOST_TEST(one.keyframes()[i].full == other.keyframes()[i].full);
    BOOST_TEST(std::ranges::equal(*first, *second));
  }
  check_same_orders_and_events(one, other);
  check_same_voice(one.file(), other.file());
  BOOST_TEST(std::ranges::equal(one.file().signature_section(), other.file().signature_section()));
  BOOST_TEST(std::ranges::equal(one.file().embedded_section(), other.file().embedded_section()));
}

}  // namespace tickreel::test
