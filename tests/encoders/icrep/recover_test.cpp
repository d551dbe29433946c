// Recovery of truncated and damaged files.
#include <boost/test/unit_test.hpp>

#include "example.hpp"
#include "random.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/icrep/edit.hpp"
#include "tickreel/icrep/recover.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(recover_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

// The example with described components, so that deltas can be decoded, and without signatures.
byte_vector described_file() {
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.schema = example_schema();
  const byte_vector events = example_event_blocks();
  return file_of(facts, example_orders(), example_keyframes(), {.events = events});
}

// Whatever remains, the result is a file without damage, and a second recovery changes nothing.
void check_sound(const recovered_file& done) {
  const reader opened = taken(reader::open(done.file));
  for (const finding& one : opened.verify()) {
    BOOST_TEST((one.severity != severity::damage), describe(one.what));
  }
  const recovered_file again = taken(recover_file({done.file, {}, {}, {}}));
  BOOST_TEST(again.was_whole);
  BOOST_TEST((again.file == done.file));
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_intact_file_is_unchanged) {
  for (const byte_vector& file : {described_file(), from_hex(golden::complete_file)}) {
    const recovered_file done = taken(recover_file({file, {}, {}, {}}));
    BOOST_TEST(done.was_whole);
    BOOST_TEST((done.file == file));
    BOOST_TEST(done.total_ticks == 3u);
  }
}

BOOST_AUTO_TEST_CASE(trailing_bytes_are_not_copied) {
  for (const byte_vector& file : {described_file(), from_hex(golden::complete_file)}) {
    for (const byte_vector& more : {byte_vector(500), file}) {
      byte_vector longer = file;
      longer.insert(longer.end(), more.begin(), more.end());
      const recovered_file done = taken(recover_file({longer, {}, {}, {}}));
      BOOST_TEST(done.was_whole);
      BOOST_TEST((done.file == file));
    }
  }
}

BOOST_AUTO_TEST_CASE(truncated_at_every_byte) {
  const byte_vector file = described_file();
  const reader whole = taken(reader::open(file));
  const std::size_t orders_end = whole.header().orders.offset + whole.header().orders.length;
  std::size_t saved = 0;
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto done = recover_file({byte_span(file).first(size), {}, {}, {}});
    if (size < orders_end) {
      BOOST_TEST(!done, "cut at " << size);
      continue;
    }
    BOOST_REQUIRE_MESSAGE(done, "cut at " << size << ": " << (done ? "" : describe(done.error())));
    ++saved;
    BOOST_TEST(!done->was_whole);
    BOOST_TEST(done->total_ticks == 3u);
    check_sound(*done);
  }
  BOOST_TEST(saved > 0u);
}

BOOST_AUTO_TEST_CASE(damage_costs_only_the_damaged_part) {
  const byte_vector file = described_file();
  const reader whole = taken(reader::open(file));
  {
    byte_vector hurt = file;
    hurt[static_cast<std::size_t>(whole.keyframes()[1].offset) + 30] ^= std::byte{1};
    const recovered_file done = taken(recover_file({hurt, {}, {}, {}}));
    BOOST_TEST(done.lost_keyframes == 1u);
    BOOST_TEST(done.keyframes == 1u);
    BOOST_TEST(done.damaged_blocks == 0u);
    check_sound(done);
    BOOST_TEST((taken(taken(reader::open(done.file)).snapshot(0)) == example_full()));
  }
  {
    byte_vector hurt = file;
    hurt[whole.header().orders.offset + 40] ^= std::byte{1};
    const recovered_file done = taken(recover_file({hurt, {}, {}, {}}));
    BOOST_TEST(done.lost_ticks == 3u);
    BOOST_TEST(done.damaged_blocks == 1u);
    BOOST_TEST(done.keyframes == 2u);
    check_sound(done);
  }
  {
    byte_vector hurt = file;
    hurt[whole.header().events.offset + 40] ^= std::byte{1};
    const recovered_file done = taken(recover_file({hurt, {}, {}, {}}));
    BOOST_TEST(done.damaged_blocks == 1u);
    BOOST_TEST(done.lost_ticks == 0u);
    BOOST_TEST(done.keyframes == 2u);
    check_sound(done);
  }
}

