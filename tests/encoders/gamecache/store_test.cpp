// Ages, eviction and lookup.
#include <algorithm>
#include <set>

#include "random.hpp"
#include "sample.hpp"
#include "tickreel/gamecache/store.hpp"

BOOST_AUTO_TEST_SUITE(encoders_gamecache_tests)
BOOST_AUTO_TEST_SUITE(store_test)

using namespace tickreel;
using namespace tickreel::gamecache;
using namespace tickreel::test;

namespace {

item small_item(std::uint32_t number) {
  item out;
  out.path = "C:\\r\\" + std::to_string(number) + ".w3g";
  out.modified = 1000 + number;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ages_are_the_order_of_use) {
  store cache(contents{});
  for (std::uint32_t number = 0; number < 3; ++number) {
    const auto report = cache.put(small_item(number));
    BOOST_TEST(report.index == number);
    BOOST_TEST(!report.replaced);
  }
  BOOST_TEST(cache.all().next_age == 3u);
  BOOST_TEST(cache.oldest().value_or(9) == 0u);
  cache.touch(cache.find_path("c:/R/0.W3G").value());
  BOOST_TEST(cache.all().items[0].age == 3u);
  BOOST_TEST(cache.all().next_age == 4u);
  BOOST_TEST(cache.oldest().value_or(9) == 1u);
  cache.touch(cache.find_time(1001).value());
  BOOST_TEST(cache.oldest().value_or(9) == 2u);
  BOOST_TEST(!cache.find_path("C:\\r\\7.w3g").has_value());
  BOOST_TEST(cache.find_path("C:/r/2.w3g").value_or(9) == 2u);
  BOOST_TEST(cache.find_time(1002).value_or(9) == 2u);
  BOOST_TEST(cache.all().next_age == 5u);
  item fresh = small_item(2);
  fresh.modified = 5;
  const auto report = cache.put(fresh);
  BOOST_TEST(report.replaced);
  BOOST_TEST(report.index == 2u);
  BOOST_TEST(cache.all().items[2].age == 5u);
  BOOST_TEST(!cache.find_time(1002).has_value());
  BOOST_TEST(cache.find_time(5).value_or(9) == 2u);
}

BOOST_AUTO_TEST_CASE(the_oldest_item_is_evicted) {
  store cache(contents{}, {.max_items = 3});
  for (std::uint32_t number = 0; number < 3; ++number) cache.put(small_item(number));
  cache.touch(0);
  const auto report = cache.put(small_item(3));
  BOOST_TEST(report.evicted == 1u);
  BOOST_TEST(report.index == 1u);
  BOOST_TEST(cache.all().items.size() == 3u);
  BOOST_TEST(!cache.find_path(small_item(1).path).has_value());
  BOOST_TEST(cache.find_path(small_item(3).path).value_or(9) == 1u);
}

BOOST_AUTO_TEST_CASE(equal_ages_are_evicted_from_the_front) {
  contents same;
  for (std::uint32_t number = 0; number < 3; ++number) same.items.push_back(small_item(number));
  for (item& each : same.items) each.age = 40;
  same.next_age = 7;  // below the ages, which is valid
  store cache(same, {.max_items = 3});
  BOOST_TEST(cache.oldest().value_or(9) == 0u);
  BOOST_TEST(cache.put(small_item(3)).index == 0u);
}

BOOST_AUTO_TEST_CASE(a_limit_below_the_size_read) {
  store cache(full_cache(layout::flagged, 10), {.max_items = 4});
  BOOST_TEST(cache.all().items.size() == 10u);
  const auto report = cache.put(small_item(77));
  BOOST_TEST(report.evicted == 7u);
  BOOST_TEST(cache.all().items.size() == 4u);
  BOOST_TEST(cache.all().items[0].path == small_item(77).path);
  BOOST_TEST(cache.find_path(full_item(layout::flagged, 9).path).value_or(9) == 3u);
  BOOST_TEST(!cache.find_path(full_item(layout::flagged, 6).path).has_value());
}

BOOST_AUTO_TEST_CASE(no_limit) {
  store cache(contents{}, {.max_items = 0});
  for (std::uint32_t number = 0; number < 5000; ++number)
    BOOST_REQUIRE(cache.put(small_item(number)).evicted == 0);
  BOOST_TEST(cache.all().items.size() == 5000u);
  store flat(contents{.layout = layout::flat, .items = {}}, {.max_items = 2});
  for (std::uint32_t number = 0; number < 5; ++number) flat.put(full_item(layout::flat, number));
  BOOST_TEST(flat.all().items.size() == 5u);
  BOOST_TEST(flat.all().items[4].age == 0u);
}

BOOST_AUTO_TEST_CASE(copies_of_a_replay_are_merged_by_time) {
  store cache(contents{}, {.by = key::time});
  item first = small_item(1);
  item copy = small_item(2);
  copy.modified = first.modified;
  cache.put(first);
  const auto report = cache.put(copy);
  BOOST_TEST(report.replaced);
  BOOST_TEST(cache.all().items.size() == 1u);
  BOOST_TEST(cache.all().items[0].path == copy.path);
}

BOOST_AUTO_TEST_CASE(ages_restart_before_they_overflow) {
  contents late = full_cache(layout::flagged, 4);
  late.items[0].age = 900;
  late.items[1].age = 5;
  late.items[2].age = 0x7FFFFFFE;
  late.items[3].age = 5;
  late.next_age = 0x7FFFFFFE;
  store cache(late);
  cache.touch(0);  // becomes 2^31 - 2
  BOOST_TEST(cache.all().items[0].age == 0x7FFFFFFEu);
  BOOST_TEST(cache.all().next_age == 0x7FFFFFFFu);
  cache.touch(3);  // would exceed 2^31 - 1
  // In age order 1, 3, 0, 2: of equal ages the first is older.
  BOOST_TEST(cache.all().items[1].age == 0u);
  BOOST_TEST(cache.all().items[0].age == 2u);
  BOOST_TEST(cache.all().items[2].age == 3u);
  BOOST_TEST(cache.all().items[3].age == 4u);
  BOOST_TEST(cache.all().next_age == 5u);
}

// Compared with the simplest model: a list in order of use.
BOOST_AUTO_TEST_CASE(equals_a_list_model) {
  auto random = seeded_random("equals_a_list_model");
  for (int round = 0; round < 20; ++round) {
    const std::size_t limit = 1 + random() % 12;
    store cache(contents{}, {.max_items = limit});
    std::vector<std::string> used;  // the least recently used first
    for (int step = 0; step < 300; ++step) {
      const item one = small_item(static_cast<std::uint32_t>(random() % 20));
      const auto known = std::find(used.begin(), used.end(), one.path);
      const bool is_known = known != used.end();
      if (random() % 3 == 0) {
        const auto found = cache.find_path(one.path);
        BOOST_REQUIRE_EQUAL(found.has_value(), is_known);
        if (!is_known) continue;
        cache.touch(*found);
        used.erase(known);
      } else {
        const auto report = cache.put(one);
        BOOST_REQUIRE_EQUAL(report.replaced, is_known);
        if (is_known) {
          used.erase(known);
        } else if (used.size() == limit) {
          BOOST_REQUIRE_EQUAL(report.evicted, 1u);
          used.erase(used.begin());
        }
      }
      used.push_back(one.path);
      std::set<std::string> left;
      for (const item& each : cache.all().items) left.insert(each.path);
      BOOST_REQUIRE((left == std::set<std::string>(used.begin(), used.end())));
      BOOST_REQUIRE_EQUAL(cache.all().items.at(*cache.oldest()).path, used.front());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
