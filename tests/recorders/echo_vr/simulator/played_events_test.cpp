// Compares the events detected in simulated matches with those that the simulator played.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "random.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/echo_vr/simulator.hpp"

BOOST_AUTO_TEST_SUITE(echo_played_events_tests)
BOOST_AUTO_TEST_SUITE(played_events_test)

using namespace tickreel;
using echo_vr::match_simulator;
using echo_vr::simulation_options;

namespace {

// The part of an event in which both sides must agree. Players are compared separately; the second may be unknown.
struct event_key {
  std::uint64_t tick = 0;
  std::string what;  // type, sides, points
  std::vector<std::string> people;
  bool uncertain = false;
  std::uint32_t count = 1;
  friend bool operator<(const event_key& a, const event_key& b) {
    return std::tie(a.tick, a.what, a.people) < std::tie(b.tick, b.what, b.people);
  }
};

event_key event_key_of(std::uint64_t tick, const echo::event_data& what) {
  event_key made;
  made.tick = tick;
  made.what = echo::type_name(what.index());
  std::visit(
      [&](const auto& kind) {
        visit_fields(kind, [&](std::string_view, const auto& field) {
          using type = std::remove_cvref_t<decltype(field)>;
          if constexpr (std::is_same_v<type, echo::participant>) made.people.emplace_back(field.name.view());
        });
        if constexpr (requires { kind.blue_points; }) {
          made.what += " " + std::to_string(kind.blue_points) + ":" + std::to_string(kind.orange_points);
        }
        if constexpr (requires { kind.winner; }) made.what += " " + std::to_string(int(kind.winner));
        if constexpr (requires { kind.goal_type; }) {
          std::ostringstream text;
          text << ' ' << kind.goal_type.view() << ' ' << kind.points << ' ' << int(kind.team) << kind.bounced
               << ' ' << kind.distance_m << ' ' << kind.speed;
          made.what += text.str();
        }
        if constexpr (requires { kind.ended_by; }) made.what += " " + std::to_string(int(kind.ended_by));
        if constexpr (requires { kind.requested_by; })
          made.what += " " + std::to_string(int(kind.requested_by));
        if constexpr (requires { kind.has_details; }) made.what += kind.has_details ? " local" : "";
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(kind)>, echo::restart_requested>) {
          made.what += " " + std::to_string(int(kind.team));
        }
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(kind)>, echo::payload_changed>) {
          made.what += " " + std::to_string(int(kind.state)) + "/" + std::to_string(kind.checkpoint);
        }
      },
      what);
  return made;
}

struct collector final : echo::event_listener {
  std::vector<echo::event> all;
  void happened(const echo::event& one) noexcept override { all.push_back(one); }
};

std::vector<event_key> found_in(const collector& from) {
  std::vector<event_key> made;
  for (const echo::event& one : from.all) {
    // The simulator has no list of these; tests/encoders/echo/movement_events_test.cpp creates them by hand.
    if (std::holds_alternative<echo::team_joust>(one.what)) continue;
    // A stun is reported once its victim is known, with the time since; 30 ticks per second.
    const bool is_stun = std::holds_alternative<echo::stun>(one.what);
    const auto late_ticks = is_stun ? static_cast<std::uint64_t>(one.late_ms * 30 + 500) / 1000 : 0;
    made.push_back(event_key_of(one.tick - late_ticks, one.what));
    made.back().uncertain = one.uncertain;
    made.back().count = one.count;
  }
  return made;
}

std::vector<event_key> played_in(const match_simulator& simulator) {
  std::vector<event_key> made;
  for (const echo_vr::played_event& one : simulator.played())
    made.push_back(event_key_of(one.tick, one.what));
  return made;
}

std::string text_of(const event_key& one) {
  std::string text = std::to_string(one.tick) + " " + one.what;
  for (const std::string& each : one.people) text += " [" + each + "]";
  return text;
}

