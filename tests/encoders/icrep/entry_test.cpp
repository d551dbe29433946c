// A writer accepts exactly what its reader accepts.
#include "tickreel/icrep/entry.hpp"

#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/record.hpp"
#include "tickreel/text/utf8.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(entry_test)

namespace {

using namespace tickreel;
using namespace tickreel::icrep;

analysis::event vote(std::string words) {
  return {analysis::vote_event{1, analysis::vote::proposed{1, analysis::vote::custom{std::move(words)}, 0}},
          false};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_repaired_text_is_utf8_and_short_enough) {
  auto random = test::seeded_random("repaired texts");
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 50, '\0');
    for (char& one : text) one = static_cast<char>(random() % 3 == 0 ? 0xF0 | random() : random() % 128);
    const std::size_t most = random() % 40;
    const std::string before = text;
    const bool changed = fix_text(text, most);
    BOOST_TEST(changed == (text != before));
    BOOST_TEST(text.size() <= most);
    BOOST_TEST(text::is_utf8(text));
    BOOST_TEST(!fix_text(text, most));
  }
  std::string euros;
  for (int i = 0; i < 10; ++i) euros += "\xE2\x82\xAC";
  BOOST_TEST(fix_text(euros, 8));
  BOOST_TEST(euros == "\xE2\x82\xAC\xE2\x82\xAC");
}

BOOST_AUTO_TEST_CASE(events_that_readers_reject_are_rejected) {
  const analysis::event bad[] = {
      vote("\xff"),
      vote(std::string(65'537, 'x')),
      {analysis::control_group_event{1, 0, 0, static_cast<analysis::control_group_action>(3)}, false},
      {analysis::unit_position_sample{1, std::vector<analysis::unit_position>(257)}, false}};
  for (const analysis::event& one : bad) {
    byte_vector encoded;
    append_event(encoded, one);
    BOOST_TEST(!read_event(encoded));
    byte_vector out;
    auto writer = record_stream_writer::events();
    BOOST_TEST(!writer.add(one, out));
    BOOST_TEST(writer.add(vote("fine"), out).has_value());
  }
}

BOOST_AUTO_TEST_CASE(orders_and_states_that_readers_reject_are_rejected) {
  byte_vector out;
  order_stream_writer orders;
  tick_frame frame{0, 0, {{0, order::chat_message{order::to_all{}, "\xc3("}, 0}}};
  const auto refused = orders.add(frame, out);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::invalid_argument));
  BOOST_TEST(fix_bc1(frame) == 1u);
  BOOST_TEST(orders.add(frame, out).has_value());
  BOOST_TEST(!orders.add({~std::uint64_t{0}, 0, {}}, out));

  sim_snapshot state;
  state.core.intern_table = {"w\xff"};
  BOOST_TEST(!delta_group::begin(state, slot_table{}));
  state.core.intern_table.clear();
  state.core.entities.resize(50'001);
  for (std::size_t i = 0; i < state.core.entities.size(); ++i) {
    state.core.entities[i].entity = {static_cast<std::uint16_t>(i), 0};
  }
  const auto crowded = delta_group::begin(state, slot_table{});
  BOOST_REQUIRE(!crowded);
  BOOST_TEST((crowded.error().code == error_code::over_limit));
}

// Entities that are created and removed in a group are mentioned until its end: before they exceed the reader's limit, the writer
// requests a full keyframe.
BOOST_AUTO_TEST_CASE(a_delta_never_exceeds_the_readers_limit) {
  sim_snapshot state;
  auto group = delta_group::begin(state, slot_table{});
  BOOST_REQUIRE(group);
  bool asked = false;
  for (std::uint16_t generation = 1; generation < 6 && !asked; ++generation) {
    state.core.tick = generation;
    state.core.entities.assign(40'000, {});
    for (std::size_t i = 0; i < state.core.entities.size(); ++i) {
      state.core.entities[i].entity = {static_cast<std::uint16_t>(i), generation};
    }
    const auto delta = group->delta(state);
    asked = !delta;
    if (!delta) {
      BOOST_TEST((delta.error().code == error_code::unsupported_operation));
    } else {
      BOOST_TEST(read_delta(to_bytes(*delta)).has_value());
    }
  }
  BOOST_TEST(asked);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
