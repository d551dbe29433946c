// Whether two files contain the same match.
#pragma once

#include <boost/test/unit_test.hpp>

#include "small_world.hpp"
#include "tickreel/game/replay.hpp"

namespace tickreel::test {

inline game::replay opened(const std::string& path) {
  auto made = game::replay::open(path);
  BOOST_REQUIRE_MESSAGE(made, path << ": " << why(made));
  return std::move(*made);
}

inline void check_same_orders_and_events(const game::replay& one, const game::replay& other) {
  auto orders = one.orders(0, UINT64_MAX);
  auto other_orders = other.orders(0, UINT64_MAX);
  icrep::tick_frame frame;
  icrep::tick_frame other_frame;
  while (orders.next(frame)) {
    BOOST_REQUIRE(other_orders.next(other_frame));
    BOOST_TEST((frame == other_frame));
  }
  BOOST_TEST(!other_orders.next(other_frame));
  auto events = one.events();
  auto other_events = other.events();
  analysis::event happened;
  analysis::event other_happened;
  while (events.next(happened)) {
    BOOST_REQUIRE(other_events.next(other_happened));
    BOOST_TEST((happened == other_happened));
  }
  BOOST_TEST(!other_events.next(other_happened));
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
  auto voice = one.file().voice();
  auto other_voice = other.file().voice();
  byte_span record;
  byte_span other_record;
  std::uint64_t offset = 0;
  while (voice.next(record, offset)) {
    BOOST_REQUIRE(other_voice.next(other_record, offset));
    BOOST_TEST(std::ranges::equal(record, other_record));
  }
  BOOST_TEST(!other_voice.next(other_record, offset));
  BOOST_TEST(std::ranges::equal(one.file().signature_section(), other.file().signature_section()));
  BOOST_TEST(std::ranges::equal(one.file().embedded_section(), other.file().embedded_section()));
}

}  // namespace tickreel::test
