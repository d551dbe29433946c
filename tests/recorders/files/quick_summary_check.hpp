// A quick summary of a recording must equal the summary of all ticks.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "tickreel/files/recording.hpp"

namespace tickreel::test {

inline files::summary looked_at(const std::filesystem::path& path, bool quick_summary) {
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened, path << ": " << (opened ? "" : describe(opened.error())));
  auto found = quick_summary ? (*opened)->quick_summary() : (*opened)->summarise();
  BOOST_REQUIRE_MESSAGE(found, path << ": " << (found ? "" : describe(found.error())));
  return std::move(*found);
}

// Every fact of `some` is one of `all`.
inline void check_facts(const std::vector<files::fact>& some, const std::vector<files::fact>& all) {
  for (const files::fact& each : some) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const files::fact& other) {
      return other.key == each.key && other.value == each.value;
    });
    BOOST_TEST(known, each.key);
  }
}

// True if the quick summary read less than the whole file.
inline bool check_quick_summary(const std::filesystem::path& path) {
  const files::summary quick_summary = looked_at(path, true);
  const files::summary all = looked_at(path, false);
  BOOST_TEST_CONTEXT(path) {
    BOOST_TEST(quick_summary.format == all.format);
    BOOST_TEST(quick_summary.format_version == all.format_version);
    BOOST_TEST(quick_summary.bytes == all.bytes);
    BOOST_TEST(quick_summary.ticks == all.ticks);
    BOOST_TEST(quick_summary.duration_ms == all.duration_ms);
    BOOST_TEST(name(quick_summary.health) == name(all.health));
    BOOST_TEST(quick_summary.keyframes <= all.keyframes);
    check_facts(quick_summary.facts, all.facts);
    BOOST_REQUIRE_EQUAL(quick_summary.players.size(), all.players.size());
    for (std::size_t each = 0; each < all.players.size(); ++each) {
      BOOST_TEST(quick_summary.players[each].name == all.players[each].name);
      BOOST_TEST(quick_summary.players[each].team == all.players[each].team);
      BOOST_TEST((quick_summary.players[each].userid == all.players[each].userid));
      check_facts(quick_summary.players[each].facts, all.players[each].facts);
    }
  }
  return quick_summary.facts.size() < all.facts.size();
}

}  // namespace tickreel::test
