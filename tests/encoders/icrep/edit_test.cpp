// Files edited into other files: signing, recompressing, removing names and voice.
#include <boost/test/unit_test.hpp>

#include "example.hpp"
#include "live_file.hpp"
#include "random.hpp"
#include "random_world.hpp"
#include "same_content.hpp"
#include "tickreel/icrep/edit.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(edit_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

constexpr std::uint64_t total_ticks = 64;
constexpr std::uint64_t keyframe_ticks = 4;

struct made_file {
  byte_vector bytes;
  std::vector<sim_snapshot> states;  // at each keyframe
};

// Random worlds in groups of five keyframes, with short order blocks, events and voice.
made_file make_file(std::mt19937_64& random, bool hashes_core = true, void (*change)(metadata&) = nullptr) {
  made_file made;
  random_world world(random);
  const slot_table slots = taken(slot_table::create(random_world::schema()));
  keyframe_section_writer keyframes;
  order_stream_writer orders({32, true});
  byte_vector order_bytes;
  auto events = record_stream_writer::events();
  byte_vector event_bytes;
  auto voice = record_stream_writer::voice_frames();
  byte_vector voice_bytes;
  std::optional<delta_group> group;
  taken(voice.add(voice::track{1, 1}, voice_bytes));
  for (std::uint64_t tick = 0; tick < total_ticks; ++tick) {
    std::uint64_t hash = hashes_core ? 0 : tick + 1000;
    if (tick % keyframe_ticks == 0) {
      world.change(tick);
      const sim_snapshot& now = world.state();
      made.states.push_back(now);
      if (hashes_core) hash = sync_hash(core_hash(now.core));
      auto delta =
          group && tick % (5 * keyframe_ticks) != 0 ? std::optional(group->delta(now)) : std::nullopt;
      if (delta && *delta) {
        taken(keyframes.add(tick, false, to_bytes(**delta)));
      } else {
        group = taken(delta_group::begin(now, slots));
        taken(keyframes.add(tick, true, to_bytes(now)));
      }
    }
    tick_frame frame{tick, hash, {}};
    frame.orders.push_back({0, order::chat_message{order::to_all{}, "gg Alice, not alice2 or ALICE!"}, 5});
    frame.orders.push_back({1, order::game_order{7, byte_vector(32, std::byte{9})}, 5});
    taken(orders.add(frame, order_bytes));
    taken(events.add({analysis::resource_collected{tick, 0, 1, 25}}, event_bytes));
    taken(events.add(
        {analysis::vote_event{tick, analysis::vote::proposed{4, analysis::vote::custom{"kick alice"}, 1}}},
        event_bytes));
    taken(voice.add(voice::frame{1, tick, order::to_all{}, byte_vector(20, std::byte{1})}, voice_bytes));
    if (tick % 3 == 0) {
      taken(orders.flush(order_bytes));
      taken(events.flush(event_bytes));
      taken(voice.flush(voice_bytes));
    }
  }
  taken(orders.finish(order_bytes));
  taken(events.finish(event_bytes));
  taken(voice.finish(voice_bytes));
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.total_ticks = total_ticks;
  facts.players = {{0, "Alice", "", "won", 1}, {1, "Bob", "", "lost", 1}};
  facts.schema = random_world::schema();
  facts.others = {{"x_note", R"({"bob":"a \"quoted\" Bob","5":5})"}, {"x_kept", R"("Bob")"}};
  if (hashes_core) facts.state_hash = "core-sha256";
  if (change != nullptr) change(facts);
  made.bytes =
      file_of(facts, order_bytes, keyframes.finish(),
              {.events = event_bytes, .voice = voice_bytes, .final_state_hash = example_final_hash()});
  return made;
}

std::array<std::byte, 32> key(std::uint8_t number) {
  std::array<std::byte, 32> seed{};
  seed[0] = std::byte{number};
  return seed;
}

void check_sound(const reader& opened) {
  for (const finding& one : opened.verify()) BOOST_ERROR(describe(one.what));
}

