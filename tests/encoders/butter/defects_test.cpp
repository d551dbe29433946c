// Defects of the reference writer, one test each, numbered as in docs/formats/butter.md.
#include <boost/test/unit_test.hpp>

#include "round_trip.hpp"
#include "small_match.hpp"
#include "state_difference.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(defects_test)

using test::match_of;
using test::opening;
using test::through_file;

BOOST_AUTO_TEST_CASE(d01_uniform_motion_does_not_freeze) {
  const auto states = match_of(20, opening(), [](echo::state& s, std::size_t i) {
    s.match.disc.at.position.z = 0.5f * static_cast<float>(i);
    s.match.disc.velocity = {0, 0, 15};
    s.players[2].head.position.x = 0.25f * static_cast<float>(i);
    s.match.vr.at.position.y = 0.125f * static_cast<float>(i);
  });
  const auto back = through_file(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    BOOST_TEST(back[i].match.disc.at.position.z == states[i].match.disc.at.position.z);
    BOOST_TEST(back[i].players[2].head.position.x == states[i].players[2].head.position.x);
    BOOST_TEST(back[i].match.vr.at.position.y == states[i].match.vr.at.position.y);
  }
}

BOOST_AUTO_TEST_CASE(d02_errors_do_not_add_up_and_a_keyframes_error_lasts_one_frame) {
  const auto states = match_of(301, opening(), [](echo::state& s, std::size_t i) {
    const auto t = static_cast<double>(i);
    s.players[0].head.position = {static_cast<float>(37.123 + 2 * std::sin(t / 20)),
                                  static_cast<float>(-5.777 + 0.013 * t),
                                  static_cast<float>(61.031 - 0.07 * t)};
  });
  const auto back = through_file(states);
  BOOST_TEST(test::distance(back[0].players[0].head.position, states[0].players[0].head.position) > 0.001);
  for (std::size_t i = 1; i < 300; ++i) {
    BOOST_TEST(test::distance(back[i].players[0].head.position, states[i].players[0].head.position) < 0.0002);
  }
}

BOOST_AUTO_TEST_CASE(d03_slow_changes_of_velocity_are_written_in_the_end) {
  const auto states = match_of(200, opening(), [](echo::state& s, std::size_t i) {
    s.players[1].velocity.x = 0.005f * static_cast<float>(i);
    s.match.disc.velocity.y = 0.005f * static_cast<float>(i);
  });
  const auto back = through_file(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    BOOST_TEST(std::fabs(back[i].players[1].velocity.x - states[i].players[1].velocity.x) < 0.0121f);
    BOOST_TEST(std::fabs(back[i].match.disc.velocity.y - states[i].match.disc.velocity.y) < 0.0121f);
  }
}

BOOST_AUTO_TEST_CASE(d04_bones_do_not_turn_away) {
  const auto states = match_of(300, opening(), [](echo::state& s, std::size_t i) {
    test::give_bones(s, 3, 0.004 * static_cast<double>(i));
  });
  const auto back = through_file(states);
  test::closeness sum;
  for (std::size_t i = 0; i < states.size(); ++i) sum.add(states[i], back[i]);
  BOOST_TEST(sum.bone_degrees.count() == 300u * 3 * 23);
  BOOST_TEST(sum.bone_degrees.most() < 0.36);
  BOOST_TEST(sum.bone_m.most() < 0.00061);
}

BOOST_AUTO_TEST_CASE(d05_keyframes_hold_whole_bones) {
  const auto states = match_of(30, opening(), [](echo::state& s, std::size_t i) {
    test::give_bones(s, 2, 0.02 * static_cast<double>(i));
  });
  const auto file = test::write_butter(states, 10);
  auto reader = butter::reader::open(file.bytes);
  BOOST_REQUIRE(reader.has_value());
  echo::state out;
  BOOST_REQUIRE(reader->seek_chunk(2).has_value());
  BOOST_REQUIRE(reader->next(out).value());
  test::closeness sum;
  sum.add(states[20], out);
  BOOST_TEST(sum.bone_degrees.most() < 0.36);
  BOOST_TEST(sum.bone_m.most() < 0.00061);
}

