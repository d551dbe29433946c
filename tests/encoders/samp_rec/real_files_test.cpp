// Compares real recordings with the output of an independent decoder.
#include <simdjson.h>
#include <sodium.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "blocks.hpp"
#include "shared_data.hpp"
#include "tickreel/samp_rec/check.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(real_files_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;
namespace dom = simdjson::dom;

namespace {

std::vector<std::filesystem::path> recordings_on_disk() {
  return tickreel::test::shared_files("rec", ".rec");
}

std::uint64_t whole(dom::element value) {
  return value.get_uint64().value();
}

void equals(dom::element expected, vector3 actual) {
  const dom::array parts = expected.get_array().value();
  BOOST_TEST(parts.at(0).get_double().value() == static_cast<double>(actual.x));
  BOOST_TEST(parts.at(1).get_double().value() == static_cast<double>(actual.y));
  BOOST_TEST(parts.at(2).get_double().value() == static_cast<double>(actual.z));
}

void equals(dom::element expected, quaternion actual) {
  const dom::array parts = expected.get_array().value();
  BOOST_TEST(parts.at(0).get_double().value() == static_cast<double>(actual.w));
  BOOST_TEST(parts.at(1).get_double().value() == static_cast<double>(actual.x));
  BOOST_TEST(parts.at(2).get_double().value() == static_cast<double>(actual.y));
  BOOST_TEST(parts.at(3).get_double().value() == static_cast<double>(actual.z));
}

// Compares one key of an expected block with the block; false if its layout does not have the key.
template <class Block>
bool equals(std::string_view key, dom::element expected, const Block& block) {
  constexpr bool is_vehicle =
      std::is_same_v<Block, vehicle_block> || std::is_same_v<Block, legacy_vehicle_block>;
  constexpr bool is_legacy =
      std::is_same_v<Block, legacy_on_foot_block> || std::is_same_v<Block, legacy_vehicle_block>;
  const auto is = [&](std::uint64_t actual) { BOOST_TEST(whole(expected) == actual, key); };
  // The independent decoder prints the axes unsigned.
  if (key == "left_right") return is(static_cast<std::uint16_t>(block.left_right)), true;
  if (key == "up_down") return is(static_cast<std::uint16_t>(block.up_down)), true;
  if (key == "time") return is(block.time_ms), true;
  if (key == "keys") return is(block.keys), true;
  if (key == "weapon_raw") return is(block.weapon_and_key), true;
  if (key == "weapon") return is(weapon_id(block.weapon_and_key)), true;
  if (key == "additional_key") return is(block.weapon_and_key >> 6), true;
  if (key == "pos") return equals(expected, block.position_m), true;
  if (key == "vel") return equals(expected, block.velocity_m_per_20ms), true;
  if constexpr (!is_legacy) {
    if (key == "quat_wxyz") return equals(expected, block.rotation), true;
  }
  if constexpr (is_vehicle) {
    if (key == "vehicle_id") return is(block.vehicle_id), true;
    if (key == "health") return is(block.driver_health), true;
    if (key == "armour") return is(block.driver_armour), true;
    if (key == "siren") return is(block.siren), true;
    if (key == "gear") return is(block.landing_gear), true;
    if (key == "trailer_id") return is(block.trailer_id), true;
    if (key == "union_u32") return is(block.special), true;
    if (key == "vehicle_health") {
      BOOST_TEST(expected.get_double().value() == static_cast<double>(block.vehicle_health));
      return true;
    }
  } else {
    if (key == "health") return is(block.health), true;
    if (key == "armour") return is(block.armour), true;
    if (key == "special_action") return is(block.special_action), true;
    if (key == "surf_offset") return equals(expected, block.surf_offset_m), true;
    if (key == "surf_id") return is(block.surf_id), true;
    if constexpr (is_legacy) {
      if (key == "heading_deg") {
        BOOST_TEST(expected.get_double().value() == static_cast<double>(block.heading_degrees));
        return true;
      }
    } else {
      if (key == "anim_id") return is(block.animation_id), true;
      if (key == "anim_flags") return is(block.animation_flags), true;
    }
  }
  return false;
}

template <class Block>
Block block_at(byte_span file, const file_shape& shape, std::uint64_t index) {
  byte_reader from(file.subspan(static_cast<std::size_t>(shape.block_offset(index)), Block::wire_bytes));
  Block block;
  read(from, block);
  BOOST_TEST(from.ok());
  return block;
}

std::string sha256_hex(byte_span bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text;
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return text.data();
}

template <class Block>
void compare(byte_span file, const file_shape& shape, dom::object expected) {
  std::vector<Block> blocks;
  for (std::uint64_t i = 0; i < shape.block_count; ++i) blocks.push_back(block_at<Block>(file, shape, i));
  std::uint64_t equal = 0, backward = 0;
  double path_m = 0;
  vector3 least = blocks.front().position_m, most = least;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const vector3 p = blocks[i].position_m;
    least = {std::min(least.x, p.x), std::min(least.y, p.y), std::min(least.z, p.z)};
    most = {std::max(most.x, p.x), std::max(most.y, p.y), std::max(most.z, p.z)};
    if (i == 0) continue;
    equal += blocks[i].time_ms == blocks[i - 1].time_ms;
    backward += blocks[i].time_ms < blocks[i - 1].time_ms;
    path_m += distance(blocks[i - 1].position_m, p);
  }