// All events that only one side has.
std::vector<std::string> differences(std::vector<event_key> played, std::vector<event_key> found) {
  // Other participants are compared separately: of two simultaneous stuns the pairs are ambiguous.
  const auto shorten = [](std::vector<event_key>& all) {
    for (event_key& one : all) one.people.resize(std::min<std::size_t>(one.people.size(), 1));
    std::sort(all.begin(), all.end());
  };
  shorten(played);
  shorten(found);
  std::vector<event_key> missing, invented;
  std::set_difference(played.begin(), played.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), played.begin(), played.end(), std::back_inserter(invented));
  std::vector<std::string> text;
  for (const event_key& one : missing) text.push_back("missing: " + text_of(one));
  for (const event_key& one : invented) text.push_back("invented: " + text_of(one));
  return text;
}

simulation_options match_of(std::uint64_t seed, echo::mode mode = echo::mode::arena) {
  simulation_options options;
  options.seed = seed;
  options.mode = mode;
  options.rate_hz = 30;
  options.match_seconds = 300;
  options.bones = false;
  options.players_per_team = 1 + static_cast<std::uint32_t>(seed % 5);
  options.keep_played = true;
  return options;
}

template <class Keep>
void play(match_simulator& simulator, collector& into, Keep keep) {
  echo::event_detector detector;
  const auto tick = std::make_unique<echo::state>();
  for (std::uint64_t number = 0; simulator.next(*tick); ++number) {
    if (keep()) detector.see(number, *tick, into);
  }
  detector.finish(into);
}

bool must_be_found(const std::string& what) {
  return what.starts_with("goal") || what.starts_with("save") || what.starts_with("stun");
}

}  // namespace

BOOST_AUTO_TEST_CASE(exactly_the_played_events_are_detected) {
  std::map<std::string, int> kinds;
  int partners = 0, known_partners = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    match_simulator simulator(match_of(seed));
    collector into;
    play(simulator, into, [] { return true; });
    const std::vector<event_key> played = played_in(simulator);
    const std::vector<event_key> found = found_in(into);
    const auto wrong = differences(played, found);
    for (std::size_t i = 0; i < wrong.size() && i < 5; ++i) BOOST_ERROR("seed " << seed << ": " << wrong[i]);
    for (const event_key& one : played) ++kinds[one.what.substr(0, one.what.find(' '))];
    // Every player named besides the first is correct.
    std::multimap<std::string, std::string> truth;
    for (const event_key& one : played) {
      if (one.people.size() == 2) {
        truth.emplace(std::to_string(one.tick) + one.what + one.people[0], one.people[1]);
      }
    }
    for (const event_key& one : found) {
      BOOST_TEST(one.uncertain == (one.count != 1), "seed " << seed << ": " << text_of(one));
      if (one.people.size() != 2) continue;
      const auto it = truth.find(std::to_string(one.tick) + one.what + one.people[0]);
      if (it == truth.end() || it->second.empty()) continue;
      ++partners;
      if (one.people[1].empty()) continue;
      ++known_partners;
      BOOST_TEST(one.people[1] == it->second, "seed " << seed << ": " << text_of(one));
    }
  }
  for (const auto& [kind, count] : kinds) std::cout << kind << ' ' << count << '\n';
  std::cout << "others named: " << known_partners << " of " << partners << '\n';
  BOOST_TEST(known_partners * 100 >= partners * 99);
  // The simulator plays every kind of event of arena matches.
  for (std::size_t type = 0; type < echo::event_type_count; ++type) {
    const std::string name(echo::type_name(type));
    const bool is_elsewhere =
        name == "payload_changed" || name == "team_joust" || name == "playspace_exceeded";
    if (!is_elsewhere) BOOST_TEST(kinds.contains(name), name);
  }
}

BOOST_AUTO_TEST_CASE(combat_events_contain_the_payload) {
  int payload_events = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    match_simulator simulator(match_of(seed, echo::mode::combat));
    collector into;
    play(simulator, into, [] { return true; });
    const auto wrong = differences(played_in(simulator), found_in(into));
    for (std::size_t i = 0; i < wrong.size() && i < 5; ++i) BOOST_ERROR("seed " << seed << ": " << wrong[i]);
    for (const event_key& one : found_in(into)) payload_events += one.what.starts_with("payload_changed");
  }
  BOOST_TEST(payload_events > 100);
}

