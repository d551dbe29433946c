#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <limits>

#include "file_bytes.hpp"
#include "random.hpp"
#include "random_reel.hpp"
#include "scratch_folder.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(sdk_reel_tests)
BOOST_AUTO_TEST_SUITE(reel_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// The example reel of docs/formats/reel.md.
byte_vector example_reel(std::uint16_t version = reel::format_version) {
  byte_vector bytes;
  reel::header head;
  head.version = version;
  head.encoder_name = "ints";
  head.encoder_version = 7;
  head.ticks_per_second = 60;
  head.start_time_us = 1'700'000'000'000'000;
  head.metadata.push_back({"map", {std::byte{'a'}}});
  auto writer = writer_to(bytes, head, {.codec = codec_id::none});
  // Tick 0, a keyframe of two bytes; tick 1, 16666 us later, a delta of one.
  const std::uint8_t payload[] = {0x00, 0x00, 0x05, 0xAA, 0xBB, 0x01, 0xB4, 0x84, 0x02, 0x02, 0xCC};
  reel::record_info about;
  about.flags = reel::starts_with_keyframe;
  about.last_tick = 1;
  about.last_time_us = 16'666;
  about.frames = 2;
  BOOST_REQUIRE(writer->append(about, std::as_bytes(std::span(payload))));
  BOOST_REQUIRE(writer->append_gap({3, reel::gap_reason::ring_full}, {2, 33'333}, {4, 66'666}));
  BOOST_REQUIRE(writer->finish());
  return bytes;
}

std::vector<std::string> hex_lines(byte_span bytes) {
  std::vector<std::string> lines;
  char text[24];
  for (std::size_t at = 0; at < bytes.size(); at += 16) {
    std::snprintf(text, sizeof text, "%04zx ", at);
    std::string line = text;
    for (std::size_t i = at; i < std::min(at + 16, bytes.size()); ++i) {
      std::snprintf(text, sizeof text, " %02x", std::to_integer<unsigned>(bytes[i]));
      line += text;
    }
    lines.push_back(line);
  }
  return lines;
}

BOOST_AUTO_TEST_CASE(the_specification_shows_these_bytes) {
  const std::string text = test::read_text(TICKREEL_REEL_SPECIFICATION);
  for (const std::string& line : hex_lines(example_reel())) {
    BOOST_TEST(text.find(line + "\n") != std::string::npos, "missing in docs/formats/reel.md: " << line);
  }
}

// The same reel as a writer of version 1 wrote it. All later versions read these bytes.
constexpr std::string_view example_of_version_1 =
    "5449434b5245454c010000002400000004696e74730700000060ea000000401e18240a0600000000000100036d617001"
    "00000061bdc07559980e27f854524543010001000b0000000b0000000000000000000000010000000000000000000000"
    "000000001a410000000000000200000000000000f4e82c8f000005aabb01b4840202ccedecb2d628279aa05452454304"
    "00000009000000090000000200000000000000040000000000000035820000000000006a040100000000000300000001"
    "000000cd2ade82030000000000000001f919ff12ddc05c5e54524543050000007c0000007c0000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000020000002718c97b020000003c00000000000000"
    "010001000b0000000b0000000000000000000000010000000000000000000000000000001a4100000000000002000000"
    "000000008b00000000000000040000000900000009000000020000000000000004000000000000003582000000000000"
    "6a0401000000000003000000010000004ad2f6ba21fc836c545245430600000020000000200000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000003000000383f88fdd80000000000000002000000"
    "00000000030000000000000001000000000000009b7f670f1456bcad";

byte_vector from_hex(std::string_view text) {
  byte_vector bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

void check_example(const byte_vector& bytes) {
  auto reel = reel::reader::from_memory(bytes, {}, false);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->head().encoder_name == "ints");
  BOOST_TEST(reel->head().ticks_per_second == 60);
  BOOST_TEST(reel->head().start_time_us == 1'700'000'000'000'000);
  BOOST_REQUIRE(reel->head().metadata.size() == 1u);
  BOOST_TEST(reel->head().metadata[0].key == "map");
  BOOST_TEST(reel->contents().from_index);
  BOOST_TEST(reel->contents().lost_ticks == 3u);
  reel::frame_stream frames(*reel);
  reel::frame frame;
  BOOST_TEST(frames.next(frame).value());
  BOOST_TEST(frame.stamp.tick == 0u);
  BOOST_TEST((frame.kind == frame_kind::keyframe));
  BOOST_TEST(frame.bytes.size() == 2u);
  BOOST_TEST(frames.next(frame).value());
  BOOST_TEST(frame.stamp.tick == 1u);
  BOOST_TEST(frame.stamp.time_us == 16'666);
  BOOST_TEST((frame.kind == frame_kind::delta));
  BOOST_TEST(std::to_integer<int>(frame.bytes[0]) == 0xCC);
  BOOST_TEST(!frames.next(frame).value());
}

BOOST_AUTO_TEST_CASE(tick_rates_are_stored_to_a_thousandth_or_rejected) {
  const auto kept = [](double rate) {
    reel::header head;
    head.ticks_per_second = rate;
    byte_vector bytes;
    auto writer = writer_to(bytes, head);
    if (!writer) return -1.0;
    if (!writer->finish()) return -2.0;
    return reel::reader::from_memory(bytes)->head().ticks_per_second;
  };
  for (const double rate : {0.0, 0.001, 12.5, 60.0, 64.0, 128.0, 1e6, 4294967.295})
    BOOST_TEST(kept(rate) == rate);
  BOOST_TEST(kept(60000.0 / 1001) == 59.94);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double rate : {-1.0, -0.001, 0.0004, 4294967.296, infinity, nan}) BOOST_TEST(kept(rate) == -1.0);
}

BOOST_AUTO_TEST_CASE(the_example_is_read_back) {
  check_example(example_reel());
}

BOOST_AUTO_TEST_CASE(version_1_is_read_back_and_rewritten_unchanged) {
  const byte_vector bytes = from_hex(example_of_version_1);
  check_example(bytes);
  BOOST_TEST((example_reel(1) == bytes));
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->head().version == 1u);
  BOOST_TEST(!reel->contents().records[1].ticks_before.has_value());
}

BOOST_AUTO_TEST_CASE(other_bytes_are_rejected) {
  BOOST_TEST((reel::reader::from_memory({}).error().code == error_code::truncated));
  BOOST_TEST((reel::reader::from_memory(as_bytes("PK\x03\x04")).error().code == error_code::bad_magic));
  byte_vector bytes = example_reel();
  for (const int version : {0, 3}) {
    bytes[8] = static_cast<std::byte>(version);
    BOOST_TEST((reel::reader::from_memory(bytes).error().code == error_code::unsupported_version));
  }
  bytes[8] = std::byte{2};
  bytes[15] = std::byte{0xFF};
  BOOST_TEST((reel::reader::from_memory(bytes).error().code == error_code::over_limit));
  bytes[15] = std::byte{0};
  bytes[20] ^= std::byte{1};
  BOOST_TEST((reel::reader::from_memory(bytes).error().code == error_code::checksum_mismatch));
}

BOOST_AUTO_TEST_CASE(limits_are_checked_before_memory_is_allocated) {
  auto random = seeded_random("reel limits");
  const written_reel written = random_reel(random, 20, false);
  reel::limits limits;
  limits.max_records = 10;
  BOOST_TEST((reel::reader::from_memory(written.bytes, limits).error().code == error_code::over_limit));
  limits = {};
  limits.max_header_bytes = 8;
  BOOST_TEST((reel::reader::from_memory(written.bytes, limits).error().code == error_code::over_limit));
}

// A head with a right check, as only a wrong program writes it.
void claim(byte_vector& reel, const reel::record_info& record, std::size_t field, std::uint32_t bytes) {
  const byte_span header = byte_span(reel).first(reel::reader::from_memory(reel)->header_bytes().size());
  const std::uint64_t header_hash = byte_reader(header.last(8)).u64();
  // Offsets from docs/formats/reel.md.
  const std::size_t check_offset = record.ticks_before ? 68 : 56;
  const mutable_byte_span head = mutable_byte_span(reel).subspan(static_cast<std::size_t>(record.offset));
  byte_writer(head.subspan(field)).u32(bytes);
  const std::uint64_t hash = xxh3_64(head.first(check_offset)) ^ header_hash;
  byte_writer(head.subspan(check_offset)).u32(static_cast<std::uint32_t>(hash));
}

BOOST_AUTO_TEST_CASE(a_record_above_the_limits_costs_only_its_own_ticks) {
  constexpr std::size_t stored_length = 8;
  constexpr std::size_t raw_length = 12;
  auto random = seeded_random("reel record above the limits");
  for (const bool finished : {false, true}) {
    const written_reel written = random_reel(random, 12, finished);
    auto whole = reel::reader::from_memory(written.bytes);
    const std::vector<reel::record_info> records = whole->contents().records;
    const std::uint64_t recorded =
        written.records.back().info.ticks_before.value_or(0) +
        (written.records.back().info.counts_ticks() ? written.records.back().info.frames : 0);
    for (std::size_t number = 0; number < records.size(); ++number) {
      for (const std::size_t field : {stored_length, raw_length}) {
        for (const std::uint32_t bytes : {(256u << 20) + 1, 0xFFFF'FFFFu}) {
          byte_vector reel = written.bytes;
          claim(reel, records[number], field, bytes);
          for (const bool verify_hashes : {false, true}) {
            auto opened = reel::reader::from_memory(reel, {}, verify_hashes);
            BOOST_REQUIRE(opened);
            std::uint64_t frames = 0;
            const auto totals = walk_through(*opened, [&](const reel::item& each) {
              if (each.kind == reel::item_kind::frame) ++frames;
            });
            BOOST_REQUIRE(frames + totals.missing_ticks() == recorded);
            const bool is_content = number < written.records.size();
            if (is_content) BOOST_REQUIRE(totals.losses != 0);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_record_of_another_reel_is_rejected) {
  auto random = seeded_random("reel splice");
  const written_reel one = random_reel(random, 3, false);
  const written_reel other = random_reel(random, 6, false);
  byte_vector spliced = one.bytes;
  spliced.insert(spliced.end(), other.bytes.begin() + static_cast<std::ptrdiff_t>(other.header_bytes),
                 other.bytes.end());
  auto reel = reel::reader::from_memory(spliced);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().records.size() == 3u);
  BOOST_TEST((reel->contents().end == reel::reel_end::torn));
}

BOOST_AUTO_TEST_CASE(a_dictionary_is_stored_in_the_reel) {
  if (!is_available(codec_id::zstd)) return;
  auto random = seeded_random("reel dictionary");
  byte_vector dictionary(4096);
  for (std::byte& byte : dictionary) byte = static_cast<std::byte>(random());
  byte_vector bytes;
  auto writer = writer_to(bytes, {}, {.codec = codec_id::zstd, .dictionary = dictionary});
  BOOST_REQUIRE(writer);
  const byte_span payload = byte_span(dictionary).subspan(1000, 2000);
  reel::record_info about;
  about.kind = reel::record_kind::header_update;
  const auto info = writer->append(about, payload);
  BOOST_REQUIRE(info);
  BOOST_TEST(info->stored_bytes < 100u);  // random bytes that are in the dictionary
  BOOST_REQUIRE(writer->finish());
  auto reel = reel::reader::from_memory(bytes, {}, false);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().from_index);
  const auto read = reel->last_header_update();
  BOOST_REQUIRE(read);
  BOOST_TEST((*read == byte_vector(payload.begin(), payload.end())));
}

BOOST_AUTO_TEST_CASE(a_reader_follows_a_growing_file) {
  const scratch_folder folder;
  const std::string path = folder / "live.reel";
  auto writer = reel::writer::create(path, {});
  BOOST_REQUIRE(writer);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().records.empty());
  auto random = seeded_random("reel live");
  reel::frame_stream frames(*reel);
  reel::frame frame;
  BOOST_TEST(!frames.next(frame).value());
  frame_stamp stamp;
  for (std::uint32_t i = 0; i < 20; ++i) {
    reel::record_info about;
    about.flags = i == 0 ? reel::starts_with_keyframe : 0;
    about.frames = 3;
    about.first_tick = ++stamp.tick;
    about.first_time_us = stamp.time_us;
    const byte_vector payload = chunk_payload(random, 3, i == 0, stamp);
    about.last_tick = stamp.tick;
    about.last_time_us = stamp.time_us;
    BOOST_REQUIRE(writer->append(about, payload));
    BOOST_TEST(reel->refresh().value() == 1u);
    BOOST_TEST(reel->refresh().value() == 0u);
    for (int k = 0; k < 3; ++k) BOOST_TEST(frames.next(frame).value());
    BOOST_TEST(!frames.next(frame).value());
  }
  BOOST_TEST(frames.totals().losses == 0u);
  BOOST_TEST((reel->contents().end == reel::reel_end::open));
  BOOST_REQUIRE(writer->finish());
  BOOST_TEST(reel->refresh().value() == 2u);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  BOOST_TEST(reel->chunk_for_tick(stamp.tick).value() == 0u);
  BOOST_TEST(reel->chunk_for_time(0).value() == 0u);
}

BOOST_AUTO_TEST_CASE(frames_that_contradict_their_chunk_are_malformed) {
  const auto read = [](std::initializer_list<int> payload, std::uint64_t last_tick) {
    reel::record chunk;
    chunk.info.last_tick = last_tick;
    for (const int value : payload) chunk.payload.push_back(static_cast<std::byte>(value));
    reel::frame_cursor frames(chunk);
    reel::frame frame;
    for (;;) {
      const auto more = frames.next(frame);
      if (!more) return static_cast<int>(more.error().code);
      if (!*more) return 0;
    }
  };
  BOOST_TEST(read({0, 0, 1}, 0) == 0);
  BOOST_TEST(read({0, 0, 3, 7}, 0) == 0);
  const int malformed = static_cast<int>(error_code::malformed);
  BOOST_TEST(read({0, 0, 5, 7}, 0) == malformed);  // one byte instead of two
  BOOST_TEST(read({0, 0}, 0) == malformed);
  BOOST_TEST(read({9, 0, 1}, 8) == malformed);  // after the last tick of the chunk
  BOOST_TEST(read({0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}, 0) == malformed);
}

}  // namespace

BOOST_AUTO_TEST_CASE(events_that_share_records_round_trip) {
  auto random = seeded_random("events together");
  for (int round = 0; round < 20; ++round) {
    reel::header head;
    head.encoder_name = "ints";
    byte_vector written;
    auto out = writer_to(written, head, {.codec = codec_id::none});
    BOOST_REQUIRE(out);
    std::vector<reel::stamped_event> events(1 + random() % 200);
    for (auto& one : events) {
      one.stamp = {random() % 50, static_cast<std::int64_t>(random())};
      one.type = static_cast<std::uint32_t>(random());
      // Occasionally one that has a record of its own.
      one.bytes.resize(random() % 40 == 0 ? 70'000 + random() % 9000 : random() % 90);
      for (std::byte& each : one.bytes) each = static_cast<std::byte>(random() & 0xFF);
    }
    auto expected = events;
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.stamp.tick < b.stamp.tick; });
    BOOST_REQUIRE(out->append_events(events));
    auto source = reel::reader::from_memory(written);
    BOOST_REQUIRE(source);
    if (events.size() > 40) BOOST_TEST(source->contents().records.size() < events.size() / 2);
    reel::frame_stream walk(*source);
    reel::item next;
    std::size_t at = 0;
    for (auto more = walk.next(next); more && *more; more = walk.next(next), ++at) {
      BOOST_REQUIRE((next.kind == reel::item_kind::event));
      BOOST_REQUIRE(at < expected.size());
      BOOST_TEST(next.in->info.first_tick == expected[at].stamp.tick);
      BOOST_TEST(next.in->info.last_time_us == expected[at].stamp.time_us);
      BOOST_TEST(next.event.type == expected[at].type);
      BOOST_TEST(std::equal(next.event.bytes.begin(), next.event.bytes.end(), expected[at].bytes.begin(),
                            expected[at].bytes.end()));
    }
    BOOST_TEST(at == expected.size());
    BOOST_TEST(walk.totals().losses == 0u);
  }
}

BOOST_AUTO_TEST_CASE(events_that_contradict_their_record_are_rejected) {
  reel::record record;
  record.info.kind = reel::record_kind::events;
  record.info.first_tick = 5;
  record.info.last_tick = 6;
  const auto count_of = [&](std::initializer_list<int> bytes) {
    record.payload.clear();
    for (const int each : bytes) record.payload.push_back(static_cast<std::byte>(each));
    reel::event_cursor cursor(record);
    reel::event one;
    frame_stamp stamp;
    for (int count = 0;; ++count) {
      const auto more = cursor.next(one, stamp);
      if (!more) return -1;
      if (!*more) return count;
    }
  };
  BOOST_TEST(count_of({}) == 0);
  BOOST_TEST(count_of({1, 0, 1, 7, 0, 0, 0, 9}) == 1);
  BOOST_TEST(count_of({1, 0, 0, 7, 0, 0, 0, 0, 2, 0, 7, 0, 0, 0}) == 2);
  // After the last tick of the record, longer than the rest, truncated, and of a length above all limits.
  BOOST_TEST(count_of({2, 0, 0, 7, 0, 0, 0}) == -1);
  BOOST_TEST(count_of({0, 0, 2, 7, 0, 0, 0, 9}) == -1);
  BOOST_TEST(count_of({0, 0, 0, 7, 0, 0}) == -1);
  BOOST_TEST(count_of({0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 7, 0, 0, 0}) == -1);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
