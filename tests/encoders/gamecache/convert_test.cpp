// Conversion from one layout to the other.
#include "tickreel/gamecache/convert.hpp"
#include "sample.hpp"

BOOST_AUTO_TEST_SUITE(encoders_gamecache_tests)
BOOST_AUTO_TEST_SUITE(convert_test)

using namespace tickreel;
using namespace tickreel::gamecache;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(the_same_layout_changes_nothing) {
  for (const layout each : {layout::flagged, layout::flat}) {
    const contents from = full_cache(each, 3);
    conversion_losses lost;
    BOOST_TEST((convert(from, each, lost) == from));
    BOOST_TEST(lost.total() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(flat_to_flagged) {
  const contents from = full_cache(layout::flat, 3);
  conversion_losses lost;
  const contents to = convert(from, layout::flagged, lost);
  BOOST_TEST(to.next_age == 3u);
  BOOST_TEST(lost.modes == 3u);
  BOOST_TEST(lost.hosts_and_savers == 3u);
  BOOST_TEST(lost.gold_and_neutrals == 30u);
  BOOST_TEST(lost.total() == 36u);
  BOOST_TEST((taken(read(taken(write(to)))) == to));
  const item& one = to.items[1];
  BOOST_TEST(one.age == 1u);
  BOOST_TEST(one.path == from.items[1].path);
  BOOST_TEST(one.ratio == "5v5");
  BOOST_TEST((one.name == wide("Local Game")));
  BOOST_TEST(one.players[3].assists == 6);
  BOOST_TEST(one.players[3].item_gold == 9750);
}

BOOST_AUTO_TEST_CASE(flagged_to_flat) {
  contents from = full_cache(layout::flagged, 3);
  from.items[0].fields &= ~field::heroes;
  from.items[1].modified = -4;
  from.items[1].tail = from_hex("aa");
  for (std::int32_t* value : {&from.items[2].players[0].kills, &from.items[2].players[0].deaths}) *value = -1;
  item strange = full_item(layout::flagged, 9);
  strange.fields |= 1;
  from.items.push_back(strange);
  conversion_losses lost;
  const contents to = convert(from, layout::flat, lost);
  BOOST_TEST(to.items.size() == 3u);
  BOOST_TEST(lost.modes == 3u);
  BOOST_TEST(lost.absent_fields == 1u);
  BOOST_TEST(lost.unknown_times == 1u);
  BOOST_TEST(lost.unknown_bytes == 1u);
  BOOST_TEST(lost.clamped_values == 1u);
  BOOST_TEST(lost.not_understood == 1u);
  BOOST_TEST(lost.total() == 8u);
  BOOST_TEST(to.items[2].players[0].kills == 0);
  BOOST_TEST((taken(read(taken(write(to)))) == to));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
