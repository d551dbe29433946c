// Quick summaries of several formats; the tests of .icrep and .rec are beside their other tests.
#include "fixtures.hpp"
#include "int_encoder.hpp"
#include "quick_summary_check.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/cut.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(quick_summary_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// Drops nothing.
using recorder_of_ints = recorder<int_encoder, loss_policy::block>;

// Bytes on a disk that may fail.
class failing_bytes final : public distant_bytes {
 public:
  explicit failing_bytes(byte_vector all) : all_(std::move(all)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return all_.size(); }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    if (fails) return fail(error_code::io_failed, offset, "gone");
    return byte_source(byte_span(all_)).read_at(into, offset);
  }
  bool fails = false;

 private:
  byte_vector all_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(echo_vr_matches_are_summarised_from_their_ticks) {
  scratch_folder folder;
  for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
    const auto path = folder.path() / name;
    write_match(path);
    check_quick_summary(path);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) * 2 / 3);
    check_quick_summary(path);
    BOOST_TEST(files::name(looked_at(path, true).health) != "whole");
  }
}

BOOST_AUTO_TEST_CASE(a_reel_of_an_unknown_game_is_summarised_from_its_index) {
  scratch_folder folder;
  const std::string path = folder / "ints.reel";
  auto recorder = recorder_of_ints::open(path, int_encoder{}, {.ticks_per_second = 60});
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 1000; ++tick) BOOST_REQUIRE(recorder->push(state_of_tick(tick)));
  BOOST_REQUIRE(recorder->close());
  check_quick_summary(path);
  BOOST_TEST(looked_at(path, true).ticks == 1000u);
  BOOST_TEST(files::name(looked_at(path, true).health) == "whole");
  for (std::uintmax_t bytes = std::filesystem::file_size(path); bytes > 2000; bytes -= 997) {
    std::filesystem::resize_file(path, bytes - 1);
    check_quick_summary(path);
    BOOST_TEST(files::name(looked_at(path, true).health) != "whole");
  }
}

// The index does not count a gap of an unknown number of ticks: its record is read.
BOOST_AUTO_TEST_CASE(a_gap_of_unknown_size_is_summarised_and_a_failed_read_is_not_taken_for_one) {
  scratch_folder folder;
  const auto whole = folder.path() / "whole.reel";
  auto recorder = recorder_of_ints::open(whole.string(), int_encoder{}, {.ticks_per_second = 60});
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 1000; ++tick) BOOST_REQUIRE(recorder->push(state_of_tick(tick)));
  BOOST_REQUIRE(recorder->close());
  std::filesystem::resize_file(whole, std::filesystem::file_size(whole) - 1);
  const auto part = folder.path() / "part.reel";
  auto from = reel::reader::open(whole);
  BOOST_REQUIRE(from);
  reel::cut_options options;
  options.marks_missing_end = true;
  BOOST_REQUIRE(reel::cut_into(*from, part, options));
  check_quick_summary(part);
  BOOST_TEST(files::name(looked_at(part, true).health) == "recovered");

  const auto bytes = std::make_shared<failing_bytes>(read_file(part.string()));
  const auto opened = files::open(byte_source(bytes, part));
  BOOST_REQUIRE(opened);
  bytes->fails = true;
  const auto found = (*opened)->quick_summary();
  BOOST_REQUIRE(!found);
  BOOST_TEST((found.error().code == error_code::io_failed));
}

// Its completeness is unknown without its events.
BOOST_AUTO_TEST_CASE(a_starcraft_replay_is_summarised_as_by_info) {
  const auto data = shared_data("sc2");
  if (data.empty()) return;
  std::size_t looked = 0;
  for (const auto& each : std::filesystem::directory_iterator(data)) {
    if (each.path().extension() != ".SC2Replay") continue;
    BOOST_TEST(!check_quick_summary(each.path()), each.path());
    ++looked;
    // Its events follow after it.
    auto opened = open_recording(each.path());
    BOOST_REQUIRE(opened->quick_summary());
    BOOST_REQUIRE(opened->rewind());
    BOOST_TEST(opened->next().value());
    BOOST_REQUIRE(opened->rewind());
    BOOST_TEST(opened->next().value());
  }
  BOOST_TEST(looked > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
