// Files that are truncated, corrupt or inconsistent.
#include <boost/test/unit_test.hpp>
#include <limits>
#include <tuple>

#include "blocks.hpp"
#include "random.hpp"
#include "tickreel/samp_rec/legacy.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(hostile_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

namespace {

using two_kinds = std::tuple<vehicle_block, on_foot_block>;
using four_kinds = std::tuple<vehicle_block, on_foot_block, legacy_vehicle_block, legacy_on_foot_block>;
using both_kinds = std::tuple<vehicle_block, on_foot_block>;

template <class Block>
byte_vector circle_file(std::uint32_t blocks = 40) {
  const auto recorded = circle<Block>(30, std::is_same_v<Block, vehicle_block> ? 10 : 1.5, blocks);
  return to_bytes(std::span<const Block>(recorded));
}

byte_vector with_u32(byte_vector file, std::size_t at, std::uint32_t value) {
  byte_writer to(mutable_byte_span(file).subspan(at, 4));
  to.u32(value);
  return file;
}

error refusal(byte_span file, const read_options& options = {}) {
  const auto read = read_recording(file, options);
  BOOST_REQUIRE(!read);
  return read.error();
}

byte_vector legacy_vehicle_file(std::uint32_t blocks, bool header) {
  byte_vector file(header ? 8 : 0);
  if (header) {
    byte_writer to(file);
    write(to, file_header{file_header::samp_version, recording_kind::vehicle});
  }
  for (const vehicle_block& each : circle<vehicle_block>(30, 10, blocks)) {
    legacy_vehicle_block old;
    old.time_ms = each.time_ms;
    old.right = right_of(each.rotation);
    old.forward = forward_of(each.rotation);
    old.position_m = each.position_m;
    old.velocity_m_per_20ms = each.velocity_m_per_20ms;
    old.vehicle_health = 1000;
    const byte_vector bytes = bytes_of(old);
    file.insert(file.end(), bytes.begin(), bytes.end());
  }
  return file;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(truncated_at_every_byte, Block, two_kinds) {
  const byte_vector whole = circle_file<Block>(20);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const byte_span file = byte_span(whole).first(size);
    if (size < 8) {
      BOOST_REQUIRE((refusal(file).code == error_code::truncated));
      continue;
    }
    const recording read = taken(read_recording(file));
    BOOST_REQUIRE((read.kind == Block::kind));
    BOOST_REQUIRE(read.template blocks<Block>().size() == (size - 8) / Block::wire_bytes);
    const std::size_t tail = (size - 8) % Block::wire_bytes;
    BOOST_REQUIRE(read.shape.tail_bytes == tail);
    BOOST_REQUIRE(read.report.oddity_count == (tail == 0 ? 0 : 1));
    if (tail != 0) {
      BOOST_REQUIRE((read.report.oddities[0].kind == oddity_kind::cut_tail));
      BOOST_REQUIRE(read.report.oddities[0].offset == size - tail);
    }
  }
}

BOOST_AUTO_TEST_CASE(old_layouts_are_detected_and_cut_too) {
  for (const bool header : {false, true}) {
    const byte_vector whole = legacy_vehicle_file(20, header);
    const std::size_t begin = header ? 8 : 0;
    for (std::size_t size = begin + 6 * 75; size <= whole.size(); ++size) {
      const recording read = taken(read_recording(byte_span(whole).first(size)));
      BOOST_REQUIRE((read.shape.layout == block_layout::legacy_vehicle));
      BOOST_REQUIRE(read.vehicle.size() == (size - begin) / 75);
    }
    const recording read = taken(read_recording(whole));
    BOOST_TEST(apart_m(read.vehicle, circle<vehicle_block>(30, 10, 20)) == 0);
    BOOST_TEST(turned_apart_degrees(read.vehicle, circle<vehicle_block>(30, 10, 20)) < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(invalid_headers) {
  const byte_vector good = circle_file<vehicle_block>();
  for (const std::uint32_t version : {0u, 999u, 1006u, 0xFFFFFFFFu}) {
    BOOST_TEST((refusal(with_u32(good, 0, version)).code == error_code::not_recognised));
  }
  for (const std::uint32_t kind : {0u, 3u, 0x01000000u}) {
    BOOST_TEST((refusal(with_u32(good, 4, kind)).code == error_code::not_recognised));
  }
  // Blocks of the other kind.
  BOOST_TEST((refusal(with_u32(good, 4, 2)).code == error_code::not_recognised));
  BOOST_TEST((taken(read_recording(byte_span(with_u32(good, 4, 0)).first(8))).kind == recording_kind::none));
  BOOST_TEST((refusal(byte_vector(5600)).code == error_code::not_recognised));
}

// The writer has the reader's limits: everything that it accepts can be read, and what it rejects could not.
BOOST_AUTO_TEST_CASE_TEMPLATE(everything_the_writer_accepts_can_be_read, Block, both_kinds) {
  auto random = tickreel::test::seeded_random("everything_the_writer_accepts_can_be_read");
  const float wild[] = {0,
                        1,
                        19'999,
                        20'001,
                        -50'000,
                        1e38f,
                        -1e-38f,
                        std::numeric_limits<float>::infinity(),
                        std::numeric_limits<float>::quiet_NaN()};
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    writer<Block> rec;
    byte_vector file(8 + 40 * Block::wire_bytes);
    byte_writer out(file);
    taken(rec.begin(out));
    for (const Block& sound : circle<Block>(30, 4, 40)) {
      Block block = sound;
      const float value = wild[random() % std::size(wild)];
      switch (random() % 6) {
        case 0:
          block.position_m.x = value;
          break;
        case 1:
          block.position_m.z = value;
          break;
        case 2:
          block.rotation.y = value;
          break;
        case 3:
          block.velocity_m_per_20ms.x = value;
          break;
        case 4:
          block.time_ms -= static_cast<std::uint32_t>(random() % 100);
          break;
        default:
          break;
      }
      if (!rec.append(block, out)) ++refused;
    }
    const auto read = read_recording(byte_span(file).first(out.size()));
    BOOST_REQUIRE_MESSAGE(read, (read ? "" : describe(read.error())));
    BOOST_REQUIRE((read->template blocks<Block>().size() == rec.blocks()));
  }
  BOOST_TEST(refused > 1000u);
}

BOOST_AUTO_TEST_CASE(limits_are_kept) {
  const byte_vector good = circle_file<on_foot_block>(40);
  BOOST_TEST((refusal(good, {.limits = {.file_bytes = good.size() - 1}}).code == error_code::over_limit));
  BOOST_TEST((refusal(good, {.limits = {.blocks = 39}}).code == error_code::over_limit));
  BOOST_TEST(read_recording(good, {.limits = {.file_bytes = good.size(), .blocks = 40}}).has_value());
}

BOOST_AUTO_TEST_CASE(invalid_numbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::size_t at : {0u, 20u, 39u}) {
    for (int field = 0; field < 3; ++field) {
      auto blocks = circle<vehicle_block>(30, 10, 40);
      if (field == 0) blocks[at].position_m.y = nan;
      if (field == 1) blocks[at].rotation.w = infinity;
      if (field == 2) blocks[at].velocity_m_per_20ms.z = -infinity;
      const byte_vector file = to_bytes(std::span<const vehicle_block>(blocks));
      const error what = refusal(file);
      BOOST_TEST((what.code == error_code::malformed));
      BOOST_TEST(what.offset == 8 + at * 67);
      BOOST_TEST(what.values[0] == static_cast<std::int64_t>(at));

      const recording lenient = taken(read_recording(file, {.mode = strictness::lenient}));
      BOOST_TEST(lenient.vehicle.size() == 39u);
      BOOST_TEST(lenient.report.blocks_left_out == 1u);
      BOOST_REQUIRE(lenient.report.oddities.size() == 1u);
      BOOST_TEST((lenient.report.oddities[0].kind == oddity_kind::not_finite));
      BOOST_TEST(lenient.report.oddities[0].block == at);

      const recording exact = taken(read_recording(file, {.mode = strictness::as_is}));
      BOOST_TEST((to_bytes(std::span<const vehicle_block>(exact.vehicle)) == file));
    }
  }
}

BOOST_AUTO_TEST_CASE(unusual_values_are_noted) {
  auto blocks = circle<on_foot_block>(30, 1.5, 60);
  blocks[20].position_m.x = 20'001;
  blocks[21].velocity_m_per_20ms = {0, 10.5f, 0};
  blocks[22].rotation = {0, 0, 0, 1.05f};
  blocks[23].time_ms -= 60;
  blocks[25].weapon_and_key = 47 | 0x80;
  for (std::size_t i = 30; i < 60; ++i) blocks[i].time_ms += 31'000;
  const byte_vector file = to_bytes(std::span<const on_foot_block>(blocks));
  const recording strict = taken(read_recording(file));
  const std::vector<std::pair<oddity_kind, std::uint64_t>> expected = {
      {oddity_kind::far_position, 20},    {oddity_kind::high_velocity, 21},
      {oddity_kind::rotation_length, 22}, {oddity_kind::time_backwards, 23},
      {oddity_kind::unknown_weapon, 25},  {oddity_kind::long_gap, 30}};
  BOOST_REQUIRE(strict.report.oddities.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    BOOST_TEST((strict.report.oddities[i].kind == expected[i].first));
    BOOST_TEST(strict.report.oddities[i].block == expected[i].second);
    BOOST_TEST(strict.report.oddities[i].offset == 8 + 72 * expected[i].second);
    BOOST_TEST(!name(expected[i].first).empty());
    BOOST_TEST(!sentence(expected[i].first).empty());
  }
  BOOST_TEST(strict.on_foot[22].rotation.z == 1.05f);
  const recording lenient = taken(read_recording(file, {.mode = strictness::lenient, .oddities = 2}));
  BOOST_TEST(lenient.on_foot[22].rotation.z == 1.0f);
  BOOST_TEST(lenient.report.oddities.size() == 2u);
  BOOST_TEST(lenient.report.oddity_count == 6u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(any_bits_round_trip, Block, four_kinds) {
  auto random = tickreel::test::seeded_random("any_bits_round_trip");
  for (int i = 0; i < 20000; ++i) {
    byte_vector bytes(Block::wire_bytes);
    for (std::byte& each : bytes) each = static_cast<std::byte>(random());
    byte_reader from(bytes);
    Block block;
    read(from, block);
    BOOST_REQUIRE(from.ok());
    BOOST_REQUIRE((bytes_of(block) == bytes));
  }
}

BOOST_AUTO_TEST_CASE(flipped_bits_are_harmless) {
  auto random = tickreel::test::seeded_random("flipped_bits_are_harmless");
  for (int round = 0; round < 3000; ++round) {
    byte_vector file = round % 2 == 0 ? circle_file<vehicle_block>(20) : circle_file<on_foot_block>(20);
    const byte_vector before = file;
    const std::size_t at = random() % file.size();
    file[at] ^= static_cast<std::byte>(1u << (random() % 8));
    for (const strictness mode : {strictness::strict, strictness::lenient, strictness::as_is}) {
      const auto read = read_recording(file, {.mode = mode});
      if (!read) {
        BOOST_TEST_INFO(describe(read.error()) << ", bit flipped at " << at);
        // One flipped bit turns version 1000 into 1004, which is VC-MP's.
        const bool vcmp = at < 4 && read.error().code == error_code::unsupported_operation;
        BOOST_REQUIRE((vcmp || read.error().code == error_code::malformed ||
                       read.error().code == error_code::not_recognised ||
                       read.error().code == error_code::unsupported_version));
        // With a flipped bit in a block after the header, the file is still recognised.
        BOOST_REQUIRE((at < 8 || (mode == strictness::strict && read.error().code == error_code::malformed)));
        continue;
      }
      if (mode != strictness::as_is || read->kind == recording_kind::none) continue;
      const byte_vector again = read->kind == recording_kind::vehicle
                                    ? to_bytes(std::span<const vehicle_block>(read->vehicle))
                                    : to_bytes(std::span<const on_foot_block>(read->on_foot));
      if (at >= 8) BOOST_REQUIRE((again == file));
    }
  }
}

BOOST_AUTO_TEST_CASE(noise_is_not_a_recording) {
  auto random = tickreel::test::seeded_random("noise_is_not_a_recording");
  for (int round = 0; round < 2000; ++round) {
    byte_vector file(random() % 3000);
    for (std::byte& each : file) each = static_cast<std::byte>(random());
    const auto read = read_recording(file, {.mode = strictness::as_is});
    BOOST_REQUIRE(!read);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
