#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>

#include "random.hpp"
#include "tickreel/describe/changes.hpp"
#include "tickreel/tracks/row_changes.hpp"

BOOST_AUTO_TEST_SUITE(sdk_describe_tests)
BOOST_AUTO_TEST_SUITE(changes_test)

namespace {

using namespace tickreel;

struct place {
  std::int32_t x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct health {
  std::uint16_t points = 0;
};
TICKREEL_DESCRIBE(health, points);

// An inherited member has the number of the derived struct's description.
struct described_base {
  std::array<std::int32_t, 4> inherited{};
};
TICKREEL_DESCRIBE(described_base, inherited);
struct derived_world : described_base {
  std::array<std::int32_t, 4> own{};
};
TICKREEL_DESCRIBE(derived_world, own, inherited);
static_assert(member_number<derived_world, &derived_world::inherited> == 1);

using changes = std::map<std::size_t, std::uint64_t>;

// Comparing and marking report the same changes, except values that changed back: only marking reports those.
BOOST_AUTO_TEST_CASE(comparing_and_marking_agree) {
  auto random = tickreel::test::seeded_random("changes");
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 1 + random() % 300;
    change_list list(count);
    std::vector<std::unique_ptr<tracked<place>>> places;
    std::vector<std::unique_ptr<tracked<health>>> healths;
    for (std::size_t i = 0; i < count; ++i) {
      places.push_back(std::make_unique<tracked<place>>(list, i, 0u));
      healths.push_back(std::make_unique<tracked<health>>(list, i, 1u, health{100}));
    }
    list.clear();
    const auto image = [&] {
      std::pair<byte_vector, byte_vector> bytes;
      for (std::size_t i = 0; i < count; ++i) {
        append_component(bytes.first, places[i]->get());
        append_component(bytes.second, healths[i]->get());
      }
      return bytes;
    };
    const auto before = image();
    const std::size_t edits = random() % (count * 2);
    for (std::size_t edit = 0; edit < edits; ++edit) {
      const std::size_t at = random() % count;
      if (random() % 2 == 0) {
        places[at]->change([&](place& now) { now.x = static_cast<std::int32_t>(random() % 3); });
      } else {
        *healths[at] = health{static_cast<std::uint16_t>(100 - random() % 2)};
      }
    }
    const auto now = image();
    changes compared;
    compare_records(before.first, now.first, component_size<place>, [&](std::size_t i) { compared[i] |= 1; });
    compare_records(before.second, now.second, component_size<health>,
                    [&](std::size_t i) { compared[i] |= 2; });
    changes marked;
    for (const std::uint32_t entity : list.entities()) {
      std::uint64_t mask = list.mask(entity);
      if (mask & 1 && same_component(places[entity]->get(), place{})) mask &= ~1ull;
      if (mask & 2 && same_component(healths[entity]->get(), health{100})) mask &= ~2ull;
      if (mask != 0) marked[entity] = mask;
    }
    BOOST_TEST((compared == marked));
  }
}

BOOST_AUTO_TEST_CASE(marks_are_kept_until_cleared) {
  change_list list(4);
  list.mark(2, 5);
  list.mark(2, 6);
  list.mark_all(3);
  BOOST_TEST(list.is_complete());
  list.mark(9, 0);
  BOOST_TEST(!list.is_complete());
  list.mark(1, 64);
  BOOST_TEST(list.entities().size() == 2u);
  BOOST_TEST(list.is_marked(2, 5));
  BOOST_TEST(!list.is_marked(2, 7));
  BOOST_TEST(list.is_marked(3, 63));
  list.clear();
  BOOST_TEST(list.entities().empty());
  BOOST_TEST(list.is_complete());
  BOOST_TEST(list.mask(3) == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