BOOST_AUTO_TEST_CASE(d06_the_number_of_bone_players_may_change) {
  const std::size_t counts[] = {2, 2, 3, 3, 1, 1, 0, 4, 4, 2};
  const auto states = match_of(std::size(counts), opening(), [&](echo::state& s, std::size_t i) {
    test::give_bones(s, counts[i], 0.02 * static_cast<double>(i));
    if (i == 8) s.bones = echo::bones_kind::absent;
  });
  const auto back = through_file(states);
  test::closeness sum;
  for (std::size_t i = 0; i < states.size(); ++i) {
    BOOST_TEST((back[i].bones == states[i].bones));
    if (i == 8) continue;
    BOOST_TEST(back[i].bone_player_count == counts[i]);
    sum.add(states[i], back[i]);
  }
  BOOST_TEST(sum.bone_degrees.most() < 0.36);
}

BOOST_AUTO_TEST_CASE(d07_team_statistics_are_whole) {
  const auto states = match_of(20, opening(), [](echo::state& s, std::size_t i) {
    s.match.teams[0].stats.points = static_cast<std::int32_t>(i / 3);
    s.match.teams[1].stats.stuns = static_cast<std::int32_t>(20 * i);
    s.match.teams[2].stats.saves = 7;
  });
  const auto back = through_file(states, 8);
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (std::size_t t = 0; t < 3; ++t) {
      BOOST_TEST((back[i].match.teams[t].stats == states[i].match.teams[t].stats));
    }
  }
}

BOOST_AUTO_TEST_CASE(d08_pause_timers_are_whole) {
  const auto states = match_of(12, opening(), [](echo::state& s, std::size_t i) {
    s.match.pause.state.assign(i < 6 ? "paused" : "unpausing");
    s.match.pause.paused_timer = i < 6 ? 0.25f * static_cast<float>(i) : 0;
    s.match.pause.unpaused_timer = i < 6 ? 0 : 0.5f * static_cast<float>(i);
  });
  const auto back = through_file(states, 5);
  for (std::size_t i = 0; i < states.size(); ++i) {
    BOOST_TEST(back[i].match.pause.paused_timer == states[i].match.pause.paused_timer);
    BOOST_TEST(back[i].match.pause.unpaused_timer == states[i].match.pause.unpaused_timer);
    BOOST_TEST(back[i].match.pause.state.view() == states[i].match.pause.state.view());
  }
}

BOOST_AUTO_TEST_CASE(d09_combat_points_stay) {
  auto first = opening("mpl_combat_dyson");
  first.match.blue_points = 12.5f;
  first.match.orange_points = 40;
  const auto states = match_of(10, first, [](echo::state&, std::size_t) {});
  for (const echo::state& back : through_file(states)) {
    BOOST_TEST(back.match.blue_points == 12.5f);
    BOOST_TEST(back.match.orange_points == 40);
  }
}

BOOST_AUTO_TEST_CASE(d10_statistics_may_decrease_and_jump) {
  const std::int32_t values[] = {0, 10, 2, 2, 250, 255, 700, 700, 700, 0, 1};
  const auto states = match_of(std::size(values), opening(), [&](echo::state& s, std::size_t i) {
    s.players[3].stats.points = values[i];
    s.players[3].stats.stuns = values[i] * 50;
  });
  const auto file = test::write_butter(states, 300);
  const auto back = test::read_butter(file.bytes).states;
  BOOST_REQUIRE_EQUAL(back.size(), states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    // An increase of more than 255 takes two frames.
    if (i != 6) BOOST_TEST(back[i].players[3].stats.points == values[i]);
    BOOST_TEST(back[i].players[3].stats.stuns == values[i] * 50);
  }
  BOOST_TEST(file.left_out.forced_keyframes == 2u);
}

BOOST_AUTO_TEST_CASE(d11_time_may_jump_and_run_backwards) {
  const std::int64_t times[] = {0, 33, 70'033, 70'066, 69'566, 135'101, 135'102, -5'000'000, -4'999'999};
  const auto states = match_of(std::size(times), opening(), [&](echo::state& s, std::size_t i) {
    s.recorded_time_ms = 1'700'000'000'000 + times[i];
  });
  const auto back = through_file(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    BOOST_TEST(back[i].recorded_time_ms == states[i].recorded_time_ms);
  }
}

BOOST_AUTO_TEST_CASE(d12_players_may_change_their_names) {
  const auto states = match_of(10, opening(), [](echo::state& s, std::size_t i) {
    if (i >= 5) s.players[1].name.assign("Basalt+");
    s.players[1].stats.points = static_cast<std::int32_t>(i);
    s.players[1].head.position.x = static_cast<float>(i);
    // The name of another player.
    if (i == 9) s.players[0].name.assign("drift");
  });
  const auto back = through_file(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      BOOST_TEST(back[i].players[p].name.view() == states[i].players[p].name.view());
      BOOST_TEST(back[i].players[p].userid == states[i].players[p].userid);
      BOOST_TEST(back[i].players[p].stats.points == states[i].players[p].stats.points);
    }
    BOOST_TEST(std::fabs(back[i].players[1].head.position.x - static_cast<float>(i)) < 0.0002f);
  }
}

