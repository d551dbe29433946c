// Whatever happens to the bytes, a reader returns the written data or reports them missing.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "random_reel.hpp"
#include "tickreel/reel/frame_stream.hpp"

BOOST_AUTO_TEST_SUITE(sdk_reel_tests)
BOOST_AUTO_TEST_SUITE(property_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

bool same(const reel::record_info& a, const reel::record_info& b) {
  return a.kind == b.kind && a.codec == b.codec && a.flags == b.flags && a.stored_bytes == b.stored_bytes &&
         a.raw_bytes == b.raw_bytes && a.first_tick == b.first_tick && a.last_tick == b.last_tick &&
         a.first_time_us == b.first_time_us && a.last_time_us == b.last_time_us && a.frames == b.frames &&
         a.sequence == b.sequence && a.offset == b.offset;
}

// Every record that the reader lists was written, with the same payload if it can be read.
std::size_t check_never_wrong(reel::reader& reader, const written_reel& written) {
  std::size_t readable = 0;
  reel::record record;
  for (std::size_t number = 0; number < reader.contents().records.size(); ++number) {
    const reel::record_info& info = reader.contents().records[number];
    if (info.kind == reel::record_kind::index || info.kind == reel::record_kind::end) continue;
    BOOST_REQUIRE(info.sequence < written.records.size());
    const written_record& expected = written.records[info.sequence];
    BOOST_REQUIRE(same(info, expected.info));
    if (!reader.read(number, record)) continue;
    ++readable;
    if (!expected.payload.empty()) BOOST_REQUIRE((record.payload == expected.payload));
  }
  return readable;
}

// Frames in chunks and ticks in gaps.
std::uint64_t ticks_of(const written_reel& written) {
  std::uint64_t ticks = 0;
  for (const written_record& each : written.records) {
    const bool counts =
        each.info.kind == reel::record_kind::chunk || each.info.kind == reel::record_kind::gap;
    if (counts) ticks += each.info.frames;
  }
  return ticks;
}

// No later record contains its number of ticks.
bool is_last_of_an_open_reel(std::size_t at, const written_reel& written) {
  return at >= written.records.back().info.offset &&
         end_of(written.records.back().info) == written.bytes.size();
}

BOOST_AUTO_TEST_CASE(truncated_at_every_byte_all_complete_records_remain) {
  auto random = seeded_random("reel cut");
  for (int round = 0; round < 6; ++round) {
    const written_reel written =
        random_reel(random, 12, true, {.codec = round % 2 == 0 ? codec_id::zstd : codec_id::none});
    for (std::size_t cut = 0; cut <= written.bytes.size(); ++cut) {
      const byte_span bytes = byte_span(written.bytes).first(cut);
      auto reader = reel::reader::from_memory(bytes, {}, cut % 2 == 0);
      if (cut < written.header_bytes) {
        BOOST_REQUIRE(!reader);
        BOOST_REQUIRE((reader.error().code == error_code::truncated));
        continue;
      }
      BOOST_REQUIRE(reader);
      std::size_t whole = 0;
      std::uint64_t valid = written.header_bytes;
      for (const written_record& record : written.records) {
        if (end_of(record.info) > cut) break;
        valid = end_of(record.info);
        ++whole;
      }
      const reel::table_of_contents& contents = reader->contents();
      BOOST_REQUIRE(check_never_wrong(*reader, written) == whole);
      BOOST_REQUIRE(contents.damaged.empty());
      BOOST_REQUIRE(contents.missing_records == 0u);
      BOOST_REQUIRE((contents.end == reel::reel_end::closed) == (cut == written.bytes.size()));
      if (whole < written.records.size()) {
        BOOST_REQUIRE(contents.valid_bytes == valid);
        BOOST_REQUIRE((contents.end == (valid == cut ? reel::reel_end::open : reel::reel_end::torn)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_costs_one_record_and_never_gives_wrong_data) {
  auto random = seeded_random("reel flip");
  for (int round = 0; round < 3000; ++round) {
    static written_reel written;
    if (round % 50 == 0) written = random_reel(random, 12, round % 100 == 0);
    byte_vector damaged = written.bytes;
    const std::size_t at = random() % damaged.size();
    damaged[at] ^= static_cast<std::byte>(1u << (random() % 8));
    auto reader = reel::reader::from_memory(damaged, {}, random() % 2 == 0);
    if (at < written.header_bytes) {
      BOOST_REQUIRE(!reader);
      continue;
    }
    BOOST_REQUIRE(reader);
    const bool in_tail = at >= end_of(written.records.back().info);
    BOOST_REQUIRE(check_never_wrong(*reader, written) == written.records.size() - (in_tail ? 0 : 1));
    // The stream returns each frame that has its baseline, and counts the others.
    reel::frame_stream frames(*reader);
    reel::frame frame;
    std::uint64_t given = 0;
    auto more = frames.next(frame);
    for (; more && *more; more = frames.next(frame)) ++given;
    BOOST_REQUIRE(more);
    const reel::loss_totals& reported = frames.totals();
    if (reported.unknown == 0) {
      BOOST_REQUIRE(given + reported.ticks + frames.totals().gap_ticks == ticks_of(written));
    } else {
      BOOST_REQUIRE(in_tail || is_last_of_an_open_reel(at, written));
    }
  }
}

BOOST_AUTO_TEST_CASE(many_flipped_bytes_never_give_wrong_data) {
  auto random = seeded_random("reel noise");
  for (int round = 0; round < 500; ++round) {
    const written_reel written = random_reel(random, 8, true);
    byte_vector damaged = written.bytes;
    for (int i = 0; i < 20; ++i) {
      const std::size_t span = damaged.size() - written.header_bytes;
      damaged[written.header_bytes + random() % span] = static_cast<std::byte>(random());
    }
    auto reader = reel::reader::from_memory(damaged, {}, random() % 2 == 0);
    BOOST_REQUIRE(reader);
    check_never_wrong(*reader, written);
  }
}

BOOST_AUTO_TEST_CASE(index_and_scan_agree) {
  auto random = seeded_random("reel index");
  for (int round = 0; round < 200; ++round) {
    const written_reel written = random_reel(random, 1 + random() % 40, true);
    auto indexed = reel::reader::from_memory(written.bytes, {}, false);
    auto scanned = reel::reader::from_memory(written.bytes, {}, true);
    BOOST_REQUIRE(indexed);
    BOOST_REQUIRE(scanned);
    const auto& a = indexed->contents();
    const auto& b = scanned->contents();
    BOOST_REQUIRE(a.from_index);
    BOOST_REQUIRE(!b.from_index);
    BOOST_REQUIRE(a.records.size() == b.records.size());
    for (std::size_t i = 0; i < a.records.size(); ++i) BOOST_REQUIRE(same(a.records[i], b.records[i]));
    BOOST_REQUIRE((a.end == b.end));
    BOOST_REQUIRE(a.valid_bytes == b.valid_bytes);
    BOOST_REQUIRE(a.file_bytes == b.file_bytes);
    BOOST_REQUIRE(a.frames == b.frames);
    BOOST_REQUIRE(a.keyframe_chunks == b.keyframe_chunks);
    BOOST_REQUIRE(a.lost_ticks == b.lost_ticks);
    BOOST_REQUIRE(a.missing_records == b.missing_records);
    // A seek finds the last keyframe that is not after the tick.
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t tick = random() % (a.records[a.records.size() - 1].last_tick + 1200);
      std::optional<std::size_t> expected;
      std::uint64_t last = 0;
      for (std::size_t number = 0; number < a.records.size(); ++number) {
        const reel::record_info& info = a.records[number];
        if (info.kind != reel::record_kind::chunk) continue;
        last = info.last_tick;
        if ((info.flags & reel::starts_with_keyframe) != 0 && info.first_tick <= tick) expected = number;
      }
      if (tick > last) expected.reset();
      const auto found = indexed->chunk_for_tick(tick);
      BOOST_REQUIRE(found.has_value() == expected.has_value());
      if (expected) BOOST_REQUIRE(*found == *expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_follower_sees_each_record_once_when_complete) {
  auto random = seeded_random("reel follow");
  const written_reel written = random_reel(random, 30, true);
  // The same memory; its visible part grows.
  std::size_t seen = 0;
  byte_vector growing(written.bytes.begin(),
                      written.bytes.begin() + static_cast<std::ptrdiff_t>(written.header_bytes));
  growing.reserve(written.bytes.size());
  while (growing.size() < written.bytes.size()) {
    const std::size_t more = std::min<std::size_t>(1 + random() % 300, written.bytes.size() - growing.size());
    growing.insert(growing.end(), written.bytes.begin() + static_cast<std::ptrdiff_t>(growing.size()),
                   written.bytes.begin() + static_cast<std::ptrdiff_t>(growing.size() + more));
    auto reader = reel::reader::from_memory(growing);
    BOOST_REQUIRE(reader);
    const std::size_t now = reader->contents().records.size();
    BOOST_REQUIRE(now >= seen);
    seen = now;
  }
  BOOST_TEST(seen == written.records.size() + 2);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