BOOST_AUTO_TEST_CASE(a_tenth_of_the_ticks_lost) {
  auto random = test::seeded_random("ticks lost");
  std::map<std::string, int> played_counts, right, invented;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    match_simulator simulator(match_of(seed));
    collector into;
    play(simulator, into, [&] { return random() % 10 != 0; });
    // The player and the tick: an event may be reported at a later tick than it happened.
    std::multimap<std::string, std::uint64_t> seen;
    for (const event_key& one : found_in(into)) {
      if (!must_be_found(one.what)) continue;
      for (std::uint32_t i = 0; i < one.count; ++i) seen.emplace(one.what + one.people[0], one.tick);
    }
    for (const event_key& one : played_in(simulator)) {
      if (!must_be_found(one.what)) continue;
      const std::string kind = one.what.substr(0, 4);
      ++played_counts[kind];
      const auto [from, to] = seen.equal_range(one.what + one.people[0]);
      const auto match = std::find_if(from, to, [&](const auto& each) {
        return each.second >= one.tick && each.second <= one.tick + 20;
      });
      if (match == to) continue;
      ++right[kind];
      seen.erase(match);
    }
    for (const auto& [what, tick] : seen) ++invented[what.substr(0, 4)];
  }
  for (const auto& [kind, count] : played_counts) {
    std::cout << kind << ": " << right[kind] << " of " << count << ", invented " << invented[kind] << '\n';
    BOOST_TEST(right[kind] * 100 >= count * 99, kind);
    BOOST_TEST(invented[kind] * 1000 <= count, kind);
  }
}

// Public matches leave some counters at 0.
BOOST_AUTO_TEST_CASE(uncounted_actions_are_detected_by_possession) {
  int played_passes = 0, found_passes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    match_simulator simulator(match_of(seed));
    collector into;
    echo::event_detector detector;
    const auto tick = std::make_unique<echo::state>();
    for (std::uint64_t number = 0; simulator.next(*tick); ++number) {
      for (echo::player& one : tick->players) {
        one.stats.passes = one.stats.catches = one.stats.interceptions = 0;
      }
      detector.see(number, *tick, into);
    }
    detector.finish(into);
    std::multimap<std::string, std::int64_t> played;
    for (const event_key& one : played_in(simulator)) {
      if (one.what == "pass" || one.what == "catch" || one.what == "interception") {
        played.emplace(one.what + one.people[0] + one.people[1], static_cast<std::int64_t>(one.tick));
        ++played_passes;
      }
    }
    for (const echo::event& each : into.all) {
      const event_key one = event_key_of(each.tick, each.what);
      if (one.what != "pass" && one.what != "catch" && one.what != "interception") continue;
      BOOST_TEST((each.derived_from == echo::event_source::possession));
      const auto [from, to] = played.equal_range(one.what + one.people[0] + one.people[1]);
      const auto happened = std::find_if(from, to, [&](const auto& it) {
        const std::int64_t late_ms = (static_cast<std::int64_t>(each.tick) - it.second) * 1000 / 30;
        return std::abs(late_ms - each.late_ms) <= 1;
      });
      BOOST_TEST((happened != to), "seed " << seed << " invented " << text_of(one));
      if (happened == to) continue;
      played.erase(happened);
      ++found_passes;
    }
  }
  BOOST_TEST(played_passes > 400);
  BOOST_TEST(found_passes == played_passes);
}

BOOST_AUTO_TEST_CASE(detection_allocates_nothing) {
  simulation_options options = match_of(3);
  options.keep_played = false;
  match_simulator simulator(options);
  struct counting final : echo::event_listener {
    std::uint64_t events = 0;
    void happened(const echo::event&) noexcept override { ++events; }
  } into;
  echo::event_detector detector;
  const auto tick = std::make_unique<echo::state>();
  std::uint64_t number = 0;
  std::uint64_t taken = 0;
  while (simulator.next(*tick)) {
    const std::uint64_t before = test::allocation_count_of_this_thread();
    detector.see(number++, *tick, into);
    taken += test::allocation_count_of_this_thread() - before;
  }
  BOOST_TEST(into.events > 100u);
  if (test::counts_allocations) BOOST_TEST(taken == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