BOOST_AUTO_TEST_CASE(noise_never_becomes_an_invalid_file) {
  auto random = seeded_random("recover");
  const byte_vector file = described_file();
  const std::size_t orders_at = taken(reader::open(file)).header().orders.offset;
  std::size_t checked = 0;
  for (int round = 0; round < 2000; ++round) {
    byte_vector hurt = file;
    // Except in the metadata, whose statements about components cannot be checked.
    for (int flips = 0; flips < 3; ++flips) {
      const std::size_t place = random() % (header_bytes + file.size() - orders_at);
      hurt[place < header_bytes ? place : place - header_bytes + orders_at] ^=
          static_cast<std::byte>(1u << (random() % 8));
    }
    const auto done = recover_file({hurt, {}, {}, {}});
    if (!done || done->was_whole) continue;
    check_sound(*done);
    ++checked;
  }
  BOOST_TEST(checked > 500u);
}

namespace {

// A wrong program writes valid check values over wrong content.
class wrong_program {
 public:
  explicit wrong_program(byte_vector file) : file_(std::move(file)), opened_(taken(reader::open(file_))) {}

  byte_vector& bytes() { return file_; }
  byte_vector finished() {
    for (const section place : {opened_.header().orders, opened_.header().events}) {
      std::size_t at = place.offset;
      for (const std::size_t end = at + place.length; at < end;) {
        const std::size_t stored = little<std::uint32_t>(at + 4);
        put(at + 12, crc32(byte_span(file_).subspan(at + block_header_bytes, stored)));
        put(at + 30, static_cast<std::uint16_t>(crc32(byte_span(file_).subspan(at, 30)) & 0xFFFFu));
        at += block_header_bytes + stored;
      }
    }
    const section place = opened_.header().keyframes;
    std::size_t check = place.offset + place.length - opened_.keyframes().size() * sizeof(std::uint32_t);
    for (const stored_keyframe& one : opened_.keyframes()) {
      put(check, crc32(byte_span(file_).subspan(static_cast<std::size_t>(one.offset), one.stored.size())));
      check += sizeof(std::uint32_t);
    }
    return file_;
  }
  // Without the fields of a block that its size follows from.
  bool may_change(std::size_t place) const {
    for (const section each : {opened_.header().orders, opened_.header().events}) {
      if (place < each.offset || place >= each.offset + each.length) continue;
      const std::size_t in_it = place - each.offset;
      return in_it >= block_header_bytes || (in_it >= 16 && in_it < 28);
    }
    return true;
  }
  [[nodiscard]] const reader& opened() const { return opened_; }

 private:
  template <class T>
  T little(std::size_t at) const {
    return tickreel::detail::load<std::endian::little, T>(file_.data() + at);
  }
  template <class T>
  void put(std::size_t at, T value) {
    tickreel::detail::store<std::endian::little>(file_.data() + at, value);
  }

