// Reels of late subscribers: records before their start are reported as left out, not as damage. Records missing after the start,
// or the start itself, are damage.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "random_reel.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/stored_record.hpp"

BOOST_AUTO_TEST_SUITE(sdk_reel_tests)
BOOST_AUTO_TEST_SUITE(late_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct joined {
  byte_vector bytes;
  reel::record_info first;   // that follows the start
  std::uint64_t frames = 0;  // in chunks from the start on
  std::uint64_t gaps = 0;    // ticks in gaps from the start on
  std::size_t beginning_at = 0;
  std::size_t beginning_bytes = 0;  // 0: nothing was left out
};

void append(byte_vector& to, byte_span bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// The header, the last header update before record `from`, and all records from there on.
joined join_at(reel::reader& all, std::size_t from) {
  const auto& records = all.contents().records;
  joined out;
  out.first = records[from];
  append(out.bytes, all.header_bytes());
  // The last header update, and the lasting events.
  std::vector<std::size_t> numbers;
  for (std::size_t number = 0; number < from; ++number) {
    if (records[number].kind == reel::record_kind::header_update) {
      std::erase_if(numbers, [&](std::size_t each) { return !records[each].lasts(); });
      numbers.push_back(number);
    } else if (records[number].lasts()) {
      numbers.push_back(number);
    }
  }
  std::vector<reel::record_info> kept;
  for (const std::size_t number : numbers) kept.push_back(records[number]);
  const auto late = reel::beginning_of(all.header_bytes(), out.first, kept);
  const auto tell = [&](std::size_t place) {
    if (!late || late->before != place) return;
    out.beginning_at = out.bytes.size();
    out.beginning_bytes = late->bytes.size();
    append(out.bytes, late->bytes);
  };
  byte_vector stored;
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    tell(place);
    BOOST_REQUIRE(all.read_stored(numbers[place], stored));
    append(out.bytes, stored);
  }
  tell(numbers.size());
  for (std::size_t number = from; number < records.size(); ++number) {
    const reel::record_info& info = records[number];
    if (info.kind == reel::record_kind::chunk) out.frames += info.frames;
    if (info.kind == reel::record_kind::gap) out.gaps += info.frames;
    BOOST_REQUIRE(all.read_stored(number, stored));
    append(out.bytes, stored);
  }
  return out;
}

struct seen {
  std::uint64_t frames = 0;
  std::uint64_t left_out = 0;
  std::uint64_t lost = 0;    // reported by the iterator
  std::uint64_t gaps = 0;    // others
  std::uint64_t begins = 0;  // gap records that mark the start
};

seen look_at(reel::reader& reader) {
  seen all;
  walk_through(reader, [&](const reel::item& next) {
    if (next.kind == reel::item_kind::frame) ++all.frames;
    if (next.kind == reel::item_kind::loss) ++all.lost;
    if (next.kind != reel::item_kind::gap) return;
    if (next.gap.reason == reel::gap_reason::left_out) {
      ++all.begins;
      all.left_out += next.gap.ticks;
    } else {
      all.gaps += next.gap.ticks;
    }
  });
  return all;
}

// A start marker after ticks is a gap like any other: it hides no loss.
BOOST_AUTO_TEST_CASE(is_no_excuse_for_missing_records_in_the_middle) {
  auto random = seeded_random("a beginning in the middle");
  int checked = 0;
  for (int round = 0; round < 12; ++round) {
    const written_reel written = random_reel(random, 30, round % 3 != 0);
    auto all = reel::reader::from_memory(written.bytes);
    BOOST_REQUIRE(all);
    const auto& records = all->contents().records;
    std::size_t first = 0;
    while (first < records.size() && records[first].kind != reel::record_kind::chunk) ++first;
    // The gap itself has the number of a missing record.
    for (std::size_t from = first + 3; from < records.size(); ++from) {
      if (!records[from].is_entrance()) continue;
      const auto late = reel::beginning_of(all->header_bytes(), records[from], {});
      if (!late) continue;
      byte_vector bytes;
      byte_vector stored;
      append(bytes, all->header_bytes());
      for (std::size_t number = 0; number < records.size(); ++number) {
        if (number == from) append(bytes, late->bytes);
        if (number > first && number < from) continue;
        BOOST_REQUIRE(all->read_stored(number, stored));
        append(bytes, stored);
      }
      for (const bool verified : {false, true}) {
        auto reader = reel::reader::from_memory(bytes, {}, verified);
        BOOST_REQUIRE(reader);
        BOOST_TEST(reader->contents().begins_at == 0u);
        BOOST_TEST(look_at(*reader).lost != 0u, "records " << first + 1 << " to " << from - 1);
      }
      ++checked;
    }
  }
  BOOST_TEST(checked > 0);
}

BOOST_AUTO_TEST_CASE(is_reported_by_every_reader_and_is_not_damage) {
  auto random = seeded_random("joined late");
  const scratch_folder folder;
  for (int round = 0; round < 12; ++round) {
    const bool closed = round % 3 != 0;
    const std::uint16_t version = round % 4 == 3 ? 1 : 2;
    const written_reel written = random_reel(random, 30, closed, {}, version);
    auto all = reel::reader::from_memory(written.bytes);
    BOOST_REQUIRE(all);
    const auto& records = all->contents().records;
    for (std::size_t from = 0; from < records.size(); ++from) {
      if (!records[from].is_entrance()) continue;
      const joined late = join_at(*all, from);
      for (const bool verified : {false, true}) {
        auto reader = reel::reader::from_memory(late.bytes, {}, verified);
        BOOST_REQUIRE(reader);
        BOOST_TEST(reader->contents().missing_records == 0u);
        BOOST_TEST(reader->contents().damaged.empty());
        const seen came = look_at(*reader);
        BOOST_TEST(came.lost == 0u);
        BOOST_TEST(came.frames == late.frames);
        BOOST_TEST(came.gaps == late.gaps);
        BOOST_TEST(came.left_out == late.first.ticks_before.value_or(0));
        BOOST_TEST(came.begins == (late.beginning_bytes != 0 ? 1u : 0u));
      }
      const std::string path = folder / "late.reel";
      write_file(path, late.bytes);
      const auto copied = reel::recover_into(path, folder / "copy.reel", {.overwrite = true});
      BOOST_REQUIRE(copied);
      BOOST_TEST(copied->losses.empty());
      auto copy = reel::reader::open(folder / "copy.reel");
      BOOST_REQUIRE(copy);
      BOOST_TEST(copy->contents().from_index);
      const seen again = look_at(*copy);
      BOOST_TEST(again.lost == 0u);
      BOOST_TEST(again.frames == late.frames);
      BOOST_TEST(again.left_out == late.first.ticks_before.value_or(0));
      const auto in_place = reel::recover_in_place(path);
      BOOST_REQUIRE(in_place);
      auto ended = reel::reader::open(path);
      BOOST_REQUIRE(ended);
      BOOST_TEST((ended->contents().end == reel::reel_end::closed));
      BOOST_TEST(look_at(*ended).lost == 0u);
    }
  }
}

// The start marker can have exactly the length of the record that it replaces. Then every offset in the index is right, although
// the index does not describe this file.
BOOST_AUTO_TEST_CASE(an_index_that_fits_by_chance_is_not_used) {
  auto random = seeded_random("an index that fits by chance");
  for (const std::uint16_t version : {std::uint16_t{1}, std::uint16_t{2}}) {
    byte_vector bytes;
    reel::header head;
    head.version = version;
    head.encoder_name = "random";
    auto writer = writer_to(bytes, head);
    BOOST_REQUIRE(writer->append_event({1, 0}, 7, random_bytes(random, 20), true));
    for (std::uint64_t tick = 1; tick <= 3; ++tick) {
      reel::record_info about;
      about.frames = 1;
      about.flags = reel::starts_with_keyframe;
      about.first_tick = about.last_tick = tick;
      byte_vector payload(9);  // of the length of a gap record
      payload[2] = std::byte{6 * 2 + 1};
      BOOST_REQUIRE(writer->append(about, payload));
    }
    BOOST_REQUIRE(writer->finish());
    auto all = reel::reader::from_memory(bytes, {}, false);
    BOOST_REQUIRE(all);
    BOOST_REQUIRE(all->contents().from_index);
    const joined late = join_at(*all, 2);
    BOOST_REQUIRE(late.bytes.size() == bytes.size());
    auto reader = reel::reader::from_memory(late.bytes, {}, false);
    BOOST_REQUIRE(reader);
    BOOST_TEST(!reader->contents().from_index);
    const seen came = look_at(*reader);
    BOOST_TEST(came.lost == 0u);
    BOOST_TEST(came.begins == 1u);
    BOOST_TEST(came.frames == 2u);
  }
}

BOOST_AUTO_TEST_CASE(a_lost_beginning_is_damage) {
  auto random = seeded_random("lost beginning");
  for (int round = 0; round < 10; ++round) {
    const written_reel written = random_reel(random, 30, true);
    auto all = reel::reader::from_memory(written.bytes);
    BOOST_REQUIRE(all);
    const auto& records = all->contents().records;
    for (std::size_t from = 1; from < records.size(); ++from) {
      if (!records[from].is_entrance()) continue;
      joined late = join_at(*all, from);
      if (late.beginning_bytes == 0) continue;
      // Without the gap record; and with invalid bytes in its place.
      joined cut = late;
      const auto at = cut.bytes.begin() + static_cast<std::ptrdiff_t>(cut.beginning_at);
      cut.bytes.erase(at, at + static_cast<std::ptrdiff_t>(cut.beginning_bytes));
      late.bytes[late.beginning_at + 1 + random() % (late.beginning_bytes - 1)] ^= std::byte{4};
      for (const byte_vector* const bytes : {&cut.bytes, &late.bytes}) {
        auto reader = reel::reader::from_memory(*bytes);
        BOOST_REQUIRE(reader);
        BOOST_TEST(look_at(*reader).lost != 0u);
      }
      // A record removed after the start is lost as usual.
      joined hole = join_at(*all, from);
      const auto first = static_cast<std::ptrdiff_t>(hole.beginning_at + hole.beginning_bytes);
      if (hole.bytes[static_cast<std::size_t>(first) + 4] == std::byte{3}) continue;  // a header update
      hole.bytes.erase(hole.bytes.begin() + first,
                       hole.bytes.begin() + first + static_cast<std::ptrdiff_t>(hole.first.bytes));
      auto reader = reel::reader::from_memory(hole.bytes);
      BOOST_REQUIRE(reader);
      BOOST_TEST(look_at(*reader).lost != 0u);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
