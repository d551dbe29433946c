// A quick summary of a recording must equal the summary of all ticks.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "tickreel/files/recording.hpp"

namespace tickreel::test {

inline files::summary looked_at(const std::filesystem::path& path, bool glance) {
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened, path << ": " << (opened ? "" : describe(opened.error())));
  auto found = glance ? (*opened)->glance() : (*opened)->summarise();
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
inline bool check_glance(const std::filesystem::path& path) {
  const files::summary glance = looked_at(path, true);
  const files::summary all = looked_at(path, false);
  BOOST_TEST_CONTEXT(path) {
    BOOST_TEST(glance.format == all.format);
    BOOST_TEST(glance.format_version == all.format_version);
    BOOST_TEST(glance.bytes == all.bytes);
    BOOST_TEST(glance.ticks == all.ticks);
    BOOST_TEST(glance.duration_ms == all.duration_ms);
    BOOST_TEST(name(glance.health) == name(all.health));
    BOOST_TEST(glance.keyframes <= all.keyframes);
    check_facts(glance.facts, all.facts);
    BOOST_REQUIRE_EQUAL(glance.players.size(), all.players.size());
    for (std::size_t each = 0; each < all.players.size(); ++each) {
      BOOST_TEST(glance.players[each].name == all.players[each].name);
      BOOST_TEST(glance.players[each].team == all.players[each].team);
      BOOST_TEST((glance.players[each].userid == all.players[each].userid));
      check_facts(glance.players[each].facts, all.players[each].facts);
    }
  }
  return glance.facts.size() < all.facts.size();
}

}  // namespace tickreel::test
