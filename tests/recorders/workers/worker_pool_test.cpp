#include "tickreel/workers/worker_pool.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <latch>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_SUITE(workers_tests)
BOOST_AUTO_TEST_SUITE(worker_pool_test)

using tickreel::workers::worker_pool;

BOOST_AUTO_TEST_CASE(one_thread_keeps_the_order) {
  std::vector<int> done;
  worker_pool pool;
  for (int each = 0; each < 1000; ++each) pool.add([&done, each] { done.push_back(each); });
  pool.finish();
  BOOST_REQUIRE_EQUAL(done.size(), 1000);
  for (int each = 0; each < 1000; ++each) BOOST_TEST(done[static_cast<std::size_t>(each)] == each);
}

BOOST_AUTO_TEST_CASE(jobs_run_concurrently_with_the_caller_and_each_other) {
  // Each waits for all the others, so they would never end one after the other.
  std::latch all(4);
  std::atomic<int> on_caller = 0;
  worker_pool pool(3);
  BOOST_REQUIRE(pool.start());
  for (int each = 0; each < 3; ++each) {
    pool.add([&, caller = std::this_thread::get_id()] {
      if (std::this_thread::get_id() == caller) ++on_caller;
      all.arrive_and_wait();
    });
  }
  all.arrive_and_wait();
  pool.finish();
  BOOST_TEST(on_caller == 0);
}

BOOST_AUTO_TEST_CASE(works_again_after_it_finished) {
  std::atomic<int> done = 0;
  worker_pool pool(2);
  pool.finish();
  for (int round = 1; round <= 3; ++round) {
    for (int each = 0; each < 10; ++each) pool.add([&done] { ++done; });
    pool.finish();
    BOOST_TEST(done == 10 * round);
  }
}

BOOST_AUTO_TEST_CASE(its_destructor_waits_for_every_job) {
  std::atomic<int> done = 0;
  {
    worker_pool pool(2);
    for (int each = 0; each < 100; ++each) pool.add([&done] { ++done; });
  }
  BOOST_TEST(done == 100);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
