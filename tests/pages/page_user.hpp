// Helpers for tests of every page.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "browser.hpp"
#include "preconditions.hpp"
#include "run_program.hpp"

namespace tickreel::test {

inline const auto with_browser = needed(
    [] {
      return find_browser_programs() ? nullptr
                                     : "chromium and chromedriver are not both installed; apt-get install "
                                       "chromium chromium-driver";
    },
    "TICKREEL_REQUIRE_BROWSER");

// One browser for all cases: its start takes longer than its use.
inline browser& the_browser() {
  const auto programs = find_browser_programs();
  BOOST_REQUIRE_MESSAGE(programs, "chromium and chromedriver are not both installed");
  static browser one(*programs);
  return one;
}

// No page loads anything or reports an error.
struct page_user {
  browser& page = the_browser();
  scratch_folder folder;

  void open(const std::string& file) {
    (void)page.complaints();
    page.resize(1200, 1000);
    page.open(file);
    BOOST_TEST(page.number("performance.getEntriesByType('resource').length") == 0);
  }
  ~page_user() {
    for (const std::string& each : page.complaints()) BOOST_ERROR("the browser's console: " << each);
  }
  void make(const std::vector<std::string>& words) const {
    const outcome made = run(words);
    BOOST_REQUIRE_MESSAGE(made.code == 0, made.out << made.err);
  }
  double count(const std::string& selector) {
    return page.number("document.querySelectorAll(\"" + selector + "\").length");
  }
  // In a narrow window nothing exceeds the width.
  void check_narrow() {
    page.resize(500, 800);
    page.wait_until("innerWidth <= 500");
    BOOST_TEST(page.truth("document.documentElement.scrollWidth <= innerWidth"));
    page.resize(1200, 1000);
    page.wait_until("innerWidth > 1000");
  }
};

// A name that a page must treat as text only.
inline constexpr const char* wicked_name = "<img src=x onerror=boom()>&amp;'\"` \xE4\xBA\xBA";

}  // namespace tickreel::test