BOOST_AUTO_TEST_CASE(d13_bots_may_share_a_userid) {
  const auto states = match_of(10, opening(), [](echo::state& s, std::size_t i) {
    for (std::size_t p = 1; p < 4; ++p) {
      s.players[p].userid = 0;
      s.players[p].ping = static_cast<std::int32_t>(10 * p + i);
      s.players[p].body.position.y = static_cast<float>(p) + 0.25f * static_cast<float>(i);
      s.players[p].stats.goals = static_cast<std::int32_t>(p);
    }
  });
  const auto back = through_file(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      BOOST_TEST(back[i].players[p].name.view() == states[i].players[p].name.view());
      BOOST_TEST(back[i].players[p].ping == states[i].players[p].ping);
      BOOST_TEST(back[i].players[p].stats.goals == states[i].players[p].stats.goals);
      BOOST_TEST(std::fabs(back[i].players[p].body.position.y - states[i].players[p].body.position.y) <
                 0.002f);
    }
  }
}

BOOST_AUTO_TEST_CASE(d14_players_may_be_absent_for_a_frame) {
  const auto states = match_of(9, opening(), [](echo::state& s, std::size_t i) {
    s.players[3].stats.saves = 5;
    s.players[3].holding_left.what = echo::holding::disc;
    if (i % 3 == 1) {
      --s.match.player_count;
      --s.match.teams[1].player_count;
    }
  });
  const auto back = through_file(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    BOOST_REQUIRE_EQUAL(back[i].match.player_count, states[i].match.player_count);
    if (i % 3 == 1) continue;
    BOOST_TEST(back[i].players[3].stats.saves == 5);
    BOOST_TEST((back[i].players[3].holding_left.what == echo::holding::disc));
  }
}

BOOST_AUTO_TEST_CASE(d15_values_without_a_code_become_the_nearest_one) {
  echo::state odd = opening("mpl_somewhere_else");
  odd.match.sessionip.assign("fe80::1");
  odd.match.sessionid.assign("not-an-id");
  odd.match.client_name = {};
  odd.match.game_status.assign("halftime");
  odd.match.pause = {};
  odd.match.fields &= ~std::uint64_t{echo::session::has_pause | echo::session::has_player |
                                     echo::session::has_last_score | echo::session::has_disc};
  odd.match.team_count = 1;
  const auto back = through_file(match_of(3, odd, [](echo::state&, std::size_t) {}));
  BOOST_TEST(back[2].match.map_name.view() == "uncoded");
  BOOST_TEST(back[2].match.sessionip.view() == "0.0.0.0");
  BOOST_TEST(back[2].match.sessionid.view() == "00000000-0000-0000-0000-000000000000");
  BOOST_TEST(back[2].match.game_status.view() == "NOT FOUND");
  BOOST_TEST(back[2].match.pause.state.view() == "none");
  BOOST_TEST(back[2].match.player_count == 4);

  echo::state combat = opening("mpl_combat_gauss");
  combat.players[0].weapon.assign("railgun");
  combat.players[1].weapon.assign("assault");
  combat.players[1].arm.assign("Right");
  const auto fought = through_file(match_of(2, combat, [](echo::state&, std::size_t) {}));
  BOOST_TEST(fought[1].players[0].weapon.view() == "rocket");
  BOOST_TEST(fought[1].players[1].weapon.view() == "assault");
  BOOST_TEST(fought[1].players[1].arm.view() == "Right");

  // In arena an absent disc or score stays absent, and may change between present and absent.
  const auto arena = match_of(8, opening(), [](echo::state& s, std::size_t i) {
    if (i < 2 || i == 5)
      s.match.fields &= ~std::uint64_t{echo::session::has_disc | echo::session::has_disc_velocity};
    if (i < 3 || i == 6) s.match.fields &= ~std::uint64_t{echo::session::has_last_score};
  });
  const auto played = through_file(arena);
  constexpr std::uint64_t parts = echo::session::has_disc | echo::session::has_last_score;
  for (std::size_t i = 0; i < arena.size(); ++i) {
    BOOST_TEST((played[i].match.fields & parts) == (arena[i].match.fields & parts));
  }
}

