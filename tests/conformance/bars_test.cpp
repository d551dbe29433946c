// Limits for the accuracy and size of files of either profile.
#include <array>
#include <boost/test/unit_test.hpp>

#include "butter_model.hpp"
#include "encode_file.hpp"
#include "file_errors.hpp"
#include "matches.hpp"
#include "shared_data.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(butter_bars_tests)
BOOST_AUTO_TEST_SUITE(bars_test)

namespace {

namespace fs = std::filesystem;
using conformance::encode_plan;
using conformance::error_table;
using conformance::file_errors;
using conformance::match;

constexpr double mean_position_mm = 0.1;
constexpr double mean_rotation_deg = 0.1;
// The quantisation of the format alone causes an average error of 0.118 mm.
constexpr double mean_bone_position_mm = 0.22;
constexpr double share_of_known_size = 1.05;

// Of the small profile, from the first frame after the keyframe on.
constexpr double small_position_mm = 2;
constexpr double small_rotation_deg = 0.5;
constexpr double small_share_of_known_size = 0.9;
// Of files with bones, uncompressed: values within these errors need at least 0.91 (docs/formats/butter.md).
constexpr double small_share_of_known_size_plain_bones = 0.96;

const butter::encoder_options small{.hold = butter::small_profile};

encode_plan plan_of(std::uint16_t interval, const butter::encoder_options& options = {},
                    codec_id codec = codec_id::none, int level = 0) {
  return {.options = options,
          .keyframe_interval_ticks = interval,
          .codec = {.codec = codec, .level = level, .dictionary = {}}};
}

file_errors errors_of(const match& ticks, const encode_plan& plan) {
  file_errors all;
  for (const conformance::encoded_file& file : conformance::encode(ticks, plan)) {
    const auto states = std::span(ticks).subspan(file.first_state, file.state_count);
    BOOST_TEST(all.add_file(file.bytes, states) == "");
  }
  return all;
}

// Throughout the chunk, except the keyframe, which the format stores as half floats with a larger error far from the centre of
// the map.
void check_mean(const char* what, const error_table& table, double limit) {
  constexpr std::size_t part = 25;
  for (std::size_t first = 1; first < 300; first += part) {
    const double mean = table.between(first, first + part).mean();
    BOOST_TEST(mean <= limit, what << " from frame " << first << ": " << mean << " on average");
  }
}

file_errors check_default_profile(const match& ticks, std::uint16_t interval) {
  const file_errors all = errors_of(ticks, plan_of(interval));
  BOOST_TEST(all.position_mm.overall().count > 0u);
  check_mean("position, mm", all.position_mm, mean_position_mm);
  check_mean("rotation, degrees", all.rotation_deg, mean_rotation_deg);
  check_mean("bone position, mm", all.bone_mm, mean_bone_position_mm);
  check_mean("bone rotation, degrees", all.bone_deg, mean_rotation_deg);
  check_mean("disc, mm", all.disc_mm, mean_position_mm);
  return all;
}

// Keyframes too.
void check_whole_file(const file_errors& all) {
  BOOST_TEST(all.position_mm.overall().mean() <= mean_position_mm);
  BOOST_TEST(all.rotation_deg.overall().mean() <= mean_rotation_deg);
  BOOST_TEST(all.bone_mm.overall().mean() <= mean_bone_position_mm);
  BOOST_TEST(all.bone_deg.overall().mean() <= mean_rotation_deg);
  if (all.bone_deg.at.empty()) return;
  BOOST_TEST(all.bone_deg.at.begin()->second.mean() <= mean_rotation_deg);
}

void check_small_profile(const match& ticks, std::uint16_t interval) {
  const file_errors all = errors_of(ticks, plan_of(interval, small));
  const auto worst = [](const error_table& table) { return table.between(1, SIZE_MAX).max; };
  BOOST_TEST(worst(all.position_mm) < small_position_mm);
  BOOST_TEST(worst(all.disc_mm) < small_position_mm);
  BOOST_TEST(worst(all.bone_mm) < small_position_mm);
  BOOST_TEST(worst(all.rotation_deg) < small_rotation_deg);
  BOOST_TEST(worst(all.bone_deg) < small_rotation_deg);
}

std::size_t size_of(const match& ticks, const encode_plan& plan) {
  std::size_t bytes = 0;
  for (const conformance::encoded_file& file : conformance::encode(ticks, plan)) bytes += file.bytes.size();
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(simulated_matches) {
  for (const echo::mode mode : {echo::mode::arena, echo::mode::combat}) {
    for (const std::uint32_t rate_hz : {30u, 60u, 120u}) {
      const match ticks = conformance::simulate(
          {.seed = 40 + rate_hz, .mode = mode, .rate_hz = rate_hz, .incidents = false}, 900);
      BOOST_TEST_CONTEXT("mode " << static_cast<int>(mode) << ", " << rate_hz << " Hz") {
        for (const std::uint16_t interval : {std::uint16_t{75}, std::uint16_t{300}}) {
          const file_errors all = check_default_profile(ticks, interval);
          // Combat's maps reach farther than 64 m.
          if (mode == echo::mode::arena) check_whole_file(all);
        }
        check_small_profile(ticks, 300);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(recorded_matches) {
  const fs::path folder = test::shared_data("butter");
  if (folder.empty()) return;
  for (const char* name : {"arena-8p-300", "arena-8p-150-bones"}) {
    const match ticks = conformance::read_echoreplay(folder / (std::string(name) + ".echoreplay"));
    for (const std::uint16_t interval : {std::uint16_t{75}, std::uint16_t{300}}) {
      BOOST_TEST_CONTEXT(name << ", a keyframe every " << interval) {
        check_whole_file(check_default_profile(ticks, interval));
        check_small_profile(ticks, interval);
      }
    }
  }
}

// Compared with the reference writer's files of the same recordings.
BOOST_AUTO_TEST_CASE(sizes) {
  const fs::path folder = test::shared_data("butter");
  if (folder.empty()) return;
  struct known_codec {
    const char* name;
    codec_id codec;
    int level;
  };
  constexpr std::array<known_codec, 6> codecs{{{"none", codec_id::none, 0},
                                               {"gzip", codec_id::gzip, 6},
                                               {"zstd_3", codec_id::zstd, 3},
                                               {"zstd_7", codec_id::zstd, 7},
                                               {"zstd_15", codec_id::zstd, 15},
                                               {"zstd_22", codec_id::zstd, 22}}};
  const std::pair<const char*, std::uint16_t> recordings[] = {{"arena-8p-300", 300},
                                                              {"arena-8p-150-bones", 75}};
  std::size_t compared = 0;
  for (const auto& [name, interval] : recordings) {
    const match ticks = conformance::read_echoreplay(folder / (std::string(name) + ".echoreplay"));
    for (const known_codec& each : codecs) {
      const fs::path known = folder / (std::string(name) + "." + each.name + ".butter");
      if (!fs::exists(known)) continue;
      const auto known_size = static_cast<double>(fs::file_size(known));
      const auto share = [&, interval = interval](const butter::encoder_options& options) {
        const encode_plan plan = plan_of(interval, options, each.codec, each.level);
        return static_cast<double>(size_of(ticks, plan)) / known_size;
      };
      BOOST_TEST_CONTEXT(known.filename()) {
        BOOST_TEST(share({}) <= share_of_known_size);
        const bool plain_bones =
            each.codec == codec_id::none && name == std::string_view("arena-8p-150-bones");
        BOOST_TEST(share(small) <=
                   (plain_bones ? small_share_of_known_size_plain_bones : small_share_of_known_size));
      }
      ++compared;
    }
  }
  BOOST_TEST(compared >= 8u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
