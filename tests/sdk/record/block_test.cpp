// Encoders that write a whole chunk in one call: their rows are frames like any others.
#include <boost/test/unit_test.hpp>

#include "recorder_fixture.hpp"
#include "short_disk.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/io/file.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(block_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t refused_value = 0xDEAD;

// A block: the number of its rows, then the rows in reverse order.
class row_list_encoder {
 public:
  using state_type = std::uint64_t;
  static constexpr std::string_view encoder_name = "row list";
  static constexpr std::uint32_t encoder_version = 1;
  explicit row_list_encoder(std::size_t max_rows = 100) : most_(max_rows) { rows_.reserve(max_rows); }

  [[nodiscard]] bool add_row(std::uint64_t row) noexcept {
    if (row == refused_value) return false;
    rows_.push_back(row);
    return true;
  }
  [[nodiscard]] bool is_full() const noexcept { return rows_.size() >= most_; }
  [[nodiscard]] std::size_t max_rows() const noexcept { return most_; }
  [[nodiscard]] std::size_t max_block_size() const noexcept { return 8 * (most_ + 1); }
  void write_block(byte_writer& out) noexcept {
    out.u64(rows_.size());
    for (std::size_t i = rows_.size(); i-- > 0;) out.u64(rows_[i]);
  }
  void clear_rows() noexcept { rows_.clear(); }

 private:
  std::size_t most_;
  std::vector<std::uint64_t> rows_;
};
static_assert(block_encoder<row_list_encoder> && !tick_encoder<row_list_encoder>);
using row_recorder = recorder<row_list_encoder>;

struct row {
  frame_stamp stamp;
  std::uint64_t value = 0;
};

// The output of the frame iterator: the first frame of every chunk is the block, the others are empty.
std::vector<row> rows_of(const std::string& path, reel::loss_totals* totals = nullptr) {
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  reel::frame_stream walk(*source);
  std::vector<row> rows;
  std::vector<std::uint64_t> block;
  std::size_t next = 0;
  reel::frame frame;
  for (auto more = walk.next(frame); more && *more; more = walk.next(frame)) {
    if (frame.kind == frame_kind::keyframe) {
      BOOST_REQUIRE(next == block.size());
      byte_reader in(frame.bytes);
      block.assign(in.u64(), 0);
      for (std::size_t i = block.size(); i-- > 0;) block[i] = in.u64();
      BOOST_REQUIRE(in.ok() && in.at_end());
      BOOST_REQUIRE(block.size() == walk.chunk().frames);
      BOOST_REQUIRE((walk.chunk().flags & reel::starts_with_keyframe) != 0);
      next = 0;
    } else {
      BOOST_REQUIRE(frame.bytes.empty());
    }
    BOOST_REQUIRE(next < block.size());
    rows.push_back({frame.stamp, block[next++]});
  }
  BOOST_REQUIRE(next == block.size());
  if (totals != nullptr) *totals = walk.totals();
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_round_trip) {
  scratch_folder folder;
  const std::string path = folder / "rows.reel";
  auto recorder = row_recorder::open(path, row_list_encoder(7), pumped_options());
  BOOST_REQUIRE(recorder);
  for (std::uint64_t i = 0; i < 100; ++i) {
    BOOST_REQUIRE(recorder->push({3 * i, static_cast<std::int64_t>(1000 * i + i % 3)}, i * i));
    if (i % 20 == 0) recorder->pump();
  }
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());
  BOOST_TEST(report->counters.written == 100u);
  BOOST_TEST(report->counters.chunks == 15u);
  BOOST_TEST(report->counters.keyframes == 15u);
  const auto rows = rows_of(path);
  BOOST_REQUIRE(rows.size() == 100u);
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST(rows[i].value == i * i);
    BOOST_TEST(rows[i].stamp.tick == 3 * i);
    BOOST_TEST(rows[i].stamp.time_us == static_cast<std::int64_t>(1000 * i + i % 3));
  }
}

BOOST_AUTO_TEST_CASE(a_keyframe_request_starts_a_new_block) {
  scratch_folder folder;
  const std::string path = folder / "rows.reel";
  auto recorder = row_recorder::open(path, row_list_encoder(), pumped_options());
  BOOST_REQUIRE(recorder);
  for (std::uint64_t i = 0; i < 10; ++i) recorder->push(i);
  recorder->pump();
  recorder->force_keyframe();
  for (std::uint64_t i = 10; i < 15; ++i) recorder->push(i);
  BOOST_REQUIRE(recorder->close());
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  const auto chunks = records_of(*source, reel::record_kind::chunk);
  BOOST_REQUIRE(chunks.size() == 2u);
  BOOST_TEST(chunks[0].frames == 10u);
  BOOST_TEST(chunks[1].frames == 5u);
  BOOST_TEST(rows_of(path).size() == 15u);
}

BOOST_AUTO_TEST_CASE(a_rejected_row_is_a_gap) {
  scratch_folder folder;
  const std::string path = folder / "rows.reel";
  auto recorder = row_recorder::open(path, row_list_encoder(), pumped_options());
  BOOST_REQUIRE(recorder);
  for (std::uint64_t i = 0; i < 10; ++i) recorder->push(i == 4 ? refused_value : i);
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.lost == 1u);
  reel::loss_totals totals;
  const auto rows = rows_of(path, &totals);
  BOOST_TEST(rows.size() == 9u);
  BOOST_TEST(totals.gap_ticks == 1u);
  BOOST_TEST(totals.losses == 0u);
}

BOOST_AUTO_TEST_CASE(a_full_disk_loses_blocks_and_reports_them) {
  scratch_folder folder;
  const std::string path = folder / "rows.reel";
  short_disk disk;
  auto recorder = row_recorder::open(path, row_list_encoder(10), pumped_options(), disk);
  BOOST_REQUIRE(recorder);
  const auto push = [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) recorder->push(i);
    recorder->pump();
  };
  push(0, 20);
  disk.full = true;
  push(20, 55);
  disk.full = false;
  push(55, 80);
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.written + report->counters.lost == 80u);
  BOOST_TEST(report->counters.lost >= 30u);
  reel::loss_totals totals;
  const auto rows = rows_of(path, &totals);
  BOOST_TEST(rows.size() == report->counters.written);
  BOOST_TEST(totals.gap_ticks == report->counters.lost);
  for (const row& each : rows) BOOST_TEST(each.value == each.stamp.tick);
}

BOOST_AUTO_TEST_CASE(a_block_larger_than_a_chunk_is_rejected_at_the_start) {
  scratch_folder folder;
  const auto refused =
      row_recorder::open(folder / "rows.reel", row_list_encoder(16u << 20), pumped_options());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
