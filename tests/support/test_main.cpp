// main() of every test program, compiled once. In addition to Boost's main, it exits with 77 if no case ran because of missing
// preconditions: ctest then reports a skip, not a success.
#ifndef BOOST_TEST_DYN_LINK

// Boost's static library contains a main of its own.
#define BOOST_TEST_MODULE tickreel
#include <boost/test/unit_test.hpp>

#else

#define BOOST_TEST_NO_MAIN
#include <boost/test/results_collector.hpp>
#include <boost/test/tree/observer.hpp>
#include <boost/test/tree/test_case_counter.hpp>
#include <boost/test/tree/traverse.hpp>
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <map>
#include <string>

namespace {

namespace unit_test = boost::unit_test;

class outcome_counter final : public unit_test::test_observer {
 public:
  void test_unit_finish(const unit_test::test_unit& unit, unsigned long) override {
    if (unit.p_type != unit_test::TUT_CASE) return;
    ++ran_;
    if (!unit_test::results_collector.results(unit.p_id).passed()) ++failed_;
  }
  void test_unit_skipped(const unit_test::test_unit& unit, unit_test::const_string why) override {
    if (why == "disabled") return;  // by --run_test
    unit_test::test_case_counter cases;
    unit_test::traverse_test_tree(unit, cases);
    skipped_[std::string(why.begin(), why.end())] += cases.p_count;
  }
  // After the results collector.
  int priority() override { return 10; }

  [[nodiscard]] int exit_code(int of_boost) const {
    for (const auto& [why, cases] : skipped_) std::cout << "SKIPPED " << cases << " cases: " << why << '\n';
    if (skipped_.empty() || failed_ != 0) return of_boost;
    constexpr int skipped = 77;  // the skip code that tests/CMakeLists.txt gives to ctest
    return ran_ == 0 ? skipped : 0;
  }

 private:
  std::size_t ran_ = 0;
  std::size_t failed_ = 0;
  std::map<std::string, std::size_t> skipped_;
};

outcome_counter counter;

}  // namespace

int main(int count, char** arguments) {
  const auto begin = [] {
    unit_test::framework::register_observer(counter);
    return true;
  };
  return counter.exit_code(unit_test::unit_test_main(begin, count, arguments));
}

#endif
