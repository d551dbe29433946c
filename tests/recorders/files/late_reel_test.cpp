// A reel that was joined late: every way to look at it says where it begins, and none that it is damaged.
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/same_content.hpp"
#include "tickreel/tickreel.hpp"

namespace joined {

struct puck {
  float x = 0;
  std::int32_t goals = 0;
};
TICKREEL_DESCRIBE(puck, x, goals);

}  // namespace joined

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Keeps a reel beyond its recorder.
class kept_bytes final : public reel::sink {
 public:
  explicit kept_bytes(byte_vector& to) : to_(to) {}
  result<void> accept_header(byte_span bytes) override {
    to_.insert(to_.end(), bytes.begin(), bytes.end());
    return {};
  }
  result<void> accept_record(const reel::record_info&, byte_span bytes) override {
    return accept_header(bytes);
  }

 private:
  byte_vector& to_;
};

// 100 ticks, of which the reel has those from 50 on.
byte_vector joined_at_50(const scratch_folder& folder) {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = 10;
  options.ticks_per_second = 50;
  auto out = record<joined::puck>(folder / "all.reel", options);
  BOOST_REQUIRE(out);
  byte_vector late;
  for (int tick = 0; tick < 100; ++tick) {
    if (tick == 50) out->add_sink(std::make_unique<kept_bytes>(late));
    BOOST_REQUIRE(out->push({static_cast<float>(tick), tick / 30}));
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  return late;
}

bool names_the_beginning(const std::vector<std::string>& sentences) {
  return std::any_of(sentences.begin(), sentences.end(), [](const std::string& each) {
    return each.find("begins at tick 50: ticks 0 to 49 (50) came before it") != std::string::npos;
  });
}

// What info, verify and cat say of it.
void check_late(const std::string& path) {
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened.has_value(), path);
  const auto seen = (*opened)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST(seen->ticks == 50u);
  BOOST_TEST((seen->health == files::health::incomplete || seen->health == files::health::recovered),
             files::name(seen->health));
  BOOST_TEST(names_the_beginning((*opened)->losses()));
  const auto quickly = (*opened)->glance();
  BOOST_REQUIRE(quickly);
  BOOST_TEST(quickly->ticks == 50u);
  BOOST_TEST((quickly->health == seen->health));
  const auto verified = (*opened)->verify();
  BOOST_REQUIRE(verified);
  std::vector<std::string> found;
  for (const files::finding& each : verified->findings) found.push_back(each.message);
  BOOST_TEST(verified->ok());
  BOOST_TEST(names_the_beginning(found));
  BOOST_REQUIRE((*opened)->seek({files::moment::by::tick, 70}));
  BOOST_REQUIRE((*opened)->next());
  BOOST_TEST((*opened)->position().tick == 70u);
}

BOOST_AUTO_TEST_SUITE(reels_that_were_joined_late)

BOOST_AUTO_TEST_CASE(say_so_and_are_not_damaged) {
  const scratch_folder folder;
  const byte_vector late = joined_at_50(folder);
  const std::string path = folder / "late.reel";
  write_file(path, late);
  check_late(path);
  // Every copy says it again.
  BOOST_REQUIRE(files::compact(path, folder / "compact.reel"));
  check_late(folder / "compact.reel");
  const auto same = files::has_same_content(folder / "compact.reel", path);
  BOOST_REQUIRE(same);
  BOOST_TEST(*same);
  const auto recovered = files::recover(path, folder / "recovered.reel");
  BOOST_REQUIRE(recovered);
  BOOST_TEST(recovered->ticks == 50u);
  BOOST_TEST(recovered->lost_ticks == 50u);
  check_late(folder / "recovered.reel");
  const auto how = files::find_conversion(path, "ndjson");
  BOOST_REQUIRE(how);
  BOOST_REQUIRE(*how != nullptr);
  const auto made = (*how)->run(path, folder / "late.ndjson", {});
  BOOST_REQUIRE(made);
  BOOST_TEST(names_the_beginning(made->lost));
  // As it is while the match goes on.
  write_file(path, byte_span(late).first(late.size() / 2));
  auto open = files::open(path);
  BOOST_REQUIRE(open);
  const auto seen = (*open)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST((seen->health == files::health::incomplete));
}

// A part of it lacks nothing.
BOOST_AUTO_TEST_CASE(give_whole_clips) {
  const scratch_folder folder;
  const std::string path = folder / "late.reel";
  write_file(path, joined_at_50(folder));
  const auto how = files::find_conversion(path, "reel", true);
  BOOST_REQUIRE(how);
  BOOST_REQUIRE(*how != nullptr);
  files::conversion_options options;
  BOOST_TEST(files::read_range("tick:60", "tick:80", options.range).empty());
  const auto made = (*how)->run(path, folder / "clip.reel", options);
  BOOST_REQUIRE(made);
  BOOST_TEST(made->lost.empty());
  auto clip = files::open(folder / "clip.reel");
  BOOST_REQUIRE(clip);
  const auto seen = (*clip)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST((seen->health == files::health::whole));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