// Orders, events, voice and states of both are equal.
void check_same_content(const reader& a, const reader& b) {
  check_same_items<tick_frame>(a.orders(), b.orders());
  check_same_items<analysis::event>(a.events(), b.events());
  check_same_voice(a, b);
  BOOST_REQUIRE(a.keyframes().size() == b.keyframes().size());
  for (std::size_t i = 0; i < a.keyframes().size(); ++i) {
    BOOST_TEST((taken(a.snapshot(i)) == taken(b.snapshot(i))));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(signing_covers_states_and_the_end) {
  auto random = seeded_random("signing");
  const made_file made = make_file(random);
  const signed_file done = taken(sign_file(made.bytes, key(1), {.interval_ticks = 30}));
  // 16 keyframes; no other frame has a hash; the end.
  BOOST_TEST(done.entries == 17u);
  BOOST_TEST(done.skipped_ticks == 0u);
  BOOST_TEST(done.covers_keyframes);
  const reader opened = taken(reader::open(done.file));
  check_sound(opened);
  BOOST_TEST(opened.facts().is_signed);
  BOOST_TEST((opened.verify_signatures().state == signature_state::whole));
  BOOST_TEST((opened.verify_signatures().signer == done.signer));
  BOOST_TEST((verify_signatures_of(opened, done.signer).state == signature_state::whole));
  const signed_file other = taken(sign_file(made.bytes, key(2)));
  const signature_report stranger = verify_signatures_of(opened, other.signer);
  BOOST_TEST((stranger.state == signature_state::tampered));
  BOOST_TEST(describe(*stranger.why).find("another key") != std::string::npos);
  check_same_content(taken(reader::open(made.bytes)), opened);

  const auto again = sign_file(done.file, key(2));
  BOOST_REQUIRE(!again);
  BOOST_TEST((again.error().code == error_code::wrong_state));
  const signed_file replaced = taken(sign_file(done.file, key(2), {.replace = true}));
  BOOST_TEST((replaced.file == other.file));
}

BOOST_AUTO_TEST_CASE(signing_a_game_with_its_own_hashes) {
  auto random = seeded_random("own hashes");
  const made_file made = make_file(random, false);
  const signed_file done = taken(sign_file(made.bytes, key(1), {.interval_ticks = 10}));
  BOOST_TEST(done.entries == 8u);  // 0, 10, ..., 60 and the end
  BOOST_TEST(!done.covers_keyframes);
  const reader opened = taken(reader::open(done.file));
  BOOST_TEST((opened.verify_signatures().state == signature_state::whole));
}

BOOST_AUTO_TEST_CASE(a_file_without_anything_to_sign_is_reported) {
  auto random = seeded_random("nothing to sign");
  const byte_vector good = make_file(random).bytes;
  BOOST_TEST((sign_file(begin_live_file("{}"), key(1)).error().code == error_code::wrong_state));
  byte_vector damaged = good;
  damaged[taken(reader::open(good)).order_blocks()[1].offset + 40] ^= std::byte{1};
  BOOST_TEST((sign_file(damaged, key(1)).error().code == error_code::checksum_mismatch));
  BOOST_TEST((recompress_file(damaged).error().code == error_code::checksum_mismatch));
  BOOST_TEST((anonymise_file(damaged).error().code == error_code::checksum_mismatch));
}

// A new signature would hide that.
BOOST_AUTO_TEST_CASE(a_file_whose_signatures_are_not_valid_is_not_signed_again) {
  auto random = seeded_random("signing a tampered file");
  byte_vector file = taken(sign_file(make_file(random).bytes, key(1))).file;
  const section chain = taken(reader::open(file)).header().signature;
  file[chain.offset + 20] ^= std::byte{1};
  BOOST_REQUIRE((taken(reader::open(file)).verify_signatures().state == signature_state::tampered));
  for (const bool replace : {false, true}) {
    const auto again = sign_file(file, key(2), {.replace = replace});
    BOOST_REQUIRE(!again);
    BOOST_TEST((again.error().code == error_code::checksum_mismatch));
    BOOST_TEST(std::string_view(again.error().detail).starts_with("the existing signatures are not valid"));
  }
}

// Every byte that a signature covers: the chain itself, signed hashes in frames, signed keyframes.
BOOST_AUTO_TEST_CASE(tampering_with_signed_bytes_is_detected) {
  auto random = seeded_random("tampering");
  const signed_file done = taken(sign_file(make_file(random).bytes, key(1)));
  const reader good = taken(reader::open(done.file));
  const section chain = good.header().signature;
  for (std::size_t at = chain.offset; at < chain.offset + chain.length; ++at) {
    byte_vector file = done.file;
    file[at] ^= static_cast<std::byte>(1u << (random() % 8));
    const auto opened = reader::open(file);
    BOOST_REQUIRE(opened);
    BOOST_TEST((opened->verify_signatures().state == signature_state::tampered), "byte " << at);
  }
  // With all check values corrected, too.
  for (const std::size_t number : {std::size_t{0}, std::size_t{3}, good.keyframes().size() - 1}) {
    keyframe_section_writer keyframes;
    for (std::size_t i = 0; i < good.keyframes().size(); ++i) {
      byte_vector buffer;
      const byte_span raw = taken(open_keyframe(good.keyframes()[i], buffer));
      byte_vector changed(raw.begin(), raw.end());
      if (i == number && good.keyframes()[i].full) {
        sim_snapshot state = taken(read_snapshot(changed));
        state.core.rng_state.push_back(std::byte{1});
        changed = to_bytes(state);
      } else if (i == number) {
        delta_snapshot delta = taken(read_delta(changed));
        delta.core.intern_table_delta = {
            static_cast<std::uint32_t>(taken(good.snapshot(i)).core.intern_table.size()), {"one more"}};
        changed = to_bytes(delta);
      }
      taken(keyframes.add(good.keyframes()[i].tick, good.keyframes()[i].full, changed));
    }
    const byte_vector section_bytes = keyframes.finish();
    const auto part = [&](section place) { return byte_span(done.file).subspan(place.offset, place.length); };
    file_sections sections;
    sections.metadata_json = good.metadata_json();
    sections.orders = part(good.header().orders);
    sections.keyframes = section_bytes;
    sections.signature = part(chain);
    sections.total_ticks = total_ticks;
    sections.final_state_hash = good.header().final_state_hash;
    const byte_vector file = taken(encode_file(sections));
    BOOST_TEST((taken(reader::open(file)).verify_signatures().state == signature_state::tampered));
  }
  // A frame with another state.
  order_stream_writer orders;
  byte_vector order_bytes;
  auto frames = good.orders();
  tick_frame frame;
  while (frames.next(frame)) {
    if (frame.tick == keyframe_ticks) frame.state_hash ^= 1;
    taken(orders.add(frame, order_bytes));
  }
  taken(orders.finish(order_bytes));
  file_sections sections;
  const auto part = [&](section place) { return byte_span(done.file).subspan(place.offset, place.length); };
  sections.metadata_json = good.metadata_json();
  sections.orders = order_bytes;
  sections.keyframes = part(good.header().keyframes);
  sections.signature = part(chain);
  sections.total_ticks = total_ticks;
  sections.final_state_hash = good.header().final_state_hash;
  const byte_vector file = taken(encode_file(sections));
  const signature_report report = taken(reader::open(file)).verify_signatures();
  BOOST_TEST((report.state == signature_state::tampered));
  BOOST_TEST(describe(*report.why).find("orders of tick 4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(recompressing_changes_no_content) {
  auto random = seeded_random("recompressing");
  for (int round = 0; round < 10; ++round) {
    const signed_file made = taken(sign_file(make_file(random).bytes, key(1)));
    const reader before = taken(reader::open(made.file));
    const byte_vector stored = taken(recompress_file(made.file, {.compress = false}));
    const byte_vector fast = taken(recompress_file(stored));
    const byte_vector small = taken(recompress_file(fast, {.level = 12, .block_ticks = 1024}));
    BOOST_TEST(fast.size() <= made.file.size());  // signing merged short blocks into full ones
    BOOST_TEST(fast.size() < stored.size());
    BOOST_TEST(small.size() <= fast.size());
    for (const byte_vector* file : {&stored, &fast, &small}) {
      const reader after = taken(reader::open(*file));
      check_sound(after);
      check_same_content(before, after);
      BOOST_TEST(after.metadata_json() == before.metadata_json());
      BOOST_TEST((after.verify_signatures().state == signature_state::whole));
    }
    BOOST_TEST(taken(reader::open(stored)).order_blocks().size() == 1u);
    BOOST_TEST((taken(recompress_file(stored, {.compress = false})) == stored));
  }
}

BOOST_AUTO_TEST_CASE(voice_is_removed_and_the_rest_kept) {
  auto random = seeded_random("voice");
  const signed_file made = taken(sign_file(make_file(random).bytes, key(1)));
  const silent_file done = taken(strip_voice(made.file));
  const byte_vector& silent = done.file;
  const reader after = taken(reader::open(silent));
  check_sound(after);
  BOOST_TEST(!after.header().has_voice);
  // An edit that removes something cannot claim that nothing is missing.
  BOOST_TEST(done.dropped_seal);
  BOOST_TEST((after.verify_signatures().state == signature_state::states_only));
  byte_span record;
  std::uint64_t offset = 0;
  BOOST_TEST(!after.voice().next(record, offset));
  const silent_file unchanged = taken(strip_voice(silent));
  BOOST_TEST(!unchanged.had_voice);
  BOOST_TEST(!unchanged.dropped_seal);
  BOOST_TEST((unchanged.file == silent));
}

// The second recording contains voice.
BOOST_AUTO_TEST_CASE(trailing_bytes_are_in_no_copy) {
  auto random = seeded_random("trailing bytes of edits");
  const byte_vector& voiced = make_file(random).bytes;
  const byte_vector silent = taken(strip_voice(taken(sign_file(voiced, key(1))).file)).file;
  byte_vector longer = silent;
  longer.insert(longer.end(), voiced.begin(), voiced.end());
  BOOST_TEST((taken(strip_voice(longer)).file == silent));
  BOOST_TEST((taken(recompress_file(longer)) == taken(recompress_file(silent))));
  BOOST_TEST((taken(anonymise_file(longer)).file == taken(anonymise_file(silent)).file));
  const signed_file again = taken(sign_file(longer, key(2), {.replace = true}));
  BOOST_TEST((again.file == taken(sign_file(silent, key(2), {.replace = true})).file));
}

BOOST_AUTO_TEST_CASE(names_are_removed_everywhere_and_the_file_stays_valid) {
  auto random = seeded_random("names");
  for (int round = 0; round < 20; ++round) {
    made_file made = make_file(random, round % 2 == 0);
    const anonymised_file done = taken(anonymise_file(made.bytes, {.texts = {}, .keep_keys = {"x_kept"}}));
    const reader after = taken(reader::open(done.file));
    check_sound(after);
    BOOST_TEST(!done.dropped_signature);
    BOOST_TEST(done.has_voice);
    BOOST_TEST(done.unreadable_places == 0u);
    BOOST_TEST(after.facts().players[0].name == "Player 1");
    BOOST_TEST(after.facts().players[1].name == "Player 2");
    BOOST_TEST(after.facts().others[0].second == R"({"Player 2":"a \"quoted\" Player 2","5":5})");
    BOOST_TEST(after.facts().others[1].second == R"("Bob")");
    auto frames = after.orders();
    tick_frame frame;
    while (frames.next(frame)) {
      const auto& chat = std::get<order::chat_message>(frame.orders[0].order);
      BOOST_TEST(chat.text == "gg Player 1, not alice2 or Player 1!");
    }
    auto events = after.events({.types = 1u << 14, .player = {}});
    analysis::event happened;
    BOOST_REQUIRE(events.next(happened));
    const auto& vote =
        std::get<analysis::vote::proposed>(std::get<analysis::vote_event>(happened.what).event);
    BOOST_TEST(std::get<analysis::vote::custom>(vote.vote_type).name == "kick Player 1");
    for (std::size_t i = 0; i < made.states.size(); ++i) {
      BOOST_TEST((taken(after.snapshot(i)) == made.states[i]));
    }
  }
}

// JSON has many spellings for a string, and an object has no duplicate keys.
BOOST_AUTO_TEST_CASE(names_that_json_escapes_are_removed_and_keys_stay_distinct) {
  auto random = seeded_random("names with signs");
  const made_file made = make_file(random, true, [](metadata& facts) {
    facts.players[0].name = R"(An"na\x)";
    facts.players[1].name = "Zoë";
    facts.others = {
        {"x_said", R"(["by An\"na\\x!","An\u0022na\u005Cx","Zo\u00eb and Zoë","a \"quoted\" word"])"},
        {"x_scores", R"({"Player 1":1,"An\"na\\x":2,"An\u0022na\\x":3,"in":{"Zo\u00EB":{"Zoë":4}}})"},
        {"Zoë", "1"},
        {"Player 2", "2"}};
  });
  const anonymised_file done = taken(anonymise_file(made.bytes));
  const reader opened = taken(reader::open(done.file));
  const other_members own = {
      {"x_said", R"(["by Player 1!","Player 1","Player 2 and Player 2","a \"quoted\" word"])"},
      {"x_scores", R"-({"Player 1":1,"Player 1 (2)":2,"Player 1 (3)":3,"in":{"Player 2":{"Player 2":4}}})-"},
      {"Player 2 (2)", "1"},
      {"Player 2", "2"}};
  const other_members& after = opened.facts().others;
  BOOST_REQUIRE(after.size() == own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    BOOST_TEST(after[i].first == own[i].first);
    BOOST_TEST(after[i].second == own[i].second);
  }
}

