// All verbs give the same verdict about a replay; data that publishers remove do not count as damage.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "random.hpp"
#include "shared_data.hpp"
#include "tickreel/sc2replay/anonymise.hpp"
#include "verdicts.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(verdict_test)

using namespace verdicts;

namespace {

std::vector<mpq::new_member> without(const std::vector<std::string_view>& names) {
  auto members = sample_members();
  std::erase_if(members, [&](const mpq::new_member& each) {
    return std::ranges::find(names, each.name) != names.end();
  });
  return members;
}

}  // namespace

BOOST_AUTO_TEST_CASE(info_verify_and_library_agree_about_damage) {
  auto random = seeded_random("info_verify_and_library_agree_about_damage");
  const auto whole = sample_members();
  check_agreement(judge(sample_file(whole)), "whole");
  std::size_t damaged = 0;
  for (int round = 0; round < 300; ++round) {
    auto members = whole;
    mpq::new_member& victim = members[random() % members.size()];
    if (victim.bytes.empty()) continue;
    const std::size_t at = random() % victim.bytes.size();
    if (random() % 3 == 0) {
      victim.bytes.resize(at);
    } else {
      victim.bytes[at] ^= static_cast<std::byte>(1 + random() % 255);
    }
    const judged found = judge(sample_file(members));
    check_agreement(found, victim.name + " at " + std::to_string(at));
    damaged += found.by_info == files::health::whole ? 0u : 1u;
  }
  BOOST_TEST(damaged > 20u);
  // Damage to the file itself: compressed contents, tables, checksums.
  const byte_vector file = sample_file(whole);
  for (int round = 0; round < 300; ++round) {
    byte_vector copy = file;
    copy[1024 + random() % (copy.size() - 1024)] ^= static_cast<std::byte>(1 + random() % 255);
    if (!files::open(byte_span(copy)).has_value()) continue;
    check_agreement(judge(copy), "round " + std::to_string(round));
  }
}

BOOST_AUTO_TEST_CASE(unreadable_details_are_damage_for_verify_too) {
  for (const char* name : {"replay.details", "replay.initData"}) {
    auto members = without({"replay.details.backup", "replay.initData.backup"});
    const auto victim = std::ranges::find(members, name, &mpq::new_member::name);
    victim->bytes.resize(victim->bytes.size() / 2);
    const judged found = judge(sample_file(members));
    BOOST_TEST(!found.by_verify.ok(), name);
    BOOST_TEST(has_finding(found, files::severity::error, name));
    check_agreement(found, name);
  }
}

BOOST_AUTO_TEST_CASE(a_stripped_replay_is_valid_and_lists_its_missing_members) {
  const judged found = judge(sample_file(without({"replay.message.events", "replay.attributes.events"})));
  BOOST_TEST((found.by_info == files::health::whole));
  BOOST_TEST(found.by_verify.ok());
  // The sample has no tracker events, but a replay of its version should.
  for (const char* name : {"replay.message.events", "replay.tracker.events", "replay.attributes.events"}) {
    BOOST_TEST(has_finding(found, files::severity::note, name), name);
  }
  const judged headless = judge(sample_file(without({"replay.game.events"})));
  BOOST_TEST(!headless.by_verify.ok());
  check_agreement(headless, "without game events");
}

BOOST_AUTO_TEST_CASE(empty_attributes_are_those_of_a_game_without_a_lobby) {
  auto members = sample_members();
  const auto found = std::ranges::find(members, "replay.attributes.events", &mpq::new_member::name);
  BOOST_REQUIRE((found != members.end()));
  found->bytes.clear();
  const byte_vector file = sample_file(members);
  const judged whole = judge(file);
  BOOST_TEST((whole.by_info == files::health::whole));
  BOOST_TEST(whole.by_verify.ok());
  check_agreement(whole, "empty attributes");
  const auto anonymous = sc2replay::anonymise(file);
  BOOST_REQUIRE(anonymous);
  BOOST_TEST((judge(anonymous->file).by_info == files::health::whole));
  // Less than a header is damage.
  found->bytes.resize(1);
  BOOST_TEST(!judge(sample_file(members)).by_verify.ok());
}

BOOST_AUTO_TEST_CASE(real_replays_are_valid_for_every_verb) {
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    const judged found = judge(read_file(each));
    BOOST_TEST(found.by_verify.ok(), each.filename().string());
    check_agreement(found, each.filename().string());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
