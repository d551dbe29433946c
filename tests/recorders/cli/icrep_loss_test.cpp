// What damage took from an .icrep is told by every verb that would have shown it.
#include <simdjson.h>

#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "run_program.hpp"
#include "tickreel/bytes/span.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::test;
namespace dom = simdjson::dom;

// 200 ticks, all orders in one block, all events in another.
const std::string whole = std::string(TICKREEL_RELEASED_RECORDINGS) + "/plain.icrep";

// A copy with one bit flipped in the payload of the only block of that kind.
void write_damaged(const std::string& path, std::string_view block_magic) {
  byte_vector bytes = read_file(whole);
  const std::string_view text = as_text(bytes);
  const std::size_t block = text.find(block_magic);
  BOOST_REQUIRE(block != std::string_view::npos);
  BOOST_REQUIRE(text.find(block_magic, block + block_magic.size()) == std::string_view::npos);
  bytes[block + 60] ^= std::byte{1};
  write_file(path, bytes);
}

}  // namespace

// Every keyframe is as it was, and nothing is known of the ticks between.
BOOST_AUTO_TEST_CASE(lost_orders_are_not_taken_for_the_same) {
  const scratch_folder folder;
  const std::string damaged = folder / "damaged.icrep";
  write_damaged(damaged, "ICOB");
  for (const bool first : {false, true}) {
    const std::string& one = first ? damaged : whole;
    const std::string& other = first ? whole : damaged;
    const outcome told = run({"diff", one, other, "--json"});
    BOOST_TEST(told.code == 1);
    BOOST_TEST(told.says("damaged.icrep: 200 ticks from tick 0 on are missing and were not compared"));
    dom::parser parser;
    dom::element found;
    BOOST_REQUIRE(parser.parse(told.out).get(found) == simdjson::SUCCESS);
    BOOST_TEST(simdjson::minify(found["same"]) == "false");
    BOOST_TEST(simdjson::minify(found["ticks_compared"]) == "0");
    const std::string has =
        first ? R"("in_first":false,"in_second":true)" : R"("in_first":true,"in_second":false)";
    BOOST_TEST(simdjson::minify(found["not_compared"]) == R"([{"first_tick":0,"ticks":200,)" + has + "}]");
  }
  BOOST_TEST(run({"diff", whole, damaged}).out == "no tick could be compared\n");
  BOOST_TEST(run({"diff", whole, whole}).code == 0);
}

BOOST_AUTO_TEST_CASE(ticks_that_one_or_both_lack_are_not_counted) {
  const scratch_folder folder;
  const std::string match =
      std::string(TICKREEL_RELEASED_RECORDINGS) + "/match.icrep";  // a block for each tick
  const auto without = [&](const std::string& path, std::initializer_list<int> lost) {
    byte_vector bytes = read_file(match);
    for (const int tick : lost) {
      std::size_t block = as_text(bytes).find("ICOB");
      for (int i = 0; i < tick; ++i) block = as_text(bytes).find("ICOB", block + 4);
      bytes[block + 52] ^= std::byte{1};
    }
    write_file(path, bytes);
    return path;
  };
  const std::string one = without(folder / "one.icrep", {10, 11, 150});
  const std::string other = without(folder / "other.icrep", {11, 12});
  const outcome told = run({"diff", one, other});
  BOOST_TEST(told.code == 3);
  BOOST_TEST(told.out == "the same, for 196 ticks\n");
  BOOST_TEST(told.says("one.icrep: 1 ticks from tick 10 on"));
  BOOST_TEST(told.says("one.icrep: 1 ticks from tick 11 on"));
  BOOST_TEST(told.says("other.icrep: 1 ticks from tick 11 on"));
  BOOST_TEST(told.says("other.icrep: 1 ticks from tick 12 on"));
  BOOST_TEST(told.says("one.icrep: 1 ticks from tick 150 on"));
  BOOST_TEST(run({"diff", match, one}).out == "the same, for 197 ticks\n");
}

BOOST_AUTO_TEST_CASE(lost_orders_are_told_with_the_states_around_them) {
  const scratch_folder folder;
  const std::string damaged = folder / "damaged.icrep";
  write_damaged(damaged, "ICOB");
  const outcome shown = run({"cat", damaged});
  BOOST_TEST(shown.code == 3);
  BOOST_TEST((shown.out == run({"cat", whole}).out));
  BOOST_TEST(shown.says("the orders of 200 ticks from tick 0 on are missing"));
  // Only what lies between the states that are shown.
  const outcome part = run({"cat", damaged, "--from", "60", "--to", "90"});
  BOOST_TEST(part.code == 3);
  BOOST_TEST(part.says("ticks from tick 60 on are missing"));
  BOOST_TEST(run({"cat", whole, "--from", "60", "--to", "90"}).code == 0);
}

BOOST_AUTO_TEST_CASE(lost_events_are_told) {
  const scratch_folder folder;
  const std::string damaged = folder / "damaged.icrep";
  write_damaged(damaged, "ICEB");
  const outcome told = run({"events", damaged});
  BOOST_TEST(told.code == 3);
  BOOST_TEST(told.says("events are missing"));
}
