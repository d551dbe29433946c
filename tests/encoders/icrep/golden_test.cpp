// Every example of the description, read and written.
#include <boost/test/unit_test.hpp>

#include "example.hpp"
#include "live_file.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(golden_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

template <class T>
std::string hex_of(const T& value) {
  byte_vector bytes;
  append_bc1(bytes, value);
  BOOST_TEST(bytes.size() == bc1_size(value));
  return to_hex(bytes);
}

template <class T>
void check_both_ways(const T& value, std::string_view golden) {
  BOOST_TEST(hex_of(value) == golden);
  const auto read = read_bc1<T>(from_hex(golden));
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST((*read == value));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(worked_examples)

BOOST_AUTO_TEST_CASE(orders_and_frames) {
  const auto frames = example_frames();
  check_both_ways(frames[0].orders[0].order, golden::move_order);
  check_both_ways(frames[0].orders[1].order, golden::game_order);
  check_both_ways(frames[0], golden::frame_0);
  check_both_ways(frames[1], golden::frame_1);
  check_both_ways(frames[2], golden::frame_2);
  const byte_vector blocks = example_orders();
  BOOST_TEST(to_hex(byte_span(blocks).first(32)) == golden::order_block_header);
}

BOOST_AUTO_TEST_CASE(snapshots) {
  check_both_ways(std::vector<std::string>{"rifle", "ore"}, golden::intern_table);
  check_both_ways(example_full(), golden::full_snapshot);
  BOOST_TEST(to_hex(core_hash(example_full().core)) ==
             "b20fc5831e41ca5196205881446fec14d77151c9bd8205fe7c8e8521fcdcf6df");
  BOOST_TEST(sync_hash(core_hash(example_full().core)) == 0x51ca411e83c50fb2u);
  check_both_ways(example_delta(), golden::delta_snapshot);
  BOOST_TEST((taken(read_snapshot(from_hex(golden::full_snapshot))) == example_full()));
  BOOST_TEST((taken(read_delta(from_hex(golden::delta_snapshot))) == example_delta()));
}

BOOST_AUTO_TEST_CASE(keyframe_index_and_check) {
  const std::string section = to_hex(example_keyframes());
  BOOST_TEST(section.substr(0, 16) == "0200000000000000");
  BOOST_TEST(section.substr(16, 84) == golden::keyframe_index);
  BOOST_TEST(section.substr(section.size() - 32) == golden::keyframe_check);
}

BOOST_AUTO_TEST_CASE(all_events) {
  const auto events = example_events();
  BOOST_REQUIRE(events.size() == std::size(golden::events));
  BOOST_REQUIRE(events.size() == analysis::type_count);
  for (std::size_t type = 0; type < events.size(); ++type) {
    BOOST_TEST_CONTEXT(analysis::type_name(type)) {
      byte_vector bytes;
      append_event(bytes, events[type]);
      BOOST_TEST(to_hex(bytes) == golden::events[type]);
      const auto read = taken(read_event(from_hex(golden::events[type])));
      BOOST_REQUIRE(read.has_value());
      BOOST_TEST((*read == events[type]));
      BOOST_TEST(events[type].what.index() == type);
    }
  }
  const byte_vector blocks = example_event_blocks();
  BOOST_TEST(to_hex(byte_span(blocks).first(32)) == golden::event_block_header);
}

BOOST_AUTO_TEST_CASE(signatures) {
  const chain_subject subject{example_replay_id, example_map(), 42};
  const auto chain = taken(read_signature_section(example_signature())).chain;
  BOOST_REQUIRE(chain.size() == 2u);
  const digest before_0 = chain_start(subject);
  BOOST_TEST(to_hex(before_0) == golden::chain_before_0);
  BOOST_TEST(to_hex(chain_message(chain[0], before_0)) == golden::chain_message_0);
  BOOST_TEST(to_hex(chain[0].relay_sig) == golden::chain_signature_0);
  const digest before_1 = chain_next(chain[0], before_0);
  BOOST_TEST(to_hex(before_1) == golden::chain_before_1);
  BOOST_TEST(to_hex(chain_message(chain[1], before_1)) == golden::chain_message_1);
  BOOST_TEST(to_hex(chain[1].relay_sig) == golden::chain_signature_1);
}

BOOST_AUTO_TEST_CASE(live_header) {
  const auto file = begin_live_file(to_json(example_metadata()));
  BOOST_TEST(to_hex(byte_span(file).first(header_bytes)) == golden::live_header);
}

BOOST_AUTO_TEST_CASE(the_complete_file_is_written) {
  const byte_vector file = example_file();
  BOOST_TEST(file.size() == 2636u);
  BOOST_TEST((file == from_hex(golden::complete_file)));
  BOOST_TEST(to_hex(sha256(file)) == "28c344a455f12ace59b7a3b41110872525e5e009691af7919a6f07ac7b96ad84");
}

BOOST_AUTO_TEST_CASE(the_complete_file_is_read) {
  const byte_vector file = from_hex(golden::complete_file);
  const reader opened = taken(reader::open(file, example_options()));
  BOOST_TEST(opened.findings().empty());
  BOOST_TEST((opened.facts() == example_metadata()));
  BOOST_TEST(opened.total_ticks() == 3u);
  BOOST_TEST(opened.keyframes().size() == 2u);

  std::vector<tick_frame> frames;
  tick_frame frame;
  auto orders = opened.orders();
  while (orders.next(frame)) frames.push_back(frame);
  BOOST_TEST((frames == example_frames()));

  std::vector<analysis::event> events;
  analysis::event happened;
  auto cursor = opened.events();
  while (cursor.next(happened)) events.push_back(happened);
  BOOST_TEST((events == example_events()));

  const auto signatures = opened.verify_signatures();
  BOOST_TEST((signatures.state == signature_state::states_only));
  BOOST_TEST(name(signatures.state) == "signed states only");
  BOOST_TEST(to_hex(*signatures.signer) ==
             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  for (const finding& found : opened.verify()) BOOST_ERROR(describe(found.what));

  const auto restored = taken(opened.restore(3));
  BOOST_TEST(restored.warnings.empty());
  BOOST_TEST(restored.keyframe == 1u);
  BOOST_TEST(restored.tick_count == 1u);
  BOOST_TEST(!restored.gap);
  const sim_core_snapshot& core = restored.snapshot.core;
  BOOST_TEST(core.tick == 2u);
  BOOST_TEST(core.intern_table.size() == 3u);
  BOOST_REQUIRE(core.entities.size() == 2u);
  BOOST_TEST(to_hex(core.entities[0].components) ==
             to_hex(int32s(1100, 2048, 0, 64)) + to_hex(int32s(50, 50)));
  BOOST_TEST((core.entities[1].entity == unit_tag{9, 2}));
  BOOST_TEST(core.entities[1].archetype == 1u);
  BOOST_TEST(to_hex(core.rng_state) == "1112131415161718");
  BOOST_TEST(to_hex(core.player_states[0].player_fields) == to_hex(int32s(4950)));
  BOOST_TEST(core.map_state[0].resource_amount == 690);
  BOOST_TEST((restored.snapshot.script_state == example_script()));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
