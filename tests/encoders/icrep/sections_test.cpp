// Metadata, events, voice, signatures, embedded resources.
#include <boost/test/unit_test.hpp>

#include "example.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(sections_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

std::vector<analysis::event> events_of(const reader& opened, const event_filter& filter) {
  std::vector<analysis::event> found;
  analysis::event happened;
  auto events = opened.events(filter);
  while (events.next(happened)) found.push_back(happened);
  BOOST_TEST(events.damage().empty());
  return found;
}

// The example with other events.
byte_vector file_with_events(byte_span events) {
  return file_of(example_metadata(), {}, example_keyframes(), {.events = events, .total_ticks = 3000});
}

}  // namespace

BOOST_AUTO_TEST_CASE(metadata_keep_unknown_keys) {
  metadata facts = example_metadata();
  facts.players.push_back({1, "B \"\\ \x01 \xc3\xa9", "soviet", "lost", 61.5});
  facts.relay_server = "relay";
  facts.converted_from = {"openra", "a.rep", "ra", "1", "2027", R"(["w",{"b":1}])", 77, {{"x_c", "1.5"}}};
  facts.branch_from = {"id", "00", 9, "11", 1, R"([{"slot":1}])", {}};
  facts.state_hash = "core-sha256";
  facts.tick_rate = "15/1";
  facts.schema = icrep::schema{{{0, "a", 4}, {3, "b", 0}}, {{31, "c", 1}}, {{1, "d", 2}}};
  facts.others = {{"x_one", R"({"deep":[1,-2,3.5,true,null,"t"]})"}, {"future", "7"}};
  const std::string json = to_json(facts);
  BOOST_TEST((taken(read_metadata(json)) == facts));
  BOOST_TEST(to_json(taken(read_metadata(json))) == json);
  BOOST_TEST(taken(read_metadata("{}")).base_build == 1u);
  anonymize(facts);
  BOOST_TEST(facts.players[0].name == "Player 1");
  BOOST_TEST(facts.players[1].name == "Player 2");
  BOOST_TEST(*tick_duration_ms("slower") == 67u);
  BOOST_TEST(!tick_duration_ms("ludicrous"));
}