  byte_vector file_;
  reader opened_;
};

// A described file with these blocks of events.
byte_vector file_with_events(const byte_vector& events, std::uint64_t total_ticks = 3) {
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.schema = example_schema();
  facts.total_ticks = total_ticks;
  return file_of(facts, example_orders(), example_keyframes(), {.events = events});
}

byte_vector block_of(block_kind kind, std::uint64_t first_tick, std::uint32_t count, const byte_vector& raw) {
  block_header head;
  head.kind = kind;
  head.first_tick = first_tick;
  head.count = count;
  byte_vector out;
  taken(append_block(out, head, raw, false));
  return out;
}

void append_record(byte_vector& to, byte_span record) {
  append_bc1(to, static_cast<std::uint32_t>(record.size()));
  to.insert(to.end(), record.begin(), record.end());
}

byte_vector game_events(std::initializer_list<std::uint64_t> ticks) {
  byte_vector all;
  for (const std::uint64_t tick : ticks) {
    byte_vector one;
    append_game_event(one, 7, tick, from_hex("abcd"));
    append_record(all, one);
  }
  return all;
}

std::vector<std::uint64_t> event_ticks(const byte_vector& file, const event_filter& filter = {}) {
  const reader opened = taken(reader::open(file));
  auto events = opened.events(filter);
  std::vector<std::uint64_t> ticks;
  for (event_record one; events.next(one);) ticks.push_back(one.tick);
  return ticks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(wrong_content_with_right_checksums_is_left_out) {
  auto random = seeded_random("recover wrong content");
  const byte_vector file = described_file();
  std::size_t checked = 0;
  for (int round = 0; round < 4000; ++round) {
    wrong_program hurt(file);
    const std::size_t begin = hurt.opened().header().orders.offset;
    for (int flips = 0; flips < 2; ++flips) {
      const std::size_t place = begin + random() % (file.size() - begin);
      if (hurt.may_change(place)) hurt.bytes()[place] ^= static_cast<std::byte>(1u << (random() % 8));
    }
    const auto done = recover_file({hurt.finished(), {}, {}, {}});
    if (!done || done->was_whole) continue;
    BOOST_TEST_CONTEXT("round " << round) {
      check_sound(*done);
    }
    ++checked;
  }
  BOOST_TEST(checked > 500u);
}

BOOST_AUTO_TEST_CASE(an_order_block_keeps_its_readable_frames) {
  byte_vector raw;
  for (const tick_frame& frame : example_frames()) append_bc1(raw, frame);
  raw.resize(raw.size() - 2);  // of the last frame
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.schema = example_schema();
  const byte_vector file = file_of(facts, block_of(block_kind::orders, 0, 3, raw), example_keyframes());
  const recovered_file done = taken(recover_file({file, {}, {}, {}}));
  check_sound(done);
  BOOST_TEST(done.total_ticks == 2u);
  BOOST_TEST(done.lost_ticks == 1u);
  BOOST_TEST(done.damaged_blocks == 1u);
  BOOST_TEST(done.damage.size() == 2u);  // and the keyframe of tick 2
}

BOOST_AUTO_TEST_CASE(ticks_after_the_end_are_left_out) {
  constexpr std::uint64_t absurd = (std::uint64_t{1} << 63) + 5;
  byte_vector raw;
  for (const tick_frame& frame : example_frames()) append_bc1(raw, frame);
  append_bc1(raw, tick_frame{absurd, 0, {}});
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.schema = example_schema();
  for (const std::uint64_t total : {std::uint64_t{3}, absurd + 1}) {
    facts.total_ticks = total;
    const byte_vector file =
        file_of(facts, block_of(block_kind::orders, 0, 4, raw), example_keyframes(), {.incomplete = true});
    const recovered_file done = taken(recover_file({file, {}, {}, {}}));
    check_sound(done);
    BOOST_TEST(!done.was_whole);
    BOOST_TEST(done.total_ticks == 3u);
    for (const finding& each : taken(reader::open(file)).verify()) {
      BOOST_TEST(describe(each.what).find('-') == std::string::npos, describe(each.what));
    }
  }
  const byte_vector late = file_with_events(block_of(block_kind::events, 1, 2, game_events({1, absurd})));
  const recovered_file done = taken(recover_file({late, {}, {}, {}}));
  check_sound(done);
  BOOST_TEST(done.lost_records == 1u);
  BOOST_TEST(event_ticks(done.file) == std::vector<std::uint64_t>{1}, boost::test_tools::per_element());
}

// The highest tick is also the default end of a filter.
BOOST_AUTO_TEST_CASE(an_event_far_ahead_hides_no_other) {
  constexpr std::uint64_t highest = event_filter::no_end;
  byte_vector blocks = block_of(block_kind::events, 1, 3, game_events({1, highest, 2}));
  for (const std::uint64_t tick : {highest, std::uint64_t{2}}) {
    const byte_vector one = block_of(block_kind::events, tick, 1, game_events({tick}));
    blocks.insert(blocks.end(), one.begin(), one.end());
  }
  const byte_vector file = file_with_events(blocks);
  BOOST_TEST(event_ticks(file) == (std::vector<std::uint64_t>{1, highest, 2, highest, 2}),
             boost::test_tools::per_element());
  event_filter first_three;
  first_three.end_tick = 3;
  BOOST_TEST(event_ticks(file, first_three) == (std::vector<std::uint64_t>{1, 2, 2}),
             boost::test_tools::per_element());
  std::size_t reported = 0;
  for (const finding& each : taken(reader::open(file)).verify()) {
    if (describe(each.what).find("a tick above 2^53") != std::string::npos) ++reported;
  }
  BOOST_TEST(reported == 2u);
  const recovered_file done = taken(recover_file({file, {}, {}, {}}));
  check_sound(done);
  BOOST_TEST(done.lost_records == 2u);
  BOOST_TEST(event_ticks(done.file) == (std::vector<std::uint64_t>{1, 2, 2}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(wrong_records_cost_only_themselves) {
  byte_vector records = game_events({1});
  byte_vector wrong;
  append_game_event(wrong, 7, 1, from_hex("abcd"));
  wrong[12] = std::byte{9};  // its length
  append_record(records, wrong);
  byte_vector after = game_events({2});
  records.insert(records.end(), after.begin(), after.end());
  const byte_vector file = file_with_events(block_of(block_kind::events, 1, 3, records));
  const recovered_file done = taken(recover_file({file, {}, {}, {}}));
  check_sound(done);
  BOOST_TEST(!done.was_whole);
  BOOST_TEST(done.lost_records == 1u);
  BOOST_TEST((event_ticks(done.file) == std::vector<std::uint64_t>{1, 2}));
}

BOOST_AUTO_TEST_CASE(events_whose_ticks_fall_are_sorted) {
  byte_vector blocks = block_of(block_kind::events, 0, 2, game_events({2, 0}));
  const byte_vector second = block_of(block_kind::events, 1, 1, game_events({1}));
  blocks.insert(blocks.end(), second.begin(), second.end());
  const byte_vector file = file_with_events(blocks);
  const auto recompressed = recompress_file(file, {});
  BOOST_REQUIRE(!recompressed);
  BOOST_TEST(describe(recompressed.error()).find("tick 0 after tick 2") != std::string::npos);
  const auto anonymised = anonymise_file(file, {});
  BOOST_REQUIRE(!anonymised);
  BOOST_TEST(is_damage(anonymised.error().code));
  const recovered_file done = taken(recover_file({file, {}, {}, {}}));
  check_sound(done);
  BOOST_TEST(done.sorted_streams == 1u);
  BOOST_TEST(done.lost_records == 0u);
  BOOST_TEST((event_ticks(done.file) == std::vector<std::uint64_t>{0, 1, 2}));
  BOOST_TEST(recompress_file(done.file, {}).has_value());
  BOOST_TEST(anonymise_file(done.file, {}).has_value());
}

// A voice track has no tick of its own, also as the first record of a block.
BOOST_AUTO_TEST_CASE(voice_of_a_later_player_is_in_order) {
  byte_vector said;
  byte_vector joined;
  append_voice(said, voice::frame{0, 1, {}, from_hex("abcd")});
  append_voice(joined, voice::track{1, 1});
  byte_vector raw;
  append_record(raw, said);
  byte_vector blocks = block_of(block_kind::voice, 1, 1, raw);
  raw.clear();
  append_record(raw, joined);
  const byte_vector second = block_of(block_kind::voice, 1, 1, raw);
  blocks.insert(blocks.end(), second.begin(), second.end());
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.schema = example_schema();
  byte_vector file = file_of(facts, example_orders(), example_keyframes(), {.voice = blocks});
  file[static_cast<std::size_t>(taken(reader::open(file)).keyframes()[1].offset) + 30] ^= std::byte{1};
  const recovered_file done = taken(recover_file({file, {}, {}, {}}));
  check_sound(done);
  BOOST_TEST(done.sorted_streams == 0u);
  BOOST_TEST(done.lost_records == 0u);
  byte_span record;
  std::uint64_t offset = 0;
  const reader opened = taken(reader::open(done.file));
  auto voice = opened.voice();
  BOOST_REQUIRE(voice.next(record, offset));
  BOOST_TEST((byte_vector(record.begin(), record.end()) == said));
}

BOOST_AUTO_TEST_CASE(states_of_another_map_and_of_other_orders_are_left_out) {
  sim_snapshot other = example_full();
  other.core.map_hash = sha256(as_bytes("another map"));
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.schema = example_schema();
  const auto recovered = [&](std::initializer_list<sim_snapshot> states) {
    keyframe_section_writer keyframes;
    std::uint64_t tick = 0;
    for (sim_snapshot state : states) {
      state.core.tick = tick;
      taken(keyframes.add(tick, true, to_bytes(state), false));
      ++tick;
    }
    const byte_vector file = file_of(facts, example_orders(), keyframes.finish());
    recovered_file done = taken(recover_file({file, {}, {}, {}}));
    check_sound(done);
    BOOST_TEST(!done.was_whole);
    return done;
  };
  BOOST_TEST(recovered({example_full(), other, example_full()}).keyframes == 2u);
  // The most common one is that of the match.
  BOOST_TEST(recovered({other, example_full(), example_full()}).keyframes == 2u);
  facts.state_hash = "core-sha256";
  const recovered_file done = recovered({example_full(), example_full(), example_full()});
  BOOST_TEST(done.lost_keyframes == 3u - done.keyframes);
  BOOST_TEST(done.damage.size() == done.lost_keyframes);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
