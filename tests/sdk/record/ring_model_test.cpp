// The rings in every order of their atomic operations, with every value that C++ allows a load to return.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <vector>

#include "interleavings.hpp"
#include "tickreel/record/ring.hpp"

using namespace tickreel;
using namespace tickreel::tests;

namespace {

using element = modelled_data<unsigned>;
template <class Value>
using exact = modelled<Value>;
template <class Value>
using weak = modelled<Value, all_relaxed>;

// What both threads of a run have seen.
struct traffic {
  std::vector<unsigned> pushed, refused, replaced, popped;
};

void expect_all(const traffic& seen, unsigned pushes) {
  interleavings& model = interleavings::current();
  std::vector<unsigned> times(pushes + 1);
  for (const auto* list : {&seen.refused, &seen.replaced, &seen.popped}) {
    for (const unsigned each : *list) ++times[each < times.size() ? each : 0];
  }
  for (unsigned each = 1; each <= pushes; ++each) {
    if (times[each] != 1)
      model.fail("element " + std::to_string(each) + " arrived " + std::to_string(times[each]) + " times");
  }
  if (times[0] != 0) model.fail("an element arrived that was never pushed");
  if (!std::ranges::is_sorted(seen.popped)) model.fail("the elements arrived in another order");
}

template <class Ring>
interleavings::threads threads_of(std::shared_ptr<Ring> ring, unsigned pushes, unsigned pops, auto push) {
  const auto seen = std::make_shared<traffic>();
  const auto pop = [ring, seen] {
    element* const front = ring->front();
    if (front == nullptr) return false;
    seen->popped.push_back(front->read());
    ring->pop();
    return true;
  };
  return {[ring, seen, pushes, push] {
            for (unsigned each = 1; each <= pushes; ++each) push(*ring, each, *seen);
          },
          [pops, pop] {
            for (unsigned each = 0; each < pops; ++each) pop();
          },
          [seen, pushes, pop] {
            while (pop()) {}
            expect_all(*seen, pushes);
          }};
}

template <template <class> class Atomic>
interleavings::threads spsc_threads(unsigned pushes, unsigned pops) {
  using ring = spsc_ring<element, Atomic>;
  return threads_of(std::make_shared<ring>(2), pushes, pops, [](ring& into, unsigned each, traffic& seen) {
    element* const slot = into.begin_push();
    if (slot == nullptr) return seen.refused.push_back(each);
    slot->write(each);
    into.commit_push();
  });
}

template <template <class> class Atomic>
interleavings::threads replacing_threads(unsigned pushes, unsigned pops) {
  using ring = replacing_ring<element, Atomic>;
  return threads_of(std::make_shared<ring>(2), pushes, pops, [](ring& into, unsigned each, traffic& seen) {
    const auto room = into.begin_push();
    if (room.replaces) seen.replaced.push_back(room.slot->read());
    room.slot->write(each);
    into.commit_push();
  });
}

void expect_no_failure(const char* name, const interleavings::outcome& found) {
  BOOST_TEST_MESSAGE(name << ": " << found.runs << " runs");
  BOOST_TEST(!found.failure, name << ", run " << found.runs << ": " << found.failure.value_or(""));
  BOOST_TEST(found.runs > 1000u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sdk_ring_model_tests)

BOOST_AUTO_TEST_CASE(the_queue_loses_and_repeats_nothing) {
  expect_no_failure("spsc_ring", interleavings::explore([] { return spsc_threads<exact>(4, 4); },
                                                        switches_or(5), ~std::uint64_t{0}));
}

BOOST_AUTO_TEST_CASE(the_replacing_queue_loses_only_what_it_reports) {
  expect_no_failure("replacing_ring", interleavings::explore([] { return replacing_threads<exact>(5, 3); },
                                                             switches_or(3), ~std::uint64_t{0}));
}

// The model finds what weaker orders break: otherwise the cases above would prove nothing.
BOOST_AUTO_TEST_CASE(weaker_orders_are_found) {
  for (const auto& found :
       {interleavings::explore([] { return spsc_threads<weak>(4, 4); }, 5, 1'000'000),
        interleavings::explore([] { return replacing_threads<weak>(5, 3); }, 3, 1'000'000)}) {
    BOOST_TEST_REQUIRE(found.failure.has_value());
    BOOST_TEST(found.failure->find("data race") != std::string::npos, *found.failure);
  }
}

BOOST_AUTO_TEST_SUITE_END()