BOOST_AUTO_TEST_CASE(d16_scores_are_clamped) {
  echo::state high = opening();
  high.match.blue_round_score = 17;
  high.match.orange_round_score = -3;
  high.match.blue_points = 300;
  const auto file = test::write_butter(std::vector{high}, 300);
  const auto back = test::read_butter(file.bytes).states;
  BOOST_TEST(back[0].match.blue_round_score == 15);
  BOOST_TEST(back[0].match.orange_round_score == 0);
  BOOST_TEST(back[0].match.blue_points == 255);
}

BOOST_AUTO_TEST_CASE(d17_number_and_level_are_the_last_values) {
  const auto states = match_of(6, opening(), [](echo::state& s, std::size_t i) {
    s.players[2].number = i == 0 || i == 5 ? 0 : 42;
    s.players[2].level = i == 0 || i == 5 ? 0 : 7;
  });
  const auto back = through_file(states);
  BOOST_TEST(back[0].players[2].number == 42);
  BOOST_TEST(back[0].players[2].level == 7);
}

BOOST_AUTO_TEST_CASE(d18_another_session_or_map_requires_another_file) {
  butter::encoder encoder;
  const echo::state first = opening();
  BOOST_TEST(!encoder.needs_new_file(first));
  byte_vector room(encoder.max_frame_size());
  byte_writer out(room);
  encoder.encode(first, frame_kind::keyframe, out);
  BOOST_TEST(!encoder.needs_new_file(first));
  echo::state other = first;
  other.match.map_name.assign("mpl_combat_dyson");
  BOOST_TEST(encoder.needs_new_file(other));
  other = first;
  other.match.sessionid.assign("56BEFA39-571C-1D29-4A8D-DE0F3C35612F");
  BOOST_TEST(encoder.needs_new_file(other));
}

BOOST_AUTO_TEST_CASE(d19_names_become_ascii) {
  echo::state first = opening();
  first.players[0].name.assign("Zo\u00EB\u0141\u65E5");
  const auto file = test::write_butter(std::vector{first, first}, 300);
  BOOST_TEST(test::read_butter(file.bytes).states[1].players[0].name.view() == "ZoeL?");
  BOOST_TEST(file.left_out.transliterated_names == 1u);
}

BOOST_AUTO_TEST_CASE(d22_invalid_directions) {
  const auto states = match_of(4, opening(), [](echo::state& s, std::size_t i) {
    if (i != 1) s.players[0].head.forward = {};
    s.players[1].body.up = s.players[1].body.forward;
    s.match.disc.at.forward.x = NAN;
    s.match.disc.at.position.x = i == 2 ? INFINITY : 1;
    test::give_bones(s, 1, 0);
    s.bone_players[0].rotations[3] = {0, 0, 0, 0};
    s.bone_players[0].rotations[4] = {NAN, 0, 0, 1};
    s.bone_players[0].rotations[5] = {3, 0, 0, 4};  // not of unit length
    s.bone_players[0].positions[6] = {NAN, 9, -9};
  });
  const auto back = through_file(states);
  for (const echo::state& state : back) {
    for (const echo::vec3& axis : {state.players[0].head.forward, state.players[1].body.up,
                                   state.match.disc.at.forward, state.match.disc.at.position}) {
      BOOST_TEST(std::isfinite(axis.x + axis.y + axis.z));
    }
    const auto& rotations = state.bone_players[0].rotations;
    BOOST_TEST(std::isfinite(rotations[3].x + rotations[4].x));
    BOOST_TEST(test::angle(rotations[5], echo::quat{0.6f, 0, 0, 0.8f}) < 0.36);
    BOOST_TEST(test::angle(rotations[6], states[0].bone_players[0].rotations[6]) < 0.36);
  }
  BOOST_TEST(back[2].match.disc.at.position.x == 1);
}

BOOST_AUTO_TEST_CASE(d23_restart_requests_last) {
  const auto states = match_of(9, opening(), [](echo::state& s, std::size_t i) {
    s.match.blue_team_restart_request = i >= 2 && i < 6;
    s.match.orange_team_restart_request = i == 4;
  });
  const auto back = through_file(states);
  for (std::size_t i = 0; i < states.size(); ++i) {
    BOOST_TEST(back[i].match.blue_team_restart_request == states[i].match.blue_team_restart_request);
    BOOST_TEST(back[i].match.orange_team_restart_request == states[i].match.orange_team_restart_request);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
