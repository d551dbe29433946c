// Values that a .butter cannot store, in the file beside it.
#include "tickreel/echo/extra.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(extra_test)

using namespace tickreel;

namespace {

echo::state tick_of(std::uint32_t number) {
  echo::state tick;
  auto& match = tick.match;
  match.fields = echo::session::has_sessionid | echo::session::has_map_name |
                 echo::session::has_tournament_match | echo::session::has_disc |
                 echo::session::has_disc_bounce_count | echo::session::has_teams |
                 echo::session::has_game_status;
  match.sessionid.assign("S");
  match.map_name.assign("mpl_arena_a");
  match.game_status.assign("playing");
  match.tournament_match = number >= 5;
  match.disc.bounce_count = static_cast<std::int32_t>(number / 10);
  match.team_count = 3;
  for (std::size_t i = 0; i < 2; ++i) {
    match.teams[i].fields = echo::team::has_name | echo::team::has_players;
    match.teams[i].name.assign(number < 20 ? "A \"\n\xff" : "caf\xc3\xa9");
  }
  if (number >= 15) match.fields |= echo::session::has_overtime_timer;
  match.overtime_timer = number >= 15 ? 1.25f : 0;
  return tick;
}

std::string text_of(const echo::state& tick) {
  const auto part = std::make_unique<echo::state>();
  echo::take_extra(tick, *part);
  std::string text;
  echo::append_session_json(*part, echo::json_shape::api, echo::number_style::shortest, text);
  return text;
}

std::string written(std::uint32_t ticks) {
  echo::extra_writer out;
  for (std::uint32_t i = 0; i < ticks; ++i) out.see(tick_of(i));
  return out.file_text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(extra_values_round_trip_tick_by_tick) {
  const std::string text = written(40);
  auto in = echo::extra_reader::open(text);
  BOOST_REQUIRE_MESSAGE(in, text);
  BOOST_TEST(in->ticks() == 40u);
  BOOST_TEST(in->until() == 40u);
  BOOST_TEST(in->sessionid() == "S");
  for (std::uint32_t i = 0; i < 40; ++i) {
    const echo::state whole = tick_of(i);
    echo::state bare = whole;  // as a .butter stores it
    bare.match.fields &= ~(echo::session::has_tournament_match | echo::session::has_disc_bounce_count |
                           echo::session::has_overtime_timer);
    bare.match.tournament_match = false;
    bare.match.disc.bounce_count = 0;
    bare.match.overtime_timer = 0;
    for (auto& each : bare.match.teams) {
      each.name = {};
      each.fields &= static_cast<std::uint8_t>(~echo::team::has_name);
    }
    BOOST_REQUIRE(in->apply(i, bare));
    // A byte that is not valid UTF-8 becomes U+FFFD, as in every JSON.
    if (i >= 20) {
      BOOST_TEST(text_of(bare) == text_of(whole), i);
      BOOST_TEST(bare.match.fields == whole.match.fields);
    }
    BOOST_TEST(bare.match.disc.bounce_count == whole.match.disc.bounce_count);
    BOOST_TEST(bare.match.tournament_match == whole.match.tournament_match);
  }
  // Only at changes: at 0, 5, 10, 15, 20 and 30.
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = text.find("{\"tick\":", at)) != std::string::npos; ++at) ++lines;
  BOOST_TEST(lines == 6u);
}

BOOST_AUTO_TEST_CASE(the_absence_of_extra_values_is_stored) {
  echo::extra_writer out;
  const auto tick = std::make_unique<echo::state>();
  for (int i = 0; i < 3; ++i) out.see(*tick);
  BOOST_TEST(out.is_empty());
  const std::string text = out.file_text();
  auto in = echo::extra_reader::open(text);
  BOOST_REQUIRE_MESSAGE(in, text);
  BOOST_TEST(in->ticks() == 3u);
  BOOST_REQUIRE(in->apply(0, *tick));
  BOOST_TEST(tick->match.fields == 0u);
}

BOOST_AUTO_TEST_CASE(values_over_the_limit_are_counted) {
  echo::extra_writer out(600);
  for (std::uint32_t i = 0; i < 40; ++i) out.see(tick_of(i));
  BOOST_TEST(out.lost_ticks() > 0u);
  const std::string text = out.file_text();
  auto in = echo::extra_reader::open(text);
  BOOST_REQUIRE(in);
  BOOST_TEST(in->until() == 40 - out.lost_ticks());
  echo::state tick;
  BOOST_REQUIRE(in->apply(39, tick));
  BOOST_TEST(tick.match.fields == 0u);
}

BOOST_AUTO_TEST_CASE(invalid_files_are_rejected) {
  for (const char* text : {"", "{}", "{\"tickreel_extra\":", "{\"tickreel_extra\":1", "[]"}) {
    BOOST_TEST(!echo::extra_reader::open(text), text);
  }
  const auto later = echo::extra_reader::open("{\"tickreel_extra\":2,\"ticks\":1}\n");
  BOOST_REQUIRE(!later);
  BOOST_TEST((later.error().code == error_code::unsupported_version));
}

BOOST_AUTO_TEST_CASE(damaged_files_only_cause_errors) {
  const std::string text = written(40);
  const auto tick = std::make_unique<echo::state>();
  const auto use = [&](const std::string& damaged) {
    auto in = echo::extra_reader::open(damaged);
    if (!in) return;
    for (std::uint32_t i = 0; i < 40; ++i) {
      if (!in->apply(i, *tick)) return;
    }
  };
  for (std::size_t size = 0; size < text.size(); ++size) use(text.substr(0, size));
  auto random = test::seeded_random("damaged extras");
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (int change = 0; change < 3; ++change)
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    use(damaged);
  }
  // Lines out of order, and one after the end.
  const auto head = text.substr(0, text.find('\n') + 1);
  const std::string line = "{\"tick\":3,\"session\":{}}";
  BOOST_REQUIRE(echo::extra_reader::open(head + line + "\n]}\n"));
  const std::string same_line_twice = head + line + ",\n" + line + "\n]}\n";
  auto twice = echo::extra_reader::open(same_line_twice);
  BOOST_REQUIRE(twice);
  BOOST_TEST(!twice->apply(5, *tick));
  BOOST_TEST(twice->apply(6, *tick).has_value());  // one copy is enough
  BOOST_TEST(!echo::extra_reader::open(head + "{\"tick\":40,\"session\":{}}\n]}\n"));
  BOOST_TEST(!echo::extra_reader::open(head + std::string(1 << 20, '\n')));
  BOOST_TEST(!echo::extra_reader::open(head + std::string(1 << 20, ' ')));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
