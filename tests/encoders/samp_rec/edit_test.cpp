// Guarantees of edits: an edit and its inverse change nothing, and a moved path keeps its shape.
#include "tickreel/samp_rec/edit.hpp"

#include <boost/test/unit_test.hpp>
#include <tuple>

#include "blocks.hpp"
#include "random.hpp"
#include "tickreel/samp_rec/check.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(edit_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

namespace {

using both_kinds = std::tuple<vehicle_block, on_foot_block>;

template <class Block>
std::vector<Block> a_ride(std::mt19937_64& random) {
  const bool drives = std::is_same_v<Block, vehicle_block>;
  auto blocks =
      circle<Block>(drives ? 40 : 8, drives ? 12 : 1.5, 50 + static_cast<std::uint32_t>(random() % 200));
  shift_time(std::span(blocks), static_cast<std::int64_t>(random() % 500));
  rotate_about_z(std::span(blocks), static_cast<double>(random() % 360));
  return blocks;
}

template <class Block>
std::span<const Block> view(const std::vector<Block>& blocks) {
  return blocks;
}

template <class Block>
void passes(const std::vector<Block>& blocks) {
  for (const auto& each : check(view(blocks)).findings) BOOST_TEST(describe(each) == "");
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(edits_are_reversible, Block, both_kinds) {
  auto random = tickreel::test::seeded_random("edits_are_reversible");
  for (int round = 0; round < 30; ++round) {
    const auto original = a_ride<Block>(random);
    const vector3 by{static_cast<float>(random() % 1000), -17.25f, 3.5f};
    const vector3 pivot{static_cast<float>(random() % 2000), static_cast<float>(random() % 2000), 0};
    const double degrees = static_cast<double>(random() % 72000) / 100 - 360;

    auto blocks = original;
    shift(std::span(blocks), by);
    BOOST_TEST(std::abs(distance(blocks[0].position_m, original[0].position_m) - length(by)) < 1e-3);
    shift(std::span(blocks), by * -1);
    BOOST_TEST(apart_m(blocks, original) < 2e-4);

    blocks = original;
    rotate_about_z(std::span(blocks), degrees, pivot);
    rotate_about_z(std::span(blocks), -degrees, pivot);
    BOOST_TEST(apart_m(blocks, original) < 2e-3);
    BOOST_TEST(turned_apart_degrees(blocks, original) < 1e-3);

    blocks = original;
    rotate_about_z(std::span(blocks), 360, pivot);
    rotate_about_z(std::span(blocks), -720, pivot);
    BOOST_TEST(same_bits(blocks, original));

    blocks = original;
    mirror(std::span(blocks), degrees, pivot);
    BOOST_TEST(blocks[3].left_right == -original[3].left_right);
    mirror(std::span(blocks), degrees, pivot);
    BOOST_TEST(apart_m(blocks, original) < 2e-3);
    BOOST_TEST(turned_apart_degrees(blocks, original) < 1e-3);

    blocks = original;
    shift_time(std::span(blocks), 12345);
    shift_time(std::span(blocks), -12345);
    BOOST_TEST(same_bits(blocks, original));

    for (const reverse_style style : {reverse_style::turned_round, reverse_style::backwards}) {
      const auto twice = reversed(view(reversed(view(original), style)), style);
      BOOST_TEST(apart_m(twice, original) == 0);
      BOOST_TEST(turned_apart_degrees(twice, original) < 1e-3);
      for (std::size_t i = 0; i < twice.size(); ++i) {
        BOOST_REQUIRE((twice[i].velocity_m_per_20ms == original[i].velocity_m_per_20ms));
        BOOST_REQUIRE(twice[i].keys == original[i].keys);
        BOOST_REQUIRE(twice[i].left_right == original[i].left_right);
        BOOST_REQUIRE(twice[i].up_down == original[i].up_down);
      }
    }

    blocks = original;
    retime(std::span(blocks), 2);
    BOOST_TEST(blocks.back().time_ms - blocks[0].time_ms ==
               2 * (original.back().time_ms - original[0].time_ms));
    retime(std::span(blocks), 0.5);
    BOOST_TEST(same_bits(blocks, original));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(valid_recordings_stay_valid, Block, both_kinds) {
  auto random = tickreel::test::seeded_random("stays_clean");
  for (int round = 0; round < 10; ++round) {
    auto blocks = a_ride<Block>(random);
    passes(blocks);
    rotate_about_z(std::span(blocks), 123, {50, 60, 0});
    mirror(std::span(blocks), 30);
    passes(blocks);
    passes(reversed(view(blocks)));
    if constexpr (std::is_same_v<Block, vehicle_block>) {
      passes(reversed(view(blocks), reverse_style::backwards));
    }
    passes(resampled(view(blocks), {.step_ms = 40}));
    passes(smoothed(view(blocks)));
    rebase(std::span(blocks), {1, 2, 3}, 45);
    BOOST_TEST(distance(blocks[0].position_m, {1, 2, 3}) < 1e-4);
    BOOST_TEST(std::abs(turn_degrees(heading_degrees(blocks[0].rotation), 45)) < 1e-3);
    passes(blocks);
  }
}

BOOST_AUTO_TEST_CASE(a_mirror_swaps_left_and_right) {
  on_foot_block block;
  block.position_m = {3, 4, 5};
  block.rotation = from_heading_degrees(30);
  block.keys = key::look_left | key::analogue_right;
  block.left_right = axis::left;
  mirror(block);
  BOOST_TEST((block.position_m == vector3{-3, 4, 5}));
  BOOST_TEST(std::abs(heading_degrees(block.rotation) - 330) < 1e-4);
  BOOST_TEST(block.keys == (key::look_right | key::analogue_left));
  BOOST_TEST(block.left_right == axis::right);
  vehicle_block rolled;
  rolled.rotation = from_angles({10, 20, 30});
  mirror(rolled);
  const auto angles = to_angles(rolled.rotation);
  BOOST_TEST(std::abs(angles.pitch - 10) < 1e-4);
  BOOST_TEST(std::abs(angles.roll + 20) < 1e-4);
  BOOST_TEST(std::abs(angles.heading - 330) < 1e-4);
}

BOOST_AUTO_TEST_CASE(cuts) {
  const auto blocks = circle<vehicle_block>();
  const auto part = cut(view(blocks), 1000, 2000);
  BOOST_TEST(part.size() == 21u);
  BOOST_TEST(part.front().time_ms == 0u);
  BOOST_TEST(part.back().time_ms == 1000u);
  BOOST_TEST((part.front().position_m == blocks[20].position_m));
  BOOST_TEST(cut(view(blocks), 1000, 2000, {.start_at_zero = false}).front().time_ms == 1000u);
  BOOST_TEST(cut(view(blocks), 1001, 1049).empty());
  const auto exact = cut(view(blocks), 1010, 1049, {.start_at_zero = false, .exact_ends = true});
  BOOST_REQUIRE(exact.size() == 2u);
  BOOST_TEST(exact[0].time_ms == 1010u);
  BOOST_TEST(exact[1].time_ms == 1049u);
  BOOST_TEST(same_bits(cut(view(blocks), 0, 0xFFFFFFFF, {.exact_ends = true}), blocks));
  BOOST_TEST(cut(std::span<const vehicle_block>(), 0, 10, {.exact_ends = true}).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(joins, Block, both_kinds) {
  const double speed = std::is_same_v<Block, vehicle_block> ? 10 : 1.5;
  const auto first = circle<Block>(30, speed, 100);
  auto second = first;
  const auto plain = join(view(first), view(second), {.blend_ms = 0, .step_ms = 70});
  BOOST_TEST(plain.size() == 200u);
  BOOST_TEST(plain[100].time_ms == first.back().time_ms + 70);

  const auto on = join(view(first), view(second), {.rebase = true});
  BOOST_TEST(on.size() == 199u);
  BOOST_TEST(on.back().time_ms == 2 * first.back().time_ms);
  BOOST_TEST((on[99].position_m == first.back().position_m));
  passes(on);

  shift(std::span(second), {static_cast<float>(2 * speed), 0, 0});
  rebase(std::span(second),
         {first.back().position_m.x + static_cast<float>(speed) * forward_of(first.back().rotation).x,
          first.back().position_m.y + static_cast<float>(speed) * forward_of(first.back().rotation).y, 12.5f},
         heading_degrees(first.back().rotation));
  const auto blended = join(view(first), view(second), {.blend_ms = 2000});
  BOOST_TEST(blended.size() == 200u + 39);
  BOOST_TEST((blended.back().position_m == second.back().position_m));
  passes(blended);
  BOOST_TEST(same_bits(join(std::span<const Block>(), view(first)), first));
  BOOST_TEST(same_bits(join(view(first), std::span<const Block>()), first));
}

BOOST_AUTO_TEST_CASE(reversing_a_train_reverses_its_speed) {
  auto blocks = circle<vehicle_block>(30, 10, 10);
  for (auto& each : blocks) each.set_train_speed_m_per_20ms(0.2f);
  BOOST_TEST(reversed(view(blocks)).front().special == blocks[0].special);
  const auto back = reversed(view(blocks), reverse_style::turned_round, special_view::train_speed);
  BOOST_TEST(back.front().train_speed_m_per_20ms() == -0.2f);
  retime(std::span(blocks), 2, special_view::train_speed);
  BOOST_TEST(std::abs(blocks[0].train_speed_m_per_20ms() - 0.1f) < 1e-6f);
}

BOOST_AUTO_TEST_CASE(resampling) {
  const auto blocks = circle<vehicle_block>(30, 10, 200);
  const auto fine = resampled(view(blocks), {.step_ms = 10});
  BOOST_TEST(fine.size() == 199u * 5 + 1);
  for (std::size_t i = 0; i < blocks.size(); ++i) BOOST_REQUIRE(samp_rec::same_bits(fine[i * 5], blocks[i]));
  double most = 0;
  for (const auto& each : fine) {
    const double x = static_cast<double>(each.position_m.x) - 100,
                 y = static_cast<double>(each.position_m.y) + 50;
    most = std::max(most, std::abs(std::sqrt(x * x + y * y) - 30));
  }
  BOOST_TEST(most < 0.002);  // the curve passes through the points and stays close to the circle between them
  BOOST_TEST(same_bits(resampled(view(fine), {.step_ms = 50}), blocks));

  std::vector<on_foot_block> idle(101);
  for (std::size_t i = 0; i < idle.size(); ++i) idle[i].time_ms = static_cast<std::uint32_t>(i * 50);
  BOOST_TEST(resampled(view(idle)).size() == 11u);
  BOOST_TEST(resampled(view(idle), {.step_ms = 50, .idle_step_ms = 0}).size() == 101u);
  BOOST_TEST(resampled(std::span<const on_foot_block>()).empty());
}

BOOST_AUTO_TEST_CASE(smoothing_removes_jitter) {
  auto random = tickreel::test::seeded_random("smoothing");
  const auto calm = circle<vehicle_block>(60, 10, 400);
  auto shaking = calm;
  std::normal_distribution<float> noise(0, 0.2f);
  for (auto& each : shaking) {
    each.position_m.x += noise(random);
    each.position_m.y += noise(random);
    each.rotation = each.rotation * from_heading_degrees(static_cast<double>(noise(random)) * 20);
  }
  const auto again = smoothed(view(shaking), 400);
  double before = 0, after = 0, turned_before = 0, turned_after = 0;
  for (std::size_t i = 0; i < calm.size(); ++i) {
    before += distance(shaking[i].position_m, calm[i].position_m);
    after += distance(again[i].position_m, calm[i].position_m);
    turned_before += angle_between_degrees(shaking[i].rotation, calm[i].rotation);
    turned_after += angle_between_degrees(again[i].rotation, calm[i].rotation);
  }
  BOOST_TEST(after < before / 2);
  BOOST_TEST(turned_after < turned_before / 2);
  BOOST_TEST((again.front().position_m == shaking.front().position_m));
  BOOST_TEST(samp_rec::same_bits(again.back(), shaking.back()));
}

BOOST_AUTO_TEST_CASE(rounds) {
  const auto blocks = circle<vehicle_block>(30, 10, 20);
  const auto three = repeated(view(blocks), 3);
  BOOST_TEST(three.size() == 3u * 19 + 1);
  BOOST_TEST(three.back().time_ms == 3u * 19 * 50);
  BOOST_TEST(repeated(view(blocks), 0).empty());
  std::vector<vehicle_block> late(2);
  late[1].time_ms = 0xF0000000;
  BOOST_TEST(repeated(view(late), 1000).size() == 2u);
}

BOOST_AUTO_TEST_CASE(any_bits_terminate) {
  auto random = tickreel::test::seeded_random("edit_any_bits");
  for (int round = 0; round < 20; ++round) {
    std::vector<vehicle_block> blocks;
    for (int i = 0; i < 30; ++i) {
      blocks.push_back(any_block<vehicle_block>(random));
      blocks.back().time_ms = static_cast<std::uint32_t>(i * 40 + static_cast<int>(random() % 40));
    }
    (void)resampled(view(blocks));
    (void)smoothed(view(blocks));
    (void)join(view(blocks), view(blocks), {.rebase = true, .step_ms = 0});
    (void)reversed(view(blocks));
    retime(std::span(blocks), 1e30);
    retime(std::span(blocks), -1);
    retime_to(std::span(blocks), 0);
    BOOST_TEST(blocks.size() == 30u);
  }
}

BOOST_AUTO_TEST_CASE(on_foot_the_gait_follows_the_speed) {
  auto walk = circle<on_foot_block>(20, 1.56, 100, 40);
  const auto before = walk;
  retime(std::span(walk), 0.4);  // 3.9 m/s: faster than any walk
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
    BOOST_TEST(!holds(walk[i].keys, key::walk));
    BOOST_TEST(walk[i].up_down == axis::forward);
    BOOST_TEST(walk[i].animation_id == animation::run);
  }
  BOOST_TEST(check(std::span<const on_foot_block>(walk)).clean());
  retime(std::span(walk), 2.5);
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) BOOST_TEST(walk[i].keys == before[i].keys);
  // Other actions, and a gait that still fits, are unchanged.
  auto dancer = before;
  for (auto& each : dancer) each.animation_id = 405, each.keys = each.keys | key::fire;
  retime(std::span(dancer), 0.95);
  for (std::size_t i = 0; i < dancer.size(); ++i) {
    BOOST_TEST(dancer[i].animation_id == 405);
    BOOST_TEST(dancer[i].keys == (before[i].keys | key::fire));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