  std::set<std::string> known;
  for (const auto field : expected) {
    const std::string_view key = field.key;
    const dom::element value = field.value;
    const auto is = [&](std::uint64_t actual) { BOOST_TEST(whole(value) == actual, key); };
    known.emplace(key);
    const auto block_is = [&](dom::element wanted, const Block& block) {
      const dom::object parts = wanted.get_object().value();
      for (const auto part : parts) {
        BOOST_TEST(equals(std::string_view(part.key), part.value, block), part.key);
      }
    };
    if (key == "size") {
      is(file.size());
    } else if (key == "dialect") {
      BOOST_TEST((value.get_string().value() == (is_legacy(shape.layout) ? "legacy-onfoot-56" : "samp-0.3")));
    } else if (key == "header_bytes") {
      is(shape.header_bytes);
    } else if (key == "type") {
      if (value.is_null()) {
        BOOST_TEST(shape.version == 0u);
      } else {
        is(static_cast<std::uint64_t>(shape.kind));
      }
    } else if (key == "block_size") {
      is(block_bytes(shape.layout));
    } else if (key == "blocks") {
      is(shape.block_count);
    } else if (key == "tail_bytes") {
      is(shape.tail_bytes);
    } else if (key == "first_time_ms") {
      is(blocks.front().time_ms);
    } else if (key == "last_time_ms") {
      is(blocks.back().time_ms);
    } else if (key == "equal_time_steps") {
      is(equal);
    } else if (key == "backward_time_steps") {
      is(backward);
    } else if (key == "min_pos") {
      equals(value, least);
    } else if (key == "max_pos") {
      equals(value, most);
    } else if (key == "path_length_m") {
      const double wanted = value.get_double().value();
      BOOST_TEST(std::abs(path_m - wanted) <= 1e-9 * wanted);
    } else if (key == "first3") {
      std::size_t i = 0;
      const dom::array three = value.get_array().value();
      for (const auto wanted : three) block_is(wanted, blocks[i++]);
      BOOST_TEST(i == 3u);
    } else if (key == "last") {
      block_is(value, blocks.back());
    } else {
      BOOST_TEST((key == "file" || key == "sha256" || key == "note"), "not compared: " << key);
    }
  }
  BOOST_TEST(known.size() == 19u);

  // Back to bytes, block by block.
  byte_vector again(file.begin(), file.begin() + shape.header_bytes);
  for (const Block& block : blocks) {
    const byte_vector bytes = bytes_of(block);
    again.insert(again.end(), bytes.begin(), bytes.end());
  }
  BOOST_TEST((again == byte_vector(file.begin(), file.end())));
  BOOST_TEST(sha256_hex(again) == std::string(expected["sha256"].get_string().value()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_field_is_as_expected_and_every_byte_round_trips) {
  dom::parser parser;
  for (const auto& path : recordings_on_disk()) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const byte_vector file = tickreel::test::read_file(path);
      auto json = path;
      const dom::object expected =
          parser.load(json.replace_extension(".expected.json").string()).get_object().value();
      BOOST_TEST(std::string(expected["file"].get_string().value()) == path.filename().string());
      const file_shape shape = taken(detect(file));
      switch (shape.layout) {
        case block_layout::vehicle:
          compare<vehicle_block>(file, shape, expected);
          break;
        case block_layout::on_foot:
          compare<on_foot_block>(file, shape, expected);
          break;
        case block_layout::legacy_on_foot:
          compare<legacy_on_foot_block>(file, shape, expected);
          break;
        default:
          BOOST_FAIL(name(shape.layout));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_read_recording_is_written_back) {
  for (const auto& path : recordings_on_disk()) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const byte_vector file = tickreel::test::read_file(path);
      for (const strictness mode : {strictness::strict, strictness::lenient, strictness::as_is}) {
        const recording read = taken(read_recording(file, {.mode = mode}));
        BOOST_TEST(read.report.clean());
        BOOST_TEST(read.report.blocks_read == read.shape.block_count);
        if (is_legacy(read.shape.layout)) continue;
        const byte_vector again = read.kind == recording_kind::vehicle
                                      ? to_bytes(std::span<const vehicle_block>(read.vehicle))
                                      : to_bytes(std::span<const on_foot_block>(read.on_foot));
        BOOST_TEST((again == file));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(they_pass_the_check_within_the_known_ranges) {
  for (const auto& path : recordings_on_disk()) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const check_report report = check(taken(read_recording(tickreel::test::read_file(path))));
      for (const check_finding& each : report.findings) {
        // Two blocks at one time are normal in real recordings.
        BOOST_TEST((each.kind == check_kind::equal_times), describe(each));
      }
      const check_statistics& facts = report.statistics;
      BOOST_TEST(facts.rotation_length.least >= 0.999);
      BOOST_TEST(facts.rotation_length.most <= 1.001);
      if (facts.displacement_per_velocity.count > 100) {
        BOOST_TEST(facts.displacement_per_velocity.median > 49);
        BOOST_TEST(facts.displacement_per_velocity.median < 52);
      }
      if (facts.moving_interval_ms.count > 100) {
        BOOST_TEST(facts.moving_interval_ms.median >= 20);
        BOOST_TEST(facts.moving_interval_ms.median <= 125);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