BOOST_AUTO_TEST_CASE(invalid_metadata_are_rejected) {
  for (const char* json :
       {"", "[]", "{", "{\"players\":{}}", "{\"total_ticks\":-1}", "{\"map_name\":5}",
        "{\"base_build\":4294967296}", "\xef\xbb\xbf{}", "{} {}", "{\"map_name\":\"\xff\"}"}) {
    BOOST_TEST_CONTEXT(json) {
      BOOST_TEST((read_metadata(json).error().code == error_code::bad_json));
    }
  }
  BOOST_TEST((read_metadata({}).error().code == error_code::bad_json));
  BOOST_TEST((read_metadata("{}" + std::string(1u << 20, ' ')).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(invalid_schemas_are_rejected) {
  BOOST_TEST(!slot_table::create({{{64, "", 1}}, {}, {}}));
  BOOST_TEST(!slot_table::create({{}, {{32, "", 1}}, {}}));
  BOOST_TEST(!slot_table::create({{}, {}, {{0, "", 1}}}));
  BOOST_TEST(!slot_table::create({{{1, "", 1}, {1, "", 1}}, {}, {}}));
  BOOST_TEST(slot_table::create({{{63, "", 1}, {0, "", 1}}, {{31, "", 0}}, {{1, "", 1}}}).has_value());
}

BOOST_AUTO_TEST_CASE(events_by_type_player_and_tick) {
  auto writer = record_stream_writer::events();
  byte_vector blocks;
  for (std::uint64_t tick = 0; tick < 3000; ++tick) {
    for (std::uint32_t player = 0; player < 3; ++player) {
      taken(writer.add({analysis::resource_collected{tick, player, 1, 25}}, blocks));
    }
    if (tick % 10 == 0) taken(writer.add({analysis::upgrade_completed{tick, 2, 17}}, blocks));
  }
  taken(writer.finish(blocks));
  const byte_vector file = file_with_events(blocks);
  const reader opened = taken(reader::open(file));
  BOOST_TEST(events_of(opened, {}).size() == 9300u);
  const std::uint32_t upgrades = 1u << *analysis::type_from_name("upgrade_completed");
  BOOST_TEST(events_of(opened, {0, 3000, upgrades, std::nullopt}).size() == 300u);
  BOOST_TEST(events_of(opened, {0, 3000, upgrades, 1}).empty());
  BOOST_TEST(events_of(opened, {0, 3000, ~0u, 2}).size() == 3300u);
  for (const std::uint64_t first : {0u, 1u, 255u, 256u, 257u, 1500u, 2999u, 3000u}) {
    const auto some = events_of(opened, {first, first + 20, ~0u, 0});
    BOOST_TEST(some.size() == std::min<std::uint64_t>(20, 3000 - first));
    for (const analysis::event& one : some) BOOST_TEST(analysis::tick_of(one) >= first);
  }
  BOOST_TEST((writer.add({analysis::upgrade_completed{5, 2, 17}}, blocks).error().code ==
              error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(unknown_events_are_skipped) {
  block_stream_writer writer(block_kind::events, {});
  byte_vector blocks;
  const auto add = [&](byte_vector record) {
    byte_vector with_length = int32s(static_cast<std::int32_t>(record.size()));
    with_length.insert(with_length.end(), record.begin(), record.end());
    taken(writer.add(2, with_length, blocks));
  };
  add(from_hex(golden::events[2]));
  add(from_hex("150000000200000000000000cafe"));        // number 21
  add(from_hex("0c00000002000000000000000000000002"));  // a bool of 2
  add(from_hex(golden::events[12]));
  taken(writer.finish(blocks));
  const byte_vector file = file_with_events(blocks);
  const reader opened = taken(reader::open(file));
  analysis::event happened;
  auto events = opened.events();
  BOOST_TEST(events.next(happened));
  BOOST_TEST(analysis::type_name(happened) == "construction_completed");
  BOOST_TEST(events.next(happened));
  BOOST_TEST(analysis::type_name(happened) == "pause_event");
  BOOST_TEST(!events.next(happened));
  BOOST_TEST(events.unknown_events() == 1u);
  BOOST_TEST(events.damage().size() == 1u);
}

BOOST_AUTO_TEST_CASE(every_kind_of_order) {
  using namespace order;
  const std::vector<player_order> orders = {move{{{1, 2}}, {3, 4, 5}},
                                            attack{{{1, 2}}, unit_target{{3, 4}}},
                                            attack{{}, ground_target{{1, 2, 3}}},
                                            stop{{{1, 1}, {2, 2}}},
                                            idle{},
                                            chat_message{to_player{3}, "hi"},
                                            chat_message{to_observers{}, ""},
                                            chat_command{"pause", {"now", ""}},
                                            cheat_code{9},
                                            set_cvar{"a", "b"},
                                            vote{propose{analysis::vote::custom{"nuke"}}},
                                            vote{propose{analysis::vote::kick{1, 2}}},
                                            vote{cast{4, analysis::vote::choice::no}},
                                            vote{cancel{4}},
                                            game_order{65535, from_hex("00ff")}};
  tick_frame frame{7, 8, {}};
  for (const player_order& one : orders)
    frame.orders.push_back({1, one, 100 - static_cast<std::uint32_t>(one.index())});
  const tick_frame unsorted = frame;
  order_stream_writer writer;
  byte_vector blocks;
  taken(writer.add(unsorted, blocks));
  BOOST_TEST((writer.add(unsorted, blocks).error().code == error_code::invalid_argument));
  taken(writer.finish(blocks));
  sort_orders(frame);
  BOOST_TEST((frame.orders.front().order.index() == 9u));
  byte_vector buffer;
  const auto index = index_blocks(blocks, block_kind::orders);
  BOOST_TEST((taken(read_bc1<tick_frame>(taken(open_block(index.blocks.at(0), buffer)))) == frame));
  frame.tick = 8;
  frame.orders.resize(4097);
  BOOST_TEST((writer.add(frame, blocks).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(embedded_resources_round_trip) {
  embedded_resources resources;
  BOOST_TEST((taken(read_embedded_section(taken(to_bytes(resources)))) == resources));
  resources.map_data = byte_vector(10'000, std::byte{7});
  resources.mod_manifest = from_hex("7b7d");
  resources.balance_preset = "classic";
  resources.initial_state = to_bytes(example_full());
  byte_vector section = taken(to_bytes(resources));
  BOOST_TEST((taken(read_embedded_section(section)) == resources));
  const content_seal seal{{{1, 2, 3, 4, {}}}, std::nullopt};
  const byte_vector sealed = taken(with_seal(section, &seal));
  BOOST_TEST(std::ranges::equal(without_seal(sealed), section));
  BOOST_TEST(std::ranges::equal(without_seal(section), section));
  BOOST_TEST((taken(with_seal(sealed, nullptr)) == section));
  BOOST_TEST((taken(read_bc1<content_seal>(*taken(read_embedded_section(sealed)).seal)) == seal));
  BOOST_TEST(taken(with_seal(taken(with_seal({}, &seal)), nullptr)).empty());
  section[9] = std::byte{0xff};  // the map's size
  BOOST_TEST(!read_embedded_section(section));
}

BOOST_AUTO_TEST_CASE(chains) {
  const chain_subject subject{example_replay_id, example_map(), 42};
  const auto seed = array_of<32>(from_hex(example_key_seed));
  chain_signer signer(seed, subject);
  for (std::uint64_t tick = 30; tick <= 90; tick += 30) {
    const digest hash = sha256(int32s(static_cast<std::int32_t>(tick)));
    taken(signer.add(tick, hash, tick == 60 ? 3 : 0));
  }
  const signature_chain good = taken(read_signature_section(signer.section()));
  const digest final_hash = good.chain.back().state_hash;
  const auto verifies = [](const signature_chain& chain, const chain_subject& about, std::uint64_t ticks,
                           const digest& end) {
    return verify_chain_entries(chain, about) && verify_chain_end(chain, ticks, end);
  };
  BOOST_TEST(verifies(good, subject, 90, final_hash));
  BOOST_TEST((signer.add(90, final_hash).error().code == error_code::invalid_argument));
  BOOST_TEST(!verifies(good, {"another", example_map(), 42}, 90, final_hash));
  BOOST_TEST(!verifies(good, {example_replay_id, example_map(), 43}, 90, final_hash));
  BOOST_TEST(!verifies(good, subject, 91, final_hash));
  BOOST_TEST(!verifies(good, subject, 90, digest{}));
  BOOST_TEST(!verifies({}, subject, 0, digest{}));
  const auto tampered = [&](auto change) {
    signature_chain chain = good;
    change(chain);
    return !verifies(chain, subject, 90, final_hash);
  };
  BOOST_TEST(tampered([](auto& chain) { chain.chain.erase(chain.chain.begin()); }));
  BOOST_TEST(tampered([](auto& chain) { chain.chain.erase(chain.chain.begin() + 1); }));
  BOOST_TEST(tampered([](auto& chain) { std::swap(chain.chain[0], chain.chain[1]); }));
  BOOST_TEST(tampered([](auto& chain) { chain.chain[1].skipped_ticks = 0; }));
  BOOST_TEST(tampered([](auto& chain) { chain.chain[1].tick = 61; }));
  BOOST_TEST(tampered([](auto& chain) { chain.relay_public_key[0] ^= std::byte{1}; }));
}

BOOST_AUTO_TEST_CASE(signed_but_incomplete) {
  byte_vector file = from_hex(golden::complete_file);
  file[104] = std::byte{1};
  const auto report = taken(reader::open(file, example_options())).verify_signatures();
  BOOST_TEST((report.state == signature_state::incomplete));
  BOOST_TEST(name(report.state) == "incomplete");
  BOOST_TEST(report.entries == 2u);
}

BOOST_AUTO_TEST_CASE(keyframes_must_be_the_signed_states) {
  byte_vector file = from_hex(golden::complete_file);
  reader_options options = example_options();
  options.hashes_core = true;
  BOOST_TEST((taken(reader::open(file, options)).verify_signatures().state == signature_state::states_only));
  // Another amount of ore in the first keyframe, with a matching check value.
  const std::size_t amount = 887 + 8 + 42 + 210 - 2 - 4;
  file[amount] ^= std::byte{1};
  keyframe_section_writer section;
  sim_snapshot changed = example_full();
  changed.core.map_state[0].resource_amount ^= 1;
  taken(section.add(0, true, to_bytes(changed), false));
  taken(section.add(2, false, to_bytes(example_delta()), false));
  const byte_vector keyframes = section.finish();
  std::copy(keyframes.begin(), keyframes.end(), file.begin() + 887);
  const auto report = taken(reader::open(file, options)).verify_signatures();
  BOOST_TEST((report.state == signature_state::tampered));
  BOOST_TEST(describe(*report.why).find("keyframe of tick 0 is not the signed state") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
