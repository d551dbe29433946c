// Reading and writing in pieces, and recording from a game loop.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "blocks.hpp"
#include "random.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/samp_rec/encoder.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(stream_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

BOOST_AUTO_TEST_CASE(pieces_of_any_size_give_the_same_blocks) {
  auto random = tickreel::test::seeded_random("pieces");
  const auto blocks = circle<vehicle_block>(30, 10, 100);
  byte_vector file = to_bytes(std::span<const vehicle_block>(blocks));
  file.resize(file.size() + 30, std::byte{7});
  const file_shape shape = taken(detect(file));
  for (int round = 0; round < 300; ++round) {
    stream_reader<vehicle_block> reader(shape);
    std::vector<vehicle_block> got;
    const std::size_t most = 1 + random() % 300;
    for (byte_span rest = file; !rest.empty();) {
      const byte_span piece = rest.first(std::min<std::size_t>(rest.size(), random() % (most + 1)));
      taken(reader.feed(piece, [&](const vehicle_block& block) { got.push_back(block); }));
      rest = rest.subspan(piece.size());
    }
    reader.finish();
    BOOST_REQUIRE(same_bits(got, blocks));
    BOOST_REQUIRE(reader.report().oddity_count == 1u);
    BOOST_REQUIRE(reader.report().blocks_read == 100u);
  }
}

BOOST_AUTO_TEST_CASE(written_files_are_valid_after_every_block) {
  const auto blocks = circle<on_foot_block>(5, 1.5, 50);
  byte_vector room(8 + 50 * 72);
  byte_writer out(room);
  writer<on_foot_block> rec;
  BOOST_TEST((rec.append(blocks[0], out).error().code == error_code::wrong_state));
  taken(rec.begin(out));
  BOOST_TEST((rec.begin(out).error().code == error_code::wrong_state));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    BOOST_TEST(taken(read_recording(out.written())).on_foot.size() == i);
    taken(rec.append(blocks[i], out));
    BOOST_TEST(rec.bytes() == out.size());
  }
  BOOST_TEST((byte_vector(out.written().begin(), out.written().end()) ==
              to_bytes(std::span<const on_foot_block>(blocks))));
  BOOST_TEST((rec.append(blocks.back(), out).error().code == error_code::buffer_too_small));
}

BOOST_AUTO_TEST_CASE(writers_reject_visible_errors) {
  byte_vector room(1000);
  byte_writer out(room);
  writer<vehicle_block> rec({.blocks = 3});
  taken(rec.begin(out));
  vehicle_block block;
  block.time_ms = 100;
  taken(rec.append(block, out));
  taken(rec.append(block, out));  // equal times are valid
  block.time_ms = 99;
  BOOST_TEST((rec.append(block, out).error().code == error_code::invalid_argument));
  block.time_ms = 101;
  block.position_m.x = std::numeric_limits<float>::quiet_NaN();
  BOOST_TEST((rec.append(block, out).error().code == error_code::invalid_argument));
  block.position_m.x = 0;
  taken(rec.append(block, out));
  BOOST_TEST((rec.append(block, out).error().code == error_code::over_limit));
  BOOST_TEST(rec.blocks() == 3u);
  BOOST_TEST(out.size() == 8u + 3 * 67);
}

static_assert(tick_encoder<encoder<vehicle_block>>);
static_assert(tick_encoder<encoder<on_foot_block>>);

// Keeps the reel for a later check.
class shared_sink final : public reel::sink {
 public:
  explicit shared_sink(byte_vector& to) : to_(to) {}
  result<void> accept_header(byte_span bytes) override { return add(bytes); }
  result<void> accept_record(const reel::record_info&, byte_span bytes) override { return add(bytes); }

 private:
  result<void> add(byte_span bytes) {
    to_.insert(to_.end(), bytes.begin(), bytes.end());
    return {};
  }
  byte_vector& to_;
};

BOOST_AUTO_TEST_CASE(a_game_loop_records_into_a_reel) {
  const auto blocks = circle<on_foot_block>(5, 1.5, 300, 40);
  byte_vector reel_bytes;
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<shared_sink>(reel_bytes));
  auto recorder = taken(tickreel::recorder<encoder<on_foot_block>, loss_policy::block>::open(
      std::move(sinks), encoder<on_foot_block>{}, {.sync_each_chunk = false}));
  for (const on_foot_block& each : blocks) BOOST_REQUIRE(recorder.push(each));
  BOOST_TEST(taken(recorder.close()).nothing_lost());

  auto reel = taken(reel::reader::from_memory(reel_bytes));
  std::vector<on_foot_block> got;
  reel::record chunk;
  for (std::size_t i = 0; i < reel.contents().records.size(); ++i) {
    if (reel.contents().records[i].kind != reel::record_kind::chunk) continue;
    taken(reel.read(i, chunk));
    reel::frame_cursor frames(chunk);
    reel::frame frame;
    while (taken(frames.next(frame))) {
      byte_reader from(frame.bytes);
      read(from, got.emplace_back());
      BOOST_REQUIRE(from.at_end());
    }
  }
  BOOST_TEST(same_bits(got, blocks));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
