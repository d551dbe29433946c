// Recordings for tests: random bits, and plausible drives and walks.
#pragma once

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "hex.hpp"
#include "taken.hpp"
#include "tickreel/samp_rec/edit.hpp"
#include "tickreel/samp_rec/reader.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace tickreel::samp_rec::test {

using tickreel::test::from_hex;
using tickreel::test::taken;

template <class Block>
byte_vector bytes_of(const Block& block) {
  byte_vector bytes(Block::wire_bytes);
  byte_writer to(bytes);
  write(to, block);
  BOOST_TEST(to.ok());
  BOOST_TEST(to.size() == Block::wire_bytes);
  return bytes;
}

// Of arbitrary bytes: NaNs, infinities, unknown numbers.
template <class Block>
Block any_block(std::mt19937_64& random) {
  std::array<std::byte, Block::wire_bytes> bytes;
  for (std::byte& each : bytes) each = static_cast<std::byte>(random());
  byte_reader from(bytes);
  Block block;
  read(from, block);
  return block;
}

// Around a circle at constant speed, one block every `step_ms`, as the format's notes for generators recommend.
template <block_type Block>
std::vector<Block> circle(double radius_m = 30, double speed_m_per_s = 10, std::uint32_t blocks = 400,
                          std::uint32_t step_ms = 50) {
  std::vector<Block> out;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    Block block;
    block.time_ms = i * step_ms;
    const double angle = speed_m_per_s * block.time_ms / 1000 / radius_m;
    block.position_m = {static_cast<float>(100 + radius_m * std::cos(angle)),
                        static_cast<float>(-50 + radius_m * std::sin(angle)), 12.5f};
    block.rotation = from_heading_degrees(angle * 180 / std::numbers::pi);
    set_gait(block, speed_m_per_s);
    out.push_back(block);
  }
  derive_velocities(std::span(out));
  return out;
}

template <class Block>
bool same_bits(const std::vector<Block>& a, const std::vector<Block>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!samp_rec::same_bits(a[i], b[i])) return false;
  }
  return true;
}

// The largest distance between two recordings with the same times.
template <class Block>
double apart_m(const std::vector<Block>& a, const std::vector<Block>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    BOOST_TEST(a[i].time_ms == b[i].time_ms);
    most = std::max(most, distance(a[i].position_m, b[i].position_m));
  }
  return most;
}
template <class Block>
double turned_apart_degrees(const std::vector<Block>& a, const std::vector<Block>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, angle_between_degrees(a[i].rotation, b[i].rotation));
  }
  return most;
}

}  // namespace tickreel::samp_rec::test
