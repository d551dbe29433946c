// Each fault is reported at its position, and nothing else is.
#include "tickreel/samp_rec/check.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "blocks.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(check_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

namespace {

template <class Block>
check_report checked(const std::vector<Block>& blocks, const check_options& options = {}) {
  return check(std::span<const Block>(blocks), options);
}

// Only findings of this kind, the first at this block.
void only(const check_report& report, check_kind kind, std::uint64_t block) {
  BOOST_TEST_CONTEXT(name(kind)) {
    BOOST_REQUIRE(!report.findings.empty());
    for (const check_finding& each : report.findings) BOOST_TEST((each.kind == kind), describe(each));
    BOOST_TEST(report.findings[0].block == block, describe(report.findings[0]));
    BOOST_TEST(report.counts[static_cast<std::size_t>(kind)] == report.total());
    BOOST_TEST(describe(report.findings[0]).starts_with("block " + std::to_string(block) + " at "));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(valid_recordings_pass) {
  for (const double speed : {1.0, 1.56, 4.0, 5.9}) {
    const auto report = checked(circle<on_foot_block>(10, speed, 1000, 40));
    for (const auto& each : report.findings) BOOST_TEST(describe(each) == "");
  }
  for (const double speed : {3.0, 10.0, 40.0}) {
    const auto report = checked(circle<vehicle_block>(60, speed, 1000));
    for (const auto& each : report.findings) BOOST_TEST(describe(each) == "");
    const check_statistics& facts = report.statistics;
    BOOST_TEST(facts.blocks == 1000u);
    BOOST_TEST(facts.last_time_ms == 49950u);
    BOOST_TEST(facts.moving_interval_ms.median == 50);
    BOOST_TEST(facts.moving_interval_ms.count == 999u);
    BOOST_TEST(std::abs(facts.displacement_per_velocity.median - 50) < 0.1);
    BOOST_TEST(std::abs(facts.rotation_length.median - 1) < 0.0002);
    BOOST_TEST(std::abs(facts.top_speed_m_per_s - speed) < 0.01 * speed);
    BOOST_TEST(std::abs(facts.path_length_m - speed * 49.95) < 0.01 * speed * 50);
    // Half of the rotation in a step.
    const double expected = speed * 0.025 / 60 * 180 / std::numbers::pi;
    BOOST_TEST(std::abs(facts.heading_error_degrees.median - expected) < 0.03 * expected + 0.01);
  }
  BOOST_TEST(checked(std::vector<vehicle_block>()).clean());
}

BOOST_AUTO_TEST_CASE(jumps) {
  auto blocks = circle<vehicle_block>();
  for (std::size_t i = 200; i < blocks.size(); ++i) blocks[i].position_m.x += 12;
  only(checked(blocks), check_kind::jump, 200);
  BOOST_TEST((checked(blocks).findings[0].severity == check_severity::error));
  BOOST_TEST(std::abs(checked(blocks).findings[0].measured - 12) < 0.1);
  BOOST_TEST(checked(blocks).findings[0].offset == 8u + 200 * 67);
  BOOST_TEST(checked(blocks).total() == 1u);

  auto walk = circle<on_foot_block>(10, 1.5);
  for (std::size_t i = 100; i < walk.size(); ++i) walk[i].position_m.y += 3;
  only(checked(walk), check_kind::jump, 100);
}

BOOST_AUTO_TEST_CASE(sideways_jumps_at_speed) {
  // 60 km/h, straight north: a delay explains 10 m along the path and none across.
  std::vector<vehicle_block> blocks(400);
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    blocks[i].time_ms = 50 * i;
    blocks[i].position_m.y = static_cast<float>(60 / 3.6 * 0.05 * i);
    set_gait(blocks[i], 60 / 3.6);
  }
  derive_velocities(std::span(blocks));
  BOOST_TEST(checked(blocks).clean());
  for (std::size_t i = 200; i < blocks.size(); ++i) blocks[i].position_m.x += 6;
  only(checked(blocks), check_kind::jump, 200);
  BOOST_TEST(!checked(blocks).passes());
  BOOST_TEST(describe(checked(blocks).findings[0]).find("jumps sideways") != std::string::npos);
  // Late blocks of a turning car.
  auto late = circle<vehicle_block>(40, 60 / 3.6);
  for (std::size_t i = 100; i < 110; ++i) late[i].time_ms = late[110].time_ms;
  BOOST_TEST(checked(late).passes());
}

BOOST_AUTO_TEST_CASE(a_jump_hidden_by_its_velocity) {
  auto blocks = circle<vehicle_block>();
  for (std::size_t i = 200; i < blocks.size(); ++i) blocks[i].position_m.x += 5;
  derive_velocities(std::span(blocks));
  only(checked(blocks), check_kind::jump, 199);
}

BOOST_AUTO_TEST_CASE(height_jumps) {
  auto blocks = circle<vehicle_block>();
  for (std::size_t i = 50; i < blocks.size(); ++i) blocks[i].position_m.z -= 2;
  only(checked(blocks), check_kind::height_jump, 50);
}

BOOST_AUTO_TEST_CASE(velocities_that_do_not_match_the_movement) {
  auto blocks = circle<vehicle_block>();
  for (auto& each : blocks) each.velocity_m_per_20ms = each.velocity_m_per_20ms * 1.6f;
  const auto fast = checked(blocks);
  // Evaluated over two seconds of the twenty, and once over all of them.
  BOOST_TEST(fast.counts[static_cast<std::size_t>(check_kind::speed_mismatch)] >= 9u);
  BOOST_TEST(fast.counts[static_cast<std::size_t>(check_kind::speed_scale)] == 1u);
  BOOST_TEST(fast.counts[static_cast<std::size_t>(check_kind::speed_mismatch)] + 1 == fast.total());
  BOOST_TEST(!fast.passes());
  for (auto& each : blocks) each.velocity_m_per_20ms = {};
  BOOST_TEST(checked(blocks).counts[static_cast<std::size_t>(check_kind::speed_mismatch)] >= 9u);
}

BOOST_AUTO_TEST_CASE(headings) {
  auto blocks = circle<vehicle_block>();
  for (auto& each : blocks) each.rotation = each.rotation * from_heading_degrees(90);
  only(checked(blocks), check_kind::heading_mismatch, 40);
  auto reversing = circle<vehicle_block>(60, 8);
  for (auto& each : reversing) each.rotation = each.rotation * from_heading_degrees(180);
  only(checked(reversing), check_kind::heading_mismatch, 40);
  for (auto& each : reversing) each.keys = bits(key::jump);
  BOOST_TEST(checked(reversing).clean());

  auto walk = circle<on_foot_block>(10, 1.5);
  for (auto& each : walk) each.rotation = each.rotation * from_heading_degrees(45);
  only(checked(walk), check_kind::heading_mismatch, 10);
  for (auto& each : walk) each.keys = each.keys | key::aim;
  BOOST_TEST(checked(walk).clean());
}

BOOST_AUTO_TEST_CASE(turn_rates) {
  auto blocks = circle<vehicle_block>(30, 4, 100);
  for (std::size_t i = 41; i < 43; ++i) blocks[i].rotation = blocks[i].rotation * from_heading_degrees(40);
  only(checked(blocks), check_kind::turn_rate, 42);
}

BOOST_AUTO_TEST_CASE(times) {
  auto blocks = circle<vehicle_block>();
  blocks[100].time_ms = blocks[99].time_ms;
  only(checked(blocks), check_kind::equal_times, 100);
  BOOST_TEST((checked(blocks).findings[0].severity == check_severity::note));
  blocks[100].time_ms = blocks[99].time_ms - 1;
  only(checked(blocks), check_kind::time_backwards, 100);
  BOOST_TEST(checked(blocks).statistics.times_backwards == 1u);

  auto gap = circle<vehicle_block>(1000, 1);
  for (std::size_t i = 100; i < gap.size(); ++i) gap[i].time_ms += 2000;
  derive_velocities(std::span(gap));
  only(checked(gap), check_kind::long_gap, 100);
}

BOOST_AUTO_TEST_CASE(keys_on_foot) {
  struct wrong {
    double speed;
    std::int16_t up_down;
    std::uint16_t keys;
  };
  for (const wrong& each :
       {wrong{4, -128, 1024}, wrong{7.5, -128, 0}, wrong{1, -128, 0}, wrong{1.5, -128, 8}, wrong{4, 0, 0}}) {
    auto walk = circle<on_foot_block>(20, each.speed, 200);
    for (auto& block : walk) {
      block.up_down = each.up_down;
      block.keys = each.keys;
    }
    only(checked(walk), check_kind::keys_mismatch, 20);
    for (auto& block : walk) block.keys = block.keys | key::fire;
    BOOST_TEST(checked(walk).clean());
  }
  std::vector<on_foot_block> spot(100);
  for (std::size_t i = 0; i < spot.size(); ++i) {
    spot[i].time_ms = static_cast<std::uint32_t>(i * 50);
    set_gait(spot[i], 1.5);
  }
  only(checked(spot), check_kind::keys_mismatch, 60);
}

BOOST_AUTO_TEST_CASE(keys_in_vehicles) {
  auto blocks = circle<vehicle_block>();
  for (auto& each : blocks) each.keys = 0;
  only(checked(blocks), check_kind::keys_mismatch, 100);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].position_m.z -= static_cast<float>(i) * 0.03f;
  derive_velocities(std::span(blocks));
  BOOST_TEST(checked(blocks).clean());
  auto standing = circle<vehicle_block>(30, 0, 100);
  for (auto& each : standing) each.keys = bits(key::sprint);
  only(checked(standing), check_kind::keys_mismatch, 60);
}

BOOST_AUTO_TEST_CASE(a_brake_key_without_braking) {
  auto blocks = circle<vehicle_block>(200, 15);
  for (std::size_t i = 100; i < blocks.size(); ++i) blocks[i].keys = bits(key::jump);
  only(checked(blocks), check_kind::keys_mismatch, 140);
  BOOST_TEST(checked(blocks).total() == 1u);
  // A helicopter descends with that key, and a car may roll downhill.
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].position_m.z -= static_cast<float>(i) * 0.05f;
  derive_velocities(std::span(blocks));
  BOOST_TEST(checked(blocks).clean());
  // Brakes from 20 m/s to a stop.
  std::vector<vehicle_block> braking(101);
  for (std::uint32_t i = 0; i < braking.size(); ++i) {
    const double t = 0.05 * i;
    braking[i].time_ms = 50 * i;
    braking[i].position_m.y = static_cast<float>(20 * t - 2 * t * t);
    braking[i].keys = bits(key::jump);
  }
  derive_velocities(std::span(braking));
  BOOST_TEST(checked(braking).clean());
}

