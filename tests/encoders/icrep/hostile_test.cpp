// Files that are truncated, corrupt or inconsistent.
#include <boost/test/unit_test.hpp>

#include "allocation_counter.hpp"
#include "example.hpp"
#include "live_file.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(hostile_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

constexpr std::size_t orders_at = 707;
constexpr std::size_t keyframes_at = 887;
constexpr std::size_t signature_at = 2380;

void set_u64(byte_vector& file, std::size_t at, std::uint64_t value) {
  byte_writer out(mutable_byte_span(file).subspan(at, 8));
  out.u64(value);
}
void set_u32(byte_vector& file, std::size_t at, std::uint32_t value) {
  byte_writer out(mutable_byte_span(file).subspan(at, 4));
  out.u32(value);
}

error refusal(byte_span file) {
  const auto opened = reader::open(file, example_options());
  BOOST_REQUIRE(!opened);
  return opened.error();
}

// Every query of a reader.
void read_all(const reader& opened) {
  (void)opened.verify();
  for (std::uint64_t tick = 0; tick < 5; ++tick) (void)opened.restore(tick);
  (void)opened.embedded();
}

}  // namespace

BOOST_AUTO_TEST_CASE(mutations_of_the_format_description) {
  const byte_vector good = from_hex(golden::complete_file);
  {
    byte_vector file = good;
    file[orders_at + 32] ^= std::byte{1};
    const reader opened = taken(reader::open(file, example_options()));
    auto orders = opened.orders();
    tick_frame frame;
    BOOST_TEST(!orders.next(frame));
    BOOST_REQUIRE(orders.damage().size() == 1u);
    BOOST_TEST((orders.damage()[0].what.code == error_code::checksum_mismatch));
    BOOST_TEST(orders.damage()[0].what.offset == orders_at);
    BOOST_TEST(orders.damage()[0].first_tick == 0u);
    BOOST_TEST(orders.damage()[0].end_tick == 3u);
    BOOST_TEST(taken(opened.restore(1)).gap->tick == 0u);
    BOOST_TEST(*taken(opened.restore(1)).gap->resume_tick == 2u);
    BOOST_TEST(!taken(opened.restore(2)).gap);
  }
  {
    byte_vector file = good;
    file[keyframes_at + 8 + 20] = std::byte{2};
    const error what = refusal(file);
    BOOST_TEST((what.code == error_code::malformed));
    BOOST_TEST(what.offset == keyframes_at + 8 + 20);
    BOOST_TEST(describe(what).find("is_full is 2") != std::string::npos);
  }
  {
    byte_vector file = good;
    set_u64(file, keyframes_at, std::uint64_t{1} << 40);
    reset_allocations();
    const error what = refusal(file);
    BOOST_TEST(allocations().largest < 64u * 1024);
    BOOST_TEST((what.code == error_code::truncated));
    BOOST_TEST(describe(what).find("index of 1099511627776 keyframes") != std::string::npos);
  }
  {
    byte_vector file = good;
    file[signature_at + 8 + 8] ^= std::byte{1};
    const reader opened = taken(reader::open(file, example_options()));
    const auto report = opened.verify_signatures();
    BOOST_TEST((report.state == signature_state::tampered));
    BOOST_TEST(describe(*report.why).find("signature 0, of tick 0, is not the signer's") !=
               std::string::npos);
    BOOST_TEST(taken(opened.restore(3)).warnings.empty());
  }
  {
    const error what = refusal(byte_span(good).first(good.size() - 1));
    BOOST_TEST((what.code == error_code::truncated));
    BOOST_TEST(describe(what).find("signature, 256 bytes, ends outside the file of 2635") !=
               std::string::npos);
  }
  {
    byte_vector file = good;
    set_u64(file, 48, 4);
    const auto report = taken(reader::open(file, example_options())).verify_signatures();
    BOOST_TEST((report.state == signature_state::tampered));
    BOOST_TEST(describe(*report.why).find("chain ends at tick 3, the recording at 4") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(invalid_heads_are_rejected) {
  const byte_vector good = from_hex(golden::complete_file);
  const auto with = [&](std::size_t at, unsigned value) {
    byte_vector file = good;
    file[at] = static_cast<std::byte>(value);
    return refusal(file);
  };
  BOOST_TEST((with(0, 'X').code == error_code::bad_magic));
  BOOST_TEST((with(4, 2).code == error_code::unsupported_version));
  BOOST_TEST(describe(with(4, 2)).find("version 2") != std::string::npos);
  BOOST_TEST((with(6, 2).code == error_code::unsupported_codec));
  for (const unsigned reserved : {4u, 32u, 64u}) {
    BOOST_TEST((with(7, 3 | reserved).code == error_code::malformed));
  }
  BOOST_TEST((with(108, '[').code == error_code::bad_json));
  // Sections: into the header, overlapping, out of the file.
  byte_vector file = good;
  set_u32(file, 16, 100);
  BOOST_TEST((refusal(file).code == error_code::malformed));
  set_u32(file, 16, 700);
  BOOST_TEST(describe(refusal(file)).find("overlap") != std::string::npos);
  set_u32(file, 16, 0xFFFFFFF0);
  BOOST_TEST((refusal(file).code == error_code::truncated));
  // The check values after the keyframes.
  file = good;
  file[1511 - 16] ^= std::byte{1};
  BOOST_TEST((refusal(file).code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(flags_and_offsets_that_disagree) {
  byte_vector file = from_hex(golden::complete_file);
  file[7] = std::byte{1};
  {
    const reader opened = taken(reader::open(file, example_options()));
    BOOST_REQUIRE(opened.findings().size() == 1u);
    BOOST_TEST((opened.findings()[0].severity == severity::damage));
    analysis::event happened;
    auto events = opened.events();
    BOOST_TEST(!events.next(happened));
  }
  file[7] = std::byte{3 + 8};
  const reader opened = taken(reader::open(file, example_options()));
  BOOST_TEST(opened.findings().size() == 1u);
  BOOST_TEST(!opened.header().has_voice);
}

BOOST_AUTO_TEST_CASE(a_length_without_an_offset_is_not_a_section) {
  for (const std::size_t at : {16u, 96u}) {
    byte_vector file = from_hex(golden::complete_file);
    set_u32(file, at, 0);
    set_u32(file, at + 4, 0xFFFFFF00);
    const reader opened = taken(reader::open(file, example_options()));
    BOOST_TEST(opened.findings().size() == 1u);
    read_all(opened);
  }
  // A live file must have a position for appending.
  byte_vector file = begin_live_file("{}");
  BOOST_TEST(taken(reader::open(file)).total_ticks() == 0u);
  set_u32(file, 16, 0);
  BOOST_TEST((refusal(file).code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(keyframe_offsets_from_the_section_start) {
  byte_vector file = from_hex(golden::complete_file);
  const std::uint32_t index_end = 8 + 2 * 21;
  set_u32(file, keyframes_at + 8 + 8, index_end);
  set_u32(file, keyframes_at + 8 + 21 + 8, 210 + index_end);
  const reader opened = taken(reader::open(file, example_options()));
  BOOST_TEST(taken(opened.restore(2)).keyframe == 1u);
  BOOST_TEST(taken(opened.restore(2)).warnings.empty());
  set_u32(file, keyframes_at + 8 + 8, 7);
  BOOST_TEST((refusal(file).code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(check_values_may_be_absent) {
  byte_vector keyframes = example_keyframes();
  keyframes.resize(keyframes.size() - 16);
  const auto read = taken(read_keyframe_section(keyframes, false));
  BOOST_TEST(read.size() == 2u);
  BOOST_TEST(!read[0].crc);
}

BOOST_AUTO_TEST_CASE(truncated_at_every_byte) {
  const byte_vector good = from_hex(golden::complete_file);
  for (std::size_t size = 0; size < good.size(); ++size) {
    const byte_vector file(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    const auto opened = reader::open(file, example_options());
    BOOST_TEST_CONTEXT(size) {
      BOOST_REQUIRE(!opened);
      BOOST_TEST((opened.error().code == error_code::truncated));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_detected_or_harmless) {
  const byte_vector good = from_hex(golden::complete_file);
  byte_vector file = good;
  std::size_t unnoticed = 0;
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    file[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    reset_allocations();
    const auto opened = reader::open(file, example_options());
    if (opened) {
      read_all(*opened);
      // A change under a check value, a hash or a signature is detected.
      if (bit / 8 >= orders_at && opened->verify().empty()) {
        ++unnoticed;
        BOOST_TEST_MESSAGE("bit " << bit % 8 << " of byte " << bit / 8);
      }
    }
    // The largest allocation is a vector of indices; no number of the file determines it.
    BOOST_REQUIRE(allocations().largest < 256u * 1024);
    file[bit / 8] = good[bit / 8];
  }
  BOOST_TEST(unnoticed == 0u);
}

BOOST_AUTO_TEST_CASE(noise_and_splices) {
  auto random = seeded_random("noise");
  const byte_vector good = from_hex(golden::complete_file);
  for (int round = 0; round < 3000; ++round) {
    byte_vector file = good;
    for (std::uint64_t edits = 1 + random() % 6; edits > 0; --edits) {
      const std::size_t at = 108 + random() % (file.size() - 116);
      switch (random() % 3) {
        case 0:
          file[at] = static_cast<std::byte>(random());
          break;
        case 1:
          set_u32(file, at, random() % 2 == 0 ? 0xFFFFFFFF : static_cast<std::uint32_t>(random() % 4096));
          break;
        default:
          std::copy_n(good.begin() + static_cast<std::ptrdiff_t>(random() % (good.size() - 32)),
                      std::min<std::size_t>(32, file.size() - at),
                      file.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    reset_allocations();
    if (const auto opened = reader::open(file, example_options())) read_all(*opened);
    BOOST_REQUIRE(allocations().largest < 256u * 1024);
  }
}

BOOST_AUTO_TEST_CASE(claims_are_checked_before_memory_is_allocated) {
  // Lists of 2^60 items, of as many as their bytes could contain at most, and of one too many.
  for (const std::uint64_t count : {std::uint64_t{1} << 60, std::uint64_t{51}, ~std::uint64_t{0}}) {
    byte_vector bytes(8 + 400);
    set_u64(bytes, 0, count);
    reset_allocations();
    const auto strings = read_bc1<std::vector<std::string>>(bytes);
    BOOST_TEST(!strings);
    BOOST_TEST(allocations().largest < 4096u);
  }
  limits few;
  few.entities = 2;
  std::vector<entity_snapshot> entities(3);
  byte_vector bytes;
  append_bc1(bytes, entities);
  BOOST_TEST((read_bc1<std::vector<entity_snapshot>>(bytes, few).error().code == error_code::over_limit));
  few.entities = 3;
  BOOST_TEST(read_bc1<std::vector<entity_snapshot>>(bytes, few).has_value());
  BOOST_TEST((read_bc1<std::string>(from_hex("0100000000000000ff")).error().code == error_code::malformed));
  BOOST_TEST((read_bc1<bool>(from_hex("02")).error().code == error_code::malformed));
  BOOST_TEST((read_bc1<bool>(from_hex("0100")).error().code == error_code::malformed));
  BOOST_TEST(
      describe(read_bc1<player_order>(from_hex("0a000000")).error()).find("unknown order variant 10") !=
      std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_block_that_claims_too_much) {
  block_header head;
  byte_vector block;
  taken(append_block(block, head, byte_vector(100'000), true));
  BOOST_TEST(taken(read_block_header(block, block_kind::orders)).compressed);
  BOOST_TEST(block.size() < 1000u);
  limits strict;
  strict.ratio = 10;
  BOOST_TEST((read_block_header(block, block_kind::orders, strict).error().code == error_code::over_limit));
  strict = {};
  strict.block_bytes = 99'999;
  BOOST_TEST((read_block_header(block, block_kind::orders, strict).error().code == error_code::over_limit));
  // The writer does not write what readers reject: zeros compress better than 256 to 1, so they are stored.
  block.clear();
  taken(append_block(block, head, byte_vector(4u << 20), true));
  BOOST_TEST(read_block_header(block, block_kind::orders).has_value());
  BOOST_TEST(
      (append_block(block, head, byte_vector((4u << 20) + 1), true).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(damage_inside_a_stream_costs_one_block) {
  order_stream_writer writer({32, false});
  byte_vector stream;
  for (std::uint64_t tick = 0; tick < 96; ++tick) taken(writer.add({tick, 0, {}}, stream));
  taken(writer.finish(stream));
  const std::size_t block_size = stream.size() / 3;
  stream[block_size + 5] ^= std::byte{1};  // the second block's header
  const block_index index = index_blocks(stream, block_kind::orders);
  BOOST_TEST(index.blocks.size() == 2u);
  BOOST_REQUIRE(index.damage.size() == 1u);
  BOOST_TEST(index.damage[0].end_tick == 64u);
  const block_index recovered = recover_blocks(stream, block_kind::orders);
  BOOST_TEST(recovered.blocks.size() == 1u);
  BOOST_TEST(recovered.end_offset == block_size);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
