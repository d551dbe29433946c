// Recording, and reading of many files, on a system that cannot start threads.
#include <boost/test/unit_test.hpp>

#include <iostream>

#ifdef __linux__

#include <filesystem>
#include <functional>

#include "../sdk/record/recorder_fixture.hpp"
#include "small_world.hpp"
#include "support/match_driver.hpp"
#include "tickreel/library/catalogue.hpp"
#include "tickreel/workers/worker_pool.hpp"
#include "without_threads.hpp"

BOOST_AUTO_TEST_SUITE(fault_no_thread_tests)
BOOST_AUTO_TEST_SUITE(no_thread_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// `what` gets a folder that every user may write in, and returns whether all checks passed.
void check(const std::function<bool(const scratch_folder&)>& what) {
  const scratch_folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const int answer = run_without_threads([&] { return what(folder) ? 0 : 1; });
  if (answer == there_are_threads) {
    std::cout << "LEFT OUT: this system does not keep to a limit of threads\n";
    return;
  }
  BOOST_TEST(answer == 0);
}

template <class T>
bool refused(const result<T>& outcome) {
  return !outcome && outcome.error().code == error_code::out_of_memory;
}

BOOST_AUTO_TEST_CASE(a_recorder_leaves_no_files) {
  check([](const scratch_folder& folder) {
    return refused(newest_recorder::open(folder / "match.reel", int_encoder{}, {})) &&
           std::filesystem::is_empty(folder.path());
  });
}

BOOST_AUTO_TEST_CASE(a_game_recorder_leaves_no_files) {
  check([](const scratch_folder& folder) {
    game::match_options options;
    options.record_voice = true;
    bool good = true;
    for (const auto file : {game::container::icrep, game::container::reel}) {
      options.file = file;
      good = good && refused(little_recorder::begin(folder / "match", little_match(), options)) &&
             std::filesystem::is_empty(folder.path());
    }
    options.mode = threading::pumped;
    return good && little_recorder::begin(folder / "match", little_match(), options).has_value();
  });
}

BOOST_AUTO_TEST_CASE(a_match_is_reported_and_not_retried_endlessly) {
  check([](const scratch_folder& folder) {
    echo_vr::match_options options;
    options.folder = folder.path();
    driver game(options);
    game.ticks({}, 0, 10);
    game.recorder().close();
    return game.events(echo_vr::event_kind::disk_failed).size() == 1 &&
           game.recorder().status().dropped_ticks == 10 && std::filesystem::is_empty(folder.path());
  });
}

BOOST_AUTO_TEST_CASE(the_caller_does_the_work_without_threads) {
  check([](const scratch_folder&) {
    workers::worker_pool pool(4);
    bool good = refused(pool.start());
    int done = 0;
    for (int each = 0; each < 3; ++each) {
      pool.add([&done, each] { done += done == each ? 1 : 10; });
      good = good && done == each + 1;
    }
    pool.finish();
    return good && done == 3;
  });
}

BOOST_AUTO_TEST_CASE(a_scan_is_rejected) {
  check([](const scratch_folder& folder) {
    auto index = library::catalogue::open(folder.path() / "library.db");
    return index && refused(index->scan({folder.path()}, {}));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#else

BOOST_AUTO_TEST_SUITE(fault_no_thread_tests)
BOOST_AUTO_TEST_SUITE(no_thread_test)

BOOST_AUTO_TEST_CASE(not_supported_on_this_system) {
  std::cout << "LEFT OUT: only Linux is known to refuse threads on demand\n";
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#endif