BOOST_AUTO_TEST_CASE(one_odd_value_does_not_hide_another) {
  auto blocks = circle<vehicle_block>();
  for (auto& each : blocks) each.siren = 7;
  blocks[50].driver_health = 255;
  const auto report = checked(blocks);
  BOOST_TEST(std::any_of(report.findings.begin(), report.findings.end(), [](const check_finding& each) {
    return each.block == 50 && std::string_view(each.detail).find("health") != std::string_view::npos;
  }));
}

BOOST_AUTO_TEST_CASE(values_out_of_range) {
  auto blocks = circle<vehicle_block>();
  blocks[7].weapon_and_key = 0xC0 | 47;
  only(checked(blocks), check_kind::unknown_weapon, 7);
  blocks = circle<vehicle_block>();
  blocks[8].rotation = {0.5f, 0, 0, 0};
  BOOST_TEST(checked(blocks).counts[static_cast<std::size_t>(check_kind::rotation_length)] == 1u);
  blocks = circle<vehicle_block>();
  blocks[9].velocity_m_per_20ms.x = std::numeric_limits<float>::quiet_NaN();
  only(checked(blocks), check_kind::not_finite, 9);
  blocks = circle<vehicle_block>(20'000, 200, 100);
  BOOST_TEST(checked(blocks).counts[static_cast<std::size_t>(check_kind::too_fast)] > 0u);
  BOOST_TEST(checked(blocks).counts[static_cast<std::size_t>(check_kind::far_position)] > 0u);
}

// Faults of hostile files and bad converters, each alone in a valid recording.
BOOST_AUTO_TEST_CASE(planted_faults_are_detected) {
  struct planted {
    check_kind kind;
    check_severity severity;
    void (*change)(std::vector<vehicle_block>&);
  };
  const planted in_vehicles[] = {
      {check_kind::speed_scale, check_severity::error,
       [](auto& all) {
         for (auto& each : all) each.velocity_m_per_20ms = each.velocity_m_per_20ms * 1.3f;
       }},
      {check_kind::speed_scale, check_severity::error,
       [](auto& all) {
         for (auto& each : all) each.velocity_m_per_20ms = each.velocity_m_per_20ms * 0.75f;
       }},
      {check_kind::life, check_severity::warning,
       [](auto& all) {
         for (std::size_t i = 100; i < 200; ++i) all[i].driver_health = 0;
       }},
      {check_kind::life, check_severity::warning,
       [](auto& all) {
         for (auto& each : all) each.vehicle_health = 100;
       }},
      {check_kind::odd_value, check_severity::warning, [](auto& all) { all[5].siren = 7; }},
      {check_kind::odd_value, check_severity::warning, [](auto& all) { all[5].landing_gear = 2; }},
      {check_kind::odd_value, check_severity::warning, [](auto& all) { all[5].driver_health = 255; }},
      {check_kind::odd_value, check_severity::warning, [](auto& all) { all[5].vehicle_health = 1e9f; }},
      {check_kind::odd_value, check_severity::warning, [](auto& all) { all[5].left_right = 1000; }},
      // A bus climbs at 83 degrees, nose up.
      {check_kind::slope, check_severity::warning,
       [](auto& all) {
         for (std::size_t i = 0; i < all.size(); ++i) {
           const double way = 10 * all[i].time_ms / 1000.0;
           all[i].position_m = {0, static_cast<float>(0.1219 * way), static_cast<float>(0.9925 * way)};
           all[i].rotation = from_angles({83, 0, 0});
         }
         derive_velocities(std::span(all));
       }},
  };
  for (const planted& each : in_vehicles) {
    auto blocks = circle<vehicle_block>();
    each.change(blocks);
    const auto report = checked(blocks);
    BOOST_TEST_CONTEXT(name(each.kind)) {
      BOOST_REQUIRE(report.counts[static_cast<std::size_t>(each.kind)] > 0u);
      BOOST_TEST(report.passes() == (each.severity != check_severity::error));
      for (const auto& finding : report.findings)
        BOOST_TEST((finding.kind == each.kind && finding.severity == each.severity), describe(finding));
    }
  }
  struct planted_on_foot {
    check_kind kind;
    void (*change)(std::vector<on_foot_block>&);
  };
  const planted_on_foot on_foot[] = {
      {check_kind::life,
       [](auto& all) {
         for (auto& each : all) each.health = 0;
       }},
      {check_kind::odd_value, [](auto& all) { all[9].animation_id = 60000; }},
      {check_kind::odd_value, [](auto& all) { all[9].special_action = 200; }},
      {check_kind::odd_value, [](auto& all) { all[9].surf_id = 5000; }},
      {check_kind::odd_value, [](auto& all) { all[9].health = 255; }},
      // 50 km/h on foot, with the sprint key.
      {check_kind::keys_mismatch, [](auto& all) { all = circle<on_foot_block>(200, 13.9, 400, 40); }},
  };
  for (const auto& each : on_foot) {
    auto blocks = circle<on_foot_block>(20, 4, 400, 40);
    BOOST_TEST(checked(blocks).clean());
    each.change(blocks);
    only(checked(blocks), each.kind,
         checked(blocks).findings.empty() ? 0 : checked(blocks).findings[0].block);
  }
}

// Effects of players' connections and input are not faults.
BOOST_AUTO_TEST_CASE(delays_and_gaps_of_real_connections_are_not_defects) {
  // A block that is half a second late, and the following ones immediately after it.
  auto late = circle<vehicle_block>(300, 30);
  for (std::size_t i = 100; i < 110; ++i) late[i].time_ms = late[110].time_ms;
  BOOST_TEST(checked(late).passes());
  // Out of the vehicle for a while, then driving at another place.
  auto away = circle<vehicle_block>(300, 20);
  for (std::size_t i = 200; i < away.size(); ++i) {
    away[i].time_ms += 20'000;
    away[i].position_m.x += 50;
  }
  BOOST_TEST(checked(away).passes());
  BOOST_TEST(checked(away).counts[static_cast<std::size_t>(check_kind::long_gap)] == 1u);
  // Farther than any vehicle moves in that time.
  for (std::size_t i = 200; i < away.size(); ++i) away[i].position_m.x += 9'000;
  BOOST_TEST(!checked(away).passes());
  auto dancer = std::vector<on_foot_block>(100);
  for (std::size_t i = 0; i < dancer.size(); ++i) {
    dancer[i].time_ms = static_cast<std::uint32_t>(i * 50);
    dancer[i].health = 100;
    set_gait(dancer[i], 1.5);
    dancer[i].special_action = static_cast<std::uint8_t>(special_action::dance_1);
  }
  BOOST_TEST(checked(dancer).clean());
}

BOOST_AUTO_TEST_CASE(missing_and_reversed_velocities_are_defects) {
  const auto is_defect = [](const auto& blocks) {
    const auto report = checked(blocks);
    return !report.passes() && report.counts[static_cast<std::size_t>(check_kind::speed_scale)] == 1;
  };
  for (const float factor : {0.0f, -1.0f}) {
    auto car = circle<vehicle_block>(60, 10, 400);
    auto walker = circle<on_foot_block>(20, 4, 400, 40);
    for (auto& each : car)
      each.velocity_m_per_20ms = {each.velocity_m_per_20ms.x * factor, each.velocity_m_per_20ms.y * factor,
                                  each.velocity_m_per_20ms.z * factor};
    for (auto& each : walker)
      each.velocity_m_per_20ms = {each.velocity_m_per_20ms.x * factor, each.velocity_m_per_20ms.y * factor,
                                  each.velocity_m_per_20ms.z * factor};
    BOOST_TEST(is_defect(car), factor);
    BOOST_TEST(is_defect(walker), factor);
  }
}

BOOST_AUTO_TEST_CASE(notes_leave_capacity_for_defects) {
  auto blocks = circle<vehicle_block>(60, 10, 200);
  for (std::size_t i = 1; i < 60; ++i) blocks[i].time_ms = blocks[0].time_ms;
  blocks[150].rotation.w *= 2;
  const auto report = checked(blocks, {.findings = 10});
  BOOST_TEST(report.findings.size() == 10u);
  BOOST_TEST(report.count(check_severity::note) >= 59u);
  BOOST_TEST(std::any_of(report.findings.begin(), report.findings.end(), [](const check_finding& each) {
    return each.kind == check_kind::rotation_length && each.severity == check_severity::error;
  }));
  BOOST_TEST(std::is_sorted(
      report.findings.begin(), report.findings.end(),
      [](const check_finding& first, const check_finding& second) { return first.block < second.block; }));
}

BOOST_AUTO_TEST_CASE(any_bits_terminate_and_findings_are_bounded) {
  auto random = tickreel::test::seeded_random("check_any_bits");
  std::vector<vehicle_block> blocks;
  for (int i = 0; i < 20000; ++i) blocks.push_back(any_block<vehicle_block>(random));
  const auto report = checked(blocks, {.findings = 10});
  BOOST_TEST(report.findings.size() == 10u);
  BOOST_TEST(report.total() > 10000u);
  BOOST_TEST(report.statistics.blocks == 20000u);
  for (const auto& each : report.findings) BOOST_TEST(!describe(each).empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
