// Which recordings of a match count: the most complete one of each part.
#include "tickreel/files/session_choice.hpp"

#include "fixtures.hpp"
#include "tickreel/files/statistics.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(session_choice_test)

namespace {

using namespace tickreel;
using files::choice;
using files::session_recording;

constexpr std::int64_t minute_ms = 60'000;

session_recording recorded(std::string name, double from_minute, double to_minute, bool has_losses = false) {
  const auto at_ms = [](double minute) { return static_cast<std::int64_t>(minute * minute_ms); };
  return {.match = "match",
          .name = std::move(name),
          .started_ms = 1'657'998'298'159 + at_ms(from_minute),
          .duration_ms = at_ms(to_minute) - at_ms(from_minute),
          .has_losses = has_losses};
}

// "r1 r3": the names of those that count, and that they count for one match.
std::string counted(const std::vector<session_recording>& all) {
  std::string out;
  std::optional<std::size_t> whole;
  const auto choices = files::choose_recordings(all);
  for (std::size_t at = 0; at < all.size(); ++at) {
    BOOST_TEST((choices[at].outcome == choice::counts) == files::sentence(choices[at], all).empty());
    if (choices[at].outcome != choice::counts) continue;
    BOOST_TEST(choices[at].chosen == whole.value_or(choices[at].chosen));
    whole = choices[at].chosen;
    out += (out.empty() ? "" : " ") + all[at].name;
  }
  return out;
}

std::string sentence_of(std::size_t at, const std::vector<session_recording>& all) {
  return files::sentence(files::choose_recordings(all)[at], all);
}

}  // namespace

BOOST_AUTO_TEST_CASE(rounds_are_parts_of_one_match) {
  const std::vector<session_recording> rounds = {recorded("r2", 10.5, 20), recorded("r1", 0, 10),
                                                 recorded("r3", 20.001, 24)};
  BOOST_TEST(counted(rounds) == "r2 r1 r3");
  for (const auto& each : files::choose_recordings(rounds)) BOOST_TEST(each.is_part);
  BOOST_TEST(counted({recorded("r1", 0, 10), recorded("r3", 21, 30)}) == "r1 r3");
  // Clocks of two recorders that differ by less than a second.
  BOOST_TEST(counted({recorded("r1", 0, 10), recorded("r2", 9.99, 20)}) == "r1 r2");
}

BOOST_AUTO_TEST_CASE(a_part_counts_once) {
  BOOST_TEST(counted({recorded("r1", 0, 10), recorded("r2", 10.5, 20), recorded("r2b", 10.5, 20),
                      recorded("r1b", 0.2, 9)}) == "r1 r2");
  // Of recordings of one length the one without losses.
  BOOST_TEST(counted({recorded("r1", 0, 10, true), recorded("r1b", 0.001, 10.005), recorded("r2", 11, 20)}) ==
             "r1b r2");
  const std::vector<session_recording> with_whole = {recorded("r1", 0, 10), recorded("r2", 10.5, 20),
                                                     recorded("whole", 0, 20)};
  BOOST_TEST(counted(with_whole) == "whole");
  BOOST_TEST(!files::choose_recordings(with_whole)[2].is_part);
  BOOST_TEST(sentence_of(0, with_whole) == "not counted: whole contains the same match");
  // Also a recording of one tick.
  BOOST_TEST(counted({recorded("whole", 0, 20), recorded("tick", 5, 5)}) == "whole");
  BOOST_TEST(counted({recorded("short", 0, 0.01), recorded("later", 0.0001, 0.0101)}) == "short");
}

BOOST_AUTO_TEST_CASE(a_recording_that_overlaps_a_more_complete_one_is_reported) {
  const std::vector<session_recording> all = {recorded("late", 8, 20), recorded("r1", 0, 10)};
  BOOST_TEST(counted(all) == "late");
  BOOST_TEST(sentence_of(1, all) == "not counted: late, which is more complete, overlaps it");
}

// Older recordings of Echo VR contain local time.
BOOST_AUTO_TEST_CASE(recordings_of_other_time_zones_do_not_count_twice) {
  const std::vector<session_recording> all = {recorded("r1", 0, 10), recorded("r2", 10.5, 20),
                                              recorded("r1_east", 60, 70), recorded("whole_west", -60, -41)};
  BOOST_TEST(counted(all) == "r1 r2");
  BOOST_TEST(sentence_of(2, all) ==
             "not counted: r1 has the same session, and more than 15 minutes are missing between them");
  BOOST_TEST(counted({recorded("whole", 0, 20), recorded("east", 60, 80)}) == "whole");
}

BOOST_AUTO_TEST_CASE(recordings_without_a_time_are_no_parts) {
  std::vector<session_recording> all = {recorded("r1", 0, 10), recorded("r2", 11, 22)};
  all[0].started_ms = all[1].started_ms = std::nullopt;
  BOOST_TEST(counted(all) == "r2");
  all[0].started_ms = 5;
  BOOST_TEST(counted(all) == "r2");
}

BOOST_AUTO_TEST_CASE(a_match_in_parts_is_one_game) {
  files::match_rows part;
  part.format = "echo";
  part.players.resize(2);
  part.players[0].id = "1";
  part.players[1].id = "2";
  for (files::player_row& each : part.players) each.set(files::statistic::points, 2);
  files::statistics_sums sums;
  sums.add(part, 7);
  part.players[0].result = "won";
  part.players[1].result = "lost";
  sums.add(part, 7);
  part.players.pop_back();
  sums.add(part, 7);
  part.players[0].result.clear();
  sums.add(part, 8);
  sums.add(part);
  for (const auto* each : sums.by_player()) {
    const bool first = each->row.id == "1";
    BOOST_TEST(each->games == (first ? 3u : 1u));
    BOOST_TEST(each->won == (first ? 1u : 0u));
    BOOST_TEST(each->lost == (first ? 0u : 1u));
    BOOST_TEST(*each->row.get(files::statistic::points) == (first ? 10 : 4));
  }
  BOOST_TEST(sums.all().games == 4u);
  BOOST_TEST(sums.all().won == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