// Invalid JSON could hide a name in a spelling that other readers interpret as another one.
BOOST_AUTO_TEST_CASE(metadata_with_an_unpaired_surrogate_are_rejected) {
  auto random = seeded_random("half pairs");
  const made_file made = make_file(random, true, [](metadata& facts) {
    facts.players[0].name = "Alouette";
    facts.others = {{"x_said", R"(["\ud800\u0041louette"])"}};
  });
  BOOST_TEST(!anonymise_file(made.bytes).has_value());
}

BOOST_AUTO_TEST_CASE(names_in_keys_and_in_file_names) {
  auto random = seeded_random("names in keys");
  const made_file made = make_file(random, true, [](metadata& facts) {
    facts.players[0].name = "Alouette";
    facts.players[1].name = "xy";
    facts.others = {{"x_alouette", R"({"score_Alouette":"team_xy","xy":"alouettes"})"}, {"Alouette", "1"}};
    facts.converted_from.emplace();
    facts.converted_from->source = "sc2replay";
    facts.converted_from->original_file = "Alouette_vs_PXP.SC2Replay";
    facts.converted_from->others = {{"of Alouette", "2"}};
  });
  const anonymised_file done = taken(anonymise_file(made.bytes));
  const reader opened = taken(reader::open(done.file));
  const metadata& after = opened.facts();
  const other_members own = {{"x_Player 1", R"({"score_Player 1":"team_xy","Player 2":"alouettes"})"},
                             {"Player 1", "1"}};
  BOOST_TEST((after.others == own));
  BOOST_REQUIRE(after.converted_from.has_value());
  BOOST_TEST(after.converted_from->original_file == "");
  BOOST_TEST(after.converted_from->source == "sc2replay");
  BOOST_TEST(after.converted_from->others[0].first == "of Player 1");
}

