// Events as sentences for people.
#include "tickreel/echo/sentence.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <utility>
#include <variant>

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(sentence_test)

using namespace tickreel;

namespace {

echo::participant called(std::string_view name, echo::side team = echo::side::blue) {
  echo::participant one;
  one.name.assign(name);
  one.slot = 3;
  one.team = team;
  return one;
}

template <class Type>
std::string said_of(const Type& what) {
  echo::event happened;
  happened.what = what;
  return echo::sentence(happened);
}

template <std::size_t... Types>
void each_is_a_sentence(std::index_sequence<Types...>) {
  const auto look = [](const std::string& said, std::string_view type) {
    BOOST_TEST_CONTEXT(type << ": " << said) {
      BOOST_TEST(said != type);
      BOOST_TEST(said.find(' ') != std::string::npos);
      BOOST_TEST(said.find('_') == std::string::npos);
    }
  };
  (look(said_of(std::variant_alternative_t<Types, echo::event_data>{}),
        std::variant_alternative_t<Types, echo::event_data>::type_name),
   ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_type_has_a_sentence_for_any_fields) {
  each_is_a_sentence(std::make_index_sequence<echo::event_type_count>{});
}

BOOST_AUTO_TEST_CASE(participants_are_named) {
  const echo::participant ann = called("ann");
  const echo::participant bob = called("bob", echo::side::orange);
  BOOST_TEST(said_of(echo::stun{ann, bob}) == "ann stunned bob");
  BOOST_TEST(said_of(echo::stun{ann, {}}) == "ann stunned somebody");
  BOOST_TEST(said_of(echo::save{ann, bob}) == "Save by ann against bob");
  BOOST_TEST(said_of(echo::save{ann, {}}) == "Save by ann");
  BOOST_TEST(said_of(echo::disc_passed{ann, bob}) == "ann passed the disc to bob");
  BOOST_TEST(said_of(echo::steal{ann, bob}) == "ann stole the disc from bob");
  BOOST_TEST(said_of(echo::possession_changed{{}, ann}) == "Nobody has the disc after ann");
  BOOST_TEST(said_of(echo::team_changed{bob, echo::side::blue}) == "bob went from blue to orange");
  BOOST_TEST(said_of(echo::player_joined{ann}) == "ann joined blue");
  BOOST_TEST(said_of(echo::team_joust{ann, echo::side::blue, false, 2.5f, 18, 16}) ==
             "ann crossed the middle first for blue in 2.5 s, at up to 18.0 m/s");
  BOOST_TEST(said_of(echo::playspace_exceeded{ann, 2}) == "ann moved 2.0 m away from the own playspace");
  BOOST_TEST(said_of(echo::ping_spike{ann, 210, 40}) == "The ping of ann is 210 ms; usually it is 40");
  BOOST_TEST(said_of(echo::match_ended{3, 5, echo::side::orange}) == "The match ended 3:5: orange won");
  BOOST_TEST(said_of(echo::match_ended{5, 5, echo::side::none}) == "The match ended 5:5");
  echo::participant nameless;
  nameless.slot = 4;
  BOOST_TEST(said_of(echo::stun_blocked{nameless}) == "player 4 blocked a stun");
  // A name cannot reverse the text direction of the sentence or add markup.
  echo::event wicked;
  echo::stun stunned{ann, bob};
  stunned.player.name.assign("[x](http://y)");
  stunned.victim.name.assign("a\u202Eb||c||\n");
  wicked.what = stunned;
  BOOST_TEST(echo::sentence(wicked) == "[x](http://y) stunned ab||c||");
  BOOST_TEST(echo::sentence(wicked, echo::name_style::markdown) ==
             "\\[x\\]\\(http\\:\\/\\/y\\) stunned ab\\|\\|c\\|\\|");
  echo::match_started began;
  began.map_name.assign("mpl_arena_a");
  BOOST_TEST(said_of(began) == "A match began on mpl_arena_a");
  echo::goal scored;
  scored.player = ann;
  scored.assist = bob;
  scored.points = 2;
  scored.speed = 14.1f;
  scored.distance_m = 9.8f;
  scored.blue_points = 5;
  scored.orange_points = 3;
  BOOST_TEST(said_of(scored) == "Goal by ann (assist: bob): 2 points, 14.1 m/s, 9.8 m. 5:3");
  scored.speed = std::numeric_limits<float>::infinity();
  scored.distance_m = std::numeric_limits<float>::max();
  BOOST_TEST(said_of(scored).ends_with(". 5:3"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
