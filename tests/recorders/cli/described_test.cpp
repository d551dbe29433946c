// Reels of described structs through the program.
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "reel_damage.hpp"
#include "run_program.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(described_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct place {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct renamed {
  float x = 0, height = 0;
};
TICKREEL_DESCRIBE(renamed, x, height);
struct jump {
  std::uint8_t player = 0;
};
TICKREEL_DESCRIBE(jump, player);

template <class T>
std::string recorded(const std::string& path, int ticks, int other_from) {
  auto out = record<T>(path, {.ticks_per_second = 60});
  BOOST_REQUIRE(out);
  T now;
  for (int tick = 0; tick < ticks; ++tick) {
    now.x = static_cast<float>(tick >= other_from ? -1 : tick);
    BOOST_REQUIRE(out->push(now));
    if (tick == 5) BOOST_REQUIRE(out->event(jump{9}));
  }
  BOOST_REQUIRE(out->close());
  return path;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reels_of_structs_are_compared_and_their_events_printed) {
  scratch_folder folder;
  const std::string one = recorded<place>(folder / "one.reel", 50, 100);
  const std::string other = recorded<place>(folder / "other.reel", 50, 17);
  const std::string longer = recorded<place>(folder / "longer.reel", 60, 100);
  const std::string newer = recorded<renamed>(folder / "newer.reel", 50, 100);

  outcome printed = run({"diff", one, other});
  BOOST_TEST(printed.code == 3);
  BOOST_TEST(printed.out == "states differ from tick 17 on\n  x: 17 and -1\n");
  printed = run({"diff", one, longer});
  BOOST_TEST(printed.code == 0);
  BOOST_TEST(printed.out == "the same, for 50 ticks\n");
  BOOST_TEST(printed.says("60 ticks, the other has 50"));
  printed = run({"diff", one, newer});
  BOOST_TEST(printed.code == 3);
  BOOST_TEST(
      printed.out ==
      "y is only in the first\nheight is only in the second\nthe common part is the same, for 50 ticks\n");
  printed = run({"diff", "--json", one, other});
  BOOST_TEST(printed.out.find(R"("same":false,"ticks_compared":18,"first_different_tick":17,)"
                              R"("state":{"tick":17,"field":"x","first":"17","second":"-1"},"schema":[])") !=
             std::string::npos);

  printed = run({"events", one});
  BOOST_TEST(printed.code == 0);
  BOOST_TEST(printed.out == "{\"tick\":5,\"type\":\"jump\",\"player\":9}\n");
  BOOST_TEST(run({"events", one, "--type", "fall"}).code == 2);
  BOOST_TEST(run({"info", one}).out.find("jump {player: u8}") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_clip_by_time_reports_ticks_that_are_lost_where_it_begins) {
  const scratch_folder folder;
  const std::string whole = folder / "whole.reel";
  auto out = record<place>(whole, short_chunks());
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 60; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick), 0}));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
  const byte_vector bytes = read_file(whole);
  auto reader = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reader);
  for (const reel::record_info& each : reader->contents().records) {
    if (each.kind != reel::record_kind::chunk || each.last_tick > 40) continue;
    byte_vector damaged = bytes;
    damaged[static_cast<std::size_t>(each.offset + each.bytes / 2)] ^= std::byte{0xFF};
    write_file(folder / "lost.reel", damaged);
    const auto clip_from = [&](std::uint64_t tick) {
      return run({"clip", folder / "lost.reel", "--from",
                  std::to_string(static_cast<double>(tick) / 30 - 0.01) + "s", "-o", folder / "part.reel",
                  "--force"});
    };
    const outcome made = clip_from(each.first_tick + 1);
    BOOST_TEST(made.code == 3, each.first_tick << ": " << made.err);
    BOOST_TEST(made.says("ticks " + std::to_string(each.first_tick) + " to"), made.err);
    const outcome later = clip_from(each.last_tick + 7);
    BOOST_TEST(later.code == 0, each.first_tick << ": " << later.err);
  }
}

// A clip has an end of its own, so it must state that the end of its source is missing.
BOOST_AUTO_TEST_CASE(a_clip_to_the_missing_end_of_a_reel_states_it) {
  const scratch_folder folder;
  const std::string cut = recorded<place>(folder / "cut.reel", 50, 100);
  const std::string part = folder / "part.reel";
  byte_vector bytes = read_file(cut);
  bytes.resize(bytes.size() - 10);
  write_file(cut, bytes);
  BOOST_TEST(run({"clip", cut, "--from", "tick:20", "-o", part}).code == 3);
  BOOST_TEST(run({"verify", part}).code == 3);
  BOOST_TEST(run({"cat", part}).code == 3);
  BOOST_TEST(run({"info", "--json", part}).out.find(R"("health":"recovered")") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