// Names in states: interned, in components of fixed and of variable size, in script texts; deltas and hashes are updated.
BOOST_AUTO_TEST_CASE(names_in_states) {
  const icrep::schema described{{{0, "tag", 12}, {1, "name", 0}}, {{0, "label", 10}}, {}};
  const slot_table slots = taken(slot_table::create(described));
  const auto short_text = [](std::string_view text, std::size_t capacity) {
    byte_vector bytes(2 + capacity);
    byte_writer to(bytes);
    to.u16(static_cast<std::uint16_t>(text.size()));
    to.bytes(as_bytes(text));
    return bytes;
  };
  const auto named = [&](std::string_view text) {
    byte_vector bytes = short_text(text, 10);
    const byte_vector size = int32s(static_cast<int>(text.size()));
    bytes.insert(bytes.end(), size.begin(), size.end());
    bytes.insert(bytes.end(), as_bytes(text).begin(), as_bytes(text).end());
    return bytes;
  };
  sim_snapshot state;
  state.core.map_hash = example_map();
  state.core.intern_table = {"tank", "owned by TANK", "Alice"};
  state.core.entities = {{{1, 1}, 0, 3, named("alice")}};
  state.core.player_states = {{0, 1, short_text("Alice", 8)}};
  const sim_snapshot first = state;
  auto group = taken(delta_group::begin(state, slots));
  state.core.tick = 2;
  state.core.entities.push_back({{2, 1}, 0, 3, named("A. Alice B")});
  state.core.intern_table.push_back("by alice");
  state.script_state = script_state{{}, {}, {{"chief", script::text{"ALICE"}}}};
  const delta_snapshot delta = taken(group.delta(state));
  keyframe_section_writer keyframes;
  taken(keyframes.add(0, true, to_bytes(first)));
  taken(keyframes.add(2, false, to_bytes(delta)));
  order_stream_writer orders;
  byte_vector order_bytes;
  taken(orders.add({0, sync_hash(core_hash(first.core)), {}}, order_bytes));
  const byte_vector hidden{std::byte{0},   std::byte{'a'}, std::byte{'l'},
                           std::byte{'i'}, std::byte{'c'}, std::byte{'e'}};
  taken(orders.add({1, 77, {{0, order::game_order{1, hidden}, 0}}}, order_bytes));
  taken(orders.add({2, sync_hash(core_hash(state.core)), {}}, order_bytes));
  taken(orders.finish(order_bytes));
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.players = {{0, "Alice", "", "won", 1}, {1, "Tank", "", "lost", 1}};
  facts.schema = described;
  facts.state_hash = "core-sha256";
  const byte_vector unsigned_file =
      file_of(facts, order_bytes, keyframes.finish(), {.final_state_hash = example_final_hash()});
  const byte_vector file = taken(sign_file(unsigned_file, key(1))).file;

  anonymise_options options;
  options.texts = {{text_value::list::components, 0, 0, 12}, {text_value::list::player_fields, 0, 0, 10}};
  const anonymised_file done = taken(anonymise_file(file, options));
  BOOST_TEST(done.dropped_signature);
  BOOST_TEST(done.unreadable_places == 1u);  // in the game's own order
  const reader after = taken(reader::open(done.file));
  check_sound(after);
  BOOST_TEST(!after.header().is_signed);
  BOOST_TEST((after.header().final_state_hash == digest{}));
  const sim_snapshot now = taken(after.snapshot(1));
  // Kinds of entities are names defined by the game.
  BOOST_TEST(now.core.intern_table[0] == "tank");
  BOOST_TEST(now.core.intern_table[1] == "owned by Player 2");
  BOOST_TEST(now.core.intern_table[2] == "Player 1");
  BOOST_TEST(now.core.intern_table[3] == "by Player 1");
  BOOST_TEST(to_hex(now.core.entities[0].components) == to_hex(named("Player 1")));
  byte_vector longer = short_text("A. Player ", 10);  // truncated at the size limit
  const byte_vector whole = named("A. Alice B");
  const byte_vector text = int32s(13);
  longer.insert(longer.end(), text.begin(), text.end());
  longer.insert(longer.end(), as_bytes("A. Player 1 B").begin(), as_bytes("A. Player 1 B").end());
  BOOST_TEST(to_hex(now.core.entities[1].components) == to_hex(longer));
  BOOST_TEST((now.core.player_states[0].player_fields == short_text("Player 1", 8)));
  BOOST_TEST(std::get<script::text>(now.script_state->mission_vars.at("chief")).value == "Player 1");
  auto frames = after.orders();
  tick_frame frame;
  BOOST_REQUIRE(frames.next(frame));
  BOOST_TEST(frame.state_hash == sync_hash(core_hash(taken(after.snapshot(0)).core)));
  BOOST_REQUIRE(frames.next(frame));
  BOOST_TEST(frame.state_hash == 0u);
  BOOST_REQUIRE(frames.next(frame));
  BOOST_TEST(frame.state_hash == sync_hash(core_hash(now.core)));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
