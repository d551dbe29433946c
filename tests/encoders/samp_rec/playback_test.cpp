// The rules of the game's player, applied to known paths.
#include <boost/test/unit_test.hpp>

#include "blocks.hpp"
#include "tickreel/samp_rec/playback.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(playback_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

namespace {

// East at 10 m/s.
std::vector<vehicle_block> straight(std::uint32_t blocks, std::uint32_t step_ms) {
  std::vector<vehicle_block> out;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    vehicle_block block;
    block.time_ms = i * step_ms;
    block.position_m = {static_cast<float>(block.time_ms) / 100, 0, 0};
    block.velocity_m_per_20ms = velocity_from_m_per_s(10, 0, 0);
    out.push_back(block);
  }
  return out;
}
point_m straight_at(double time_ms) {
  return {time_ms / 100, 0, 0};
}

}  // namespace

BOOST_AUTO_TEST_CASE(correct_velocities_make_a_straight_line_exact) {
  const auto blocks = straight(100, 50);
  const auto report = simulate_playback(std::span<const vehicle_block>(blocks), straight_at);
  BOOST_TEST(report.worst_error_m < 1e-4);
  BOOST_TEST(report.worst_snap_m < 1e-4);
  BOOST_TEST(report.worst_lateness_ms == 0u);
  BOOST_TEST(report.samples == 99u * 10 + 1);
  BOOST_TEST(report.end_ms == 99u * 50 + 5);
}

BOOST_AUTO_TEST_CASE(no_velocity_lags_and_snaps_by_a_whole_step) {
  auto blocks = straight(100, 50);
  for (auto& each : blocks) each.velocity_m_per_20ms = {};
  const auto report = simulate_playback(std::span<const vehicle_block>(blocks), straight_at);
  BOOST_TEST(std::abs(report.worst_snap_m - 0.5) < 1e-4);
  BOOST_TEST(std::abs(report.worst_error_m - 0.45) < 1e-4);  // 45 ms after a block
  BOOST_TEST(std::abs(report.mean_error_m - 0.225) < 0.005);
}

BOOST_AUTO_TEST_CASE(twice_the_velocity_runs_ahead) {
  auto blocks = straight(100, 50);
  for (auto& each : blocks) each.velocity_m_per_20ms = each.velocity_m_per_20ms * 2;
  const auto report = simulate_playback(std::span<const vehicle_block>(blocks), straight_at);
  BOOST_TEST(std::abs(report.worst_snap_m - 0.5) < 1e-4);
}

BOOST_AUTO_TEST_CASE(at_most_one_block_per_tick) {
  // Blocks every 5 ms on a server that ticks every 20 ms: each block is 15 ms later than the previous one.
  const auto blocks = straight(10, 5);
  const auto report =
      simulate_playback(std::span<const vehicle_block>(blocks), straight_at, {.server_tick_ms = 20});
  BOOST_TEST(report.worst_lateness_ms == 9u * 15);
  BOOST_TEST(report.end_ms == 9u * 20 + 20);
  BOOST_TEST(std::abs(report.worst_error_m - 1.35) < 1e-3);
}

BOOST_AUTO_TEST_CASE(equal_times_take_one_tick_each) {
  auto blocks = straight(3, 0);
  const auto report =
      simulate_playback(std::span<const vehicle_block>(blocks), [](double) { return point_m{}; });
  BOOST_TEST(report.worst_lateness_ms == 10u);
}

BOOST_AUTO_TEST_CASE(a_circle_has_a_small_error) {
  const auto blocks = circle<vehicle_block>(30, 10, 400);
  const auto meant = [](double time_ms) {
    const double angle = 10 * time_ms / 1000 / 30;
    return point_m{100 + 30 * std::cos(angle), -50 + 30 * std::sin(angle), 12.5};
  };
  const auto report = simulate_playback(std::span<const vehicle_block>(blocks), meant);
  // The sagitta of a 0.5 m chord of that circle is 1.04 mm.
  BOOST_TEST(report.worst_error_m < 0.0015);
  BOOST_TEST(report.worst_error_m > 0.0005);
  BOOST_TEST(report.mean_error_m < report.worst_error_m);
}

BOOST_AUTO_TEST_CASE(hostile_times_terminate) {
  std::vector<vehicle_block> blocks(3);
  blocks[1].time_ms = 0xFFFFFFFF;
  blocks[2].time_ms = 5;
  const auto report =
      simulate_playback(std::span<const vehicle_block>(blocks), [](double) { return point_m{}; },
                        {.server_tick_ms = 0, .client_step_ms = 0});
  BOOST_TEST(report.samples <= 1005u);
  BOOST_TEST(simulate_playback(std::span<const vehicle_block>(), straight_at).samples == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
