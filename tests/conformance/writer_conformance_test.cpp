// Files of the library's encoder, read by the model and compared with the input.
#include <array>
#include <boost/test/unit_test.hpp>
#include <numeric>

#include "encode_file.hpp"
#include "fidelity.hpp"
#include "fidelity_math.hpp"
#include "matches.hpp"
#include "random.hpp"
#include "reader_comparison.hpp"
#include "shared_data.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(butter_writer_conformance_tests)
BOOST_AUTO_TEST_SUITE(writer_conformance_test)

namespace {

namespace model = butter_model;
using conformance::encode_plan;
using conformance::match;

const butter::encoder_options without_bones{.bones = false};

// The reference decoder must be able to read every file, its contents must equal the input, and our reader must return the same.
void check_encoded(const match& ticks, const encode_plan& plan, std::size_t files_expected = 1) {
  const std::vector<conformance::encoded_file> files = conformance::encode(ticks, plan);
  if (files_expected != 0) BOOST_TEST(files.size() == files_expected);
  std::size_t complaints = 0;
  const auto complain = [&](std::size_t file, std::size_t frame, const std::string& what) {
    if (++complaints <= 8) BOOST_ERROR("file " << file << " frame " << frame << ": " << what);
  };
  for (std::size_t f = 0; f < files.size(); ++f) {
    const conformance::encoded_file& file = files[f];
    conformance::fidelity_judge judge(plan.options, ticks[file.first_state]);
    std::size_t frames = 0;
    const auto receive = [&](const model::frame& got, const model::frame_place& place) {
      if (frames >= file.state_count) return complain(f, frames, "one frame too many");
      if (place.offset == 0 && !place.keyframe) complain(f, frames, "the chunk begins without a keyframe");
      for (const std::string& what : judge.judge(got, place.keyframe, ticks[file.first_state + frames])) {
        complain(f, frames, what);
      }
      ++frames;
    };
    try {
      const bool zstd = plan.codec.codec == codec_id::zstd;
      const model::file_head head = model::decode(file.bytes, receive, {.zstd_switched_off = !zstd});
      BOOST_TEST(int{head.version} == 3);
      BOOST_TEST(head.keyframe_interval_ticks == plan.keyframe_interval_ticks);
      BOOST_TEST((head.compression >= 2) == zstd);
      const std::size_t chunk_bytes =
          std::accumulate(head.chunk_sizes.begin(), head.chunk_sizes.end(), std::size_t{0});
      BOOST_TEST(head.first_chunk_offset + chunk_bytes == file.bytes.size());
      const auto states = std::span(ticks).subspan(file.first_state, file.state_count);
      for (const std::string& what : judge.judge_head(head, states)) complain(f, frames, what);
    } catch (const model::decoder_exception& thrown) {
      complain(f, frames, std::string("the known decoder throws: ") + thrown.what());
    }
    BOOST_TEST(frames == file.state_count);
    const conformance::agreement agreed = conformance::compare_readers(file.bytes);
    for (const std::string& what : agreed.complaints) complain(f, agreed.frames, "our reader: " + what);
    BOOST_TEST(agreed.frames == file.state_count);
  }
  if (complaints > 8) BOOST_TEST_MESSAGE(complaints << " complaints in all");
}

encode_plan plan_of(std::uint16_t interval, codec_id codec, const butter::encoder_options& options = {}) {
  return {.options = options,
          .keyframe_interval_ticks = interval,
          .codec = {.codec = codec, .level = 0, .dictionary = {}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(recorded_matches) {
  for (const auto& entry : test::shared_files("butter", ".echoreplay")) {
    const match ticks = conformance::read_echoreplay(entry);
    BOOST_TEST(!ticks.empty());
    for (const std::uint16_t interval : std::array<std::uint16_t, 4>{1, 2, 30, 300}) {
      BOOST_TEST_CONTEXT(entry.filename() << ", a keyframe every " << interval) {
        check_encoded(ticks, plan_of(interval, interval == 30 ? codec_id::gzip : codec_id::none));
        check_encoded(ticks, plan_of(interval, codec_id::none, without_bones));
      }
    }
    BOOST_TEST_CONTEXT(entry.filename() << ", zstd") {
      check_encoded(ticks, plan_of(300, codec_id::zstd));
    }
  }
}

BOOST_AUTO_TEST_CASE(simulated_matches) {
  for (const echo::mode mode : {echo::mode::arena, echo::mode::combat, echo::mode::other}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      echo_vr::simulation_options options;
      options.seed = seed;
      options.mode = mode;
      options.rate_hz = seed % 2 == 0 ? 60 : 30;
      options.private_match = seed % 2 == 0;
      options.bones = seed != 3;
      options.players_per_team = seed == 4 ? 5 : 4;
      // Short matches, so that the incidents, the end and the time after it are all included.
      options.match_seconds = 20;
      const match ticks = conformance::simulate(options, 700);
      BOOST_TEST(ticks.size() > 300u);
      BOOST_TEST_CONTEXT("mode " << static_cast<int>(mode) << ", seed " << seed) {
        check_encoded(ticks, plan_of(seed == 1 ? 15 : 300, seed % 2 == 0 ? codec_id::gzip : codec_id::none));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_random_match) {
  std::mt19937_64 random = test::seeded_random("simulated match");
  echo_vr::simulation_options options;
  options.seed = random();
  options.mode = random() % 2 == 0 ? echo::mode::arena : echo::mode::combat;
  options.players_per_team = static_cast<std::uint32_t>(1 + random() % 5);
  options.match_seconds = 60;
  const match ticks = conformance::simulate(options, 500, 1 + random() % 10);
  const auto interval = static_cast<std::uint16_t>(1 + random() % 400);
  BOOST_TEST_CONTEXT("a keyframe every " << interval) {
    check_encoded(ticks, plan_of(interval, codec_id::none));
  }
}

BOOST_AUTO_TEST_CASE(tight_small_and_loose_tolerances) {
  const match ticks = conformance::simulate({.seed = 9}, 400, 2);
  butter::tolerances tight;
  tight.position_m = 0.00005f;
  tight.position_step_m = 0x1p-15f;
  tight.velocity_mps = 0.001f;
  tight.velocity_step_mps = 0x1p-11f;
  tight.rotation_deg = 0.2f;
  tight.bone_position_m = 0.0003f;
  tight.bone_rotation_deg = 0.25f;
  tight.even_steps_limit = 0.5f;
  tight.bone_rotation_coarse_axes = 0;
  butter::tolerances loose = butter::small_profile;
  loose.position_m = 0.02f;
  loose.velocity_mps = 0.2f;
  loose.rotation_deg = 2.0f;
  loose.bone_position_m = 0.01f;
  loose.bone_rotation_deg = 3.0f;
  BOOST_TEST_CONTEXT("tight") {
    check_encoded(ticks, plan_of(200, codec_id::none, {.hold = tight, .bones = true}));
  }
  BOOST_TEST_CONTEXT("small") {
    check_encoded(ticks, plan_of(200, codec_id::gzip, {.hold = butter::small_profile, .bones = true}));
  }
  BOOST_TEST_CONTEXT("loose") {
    check_encoded(ticks, plan_of(200, codec_id::none, {.hold = loose, .bones = true}));
  }
}

BOOST_AUTO_TEST_CASE(incidents_one_by_one) {
  for (const echo::mode mode : {echo::mode::arena, echo::mode::combat, echo::mode::other}) {
    const match whole = conformance::simulate({.seed = 5, .mode = mode, .rate_hz = 30}, 120);
    for (const conformance::incident& incident : conformance::incidents()) {
      match ticks = whole;
      incident.apply(ticks);
      BOOST_TEST_CONTEXT(incident.name << ", mode " << static_cast<int>(mode)) {
        check_encoded(ticks, plan_of(300, codec_id::none), 0);
        check_encoded(ticks, plan_of(11, codec_id::none), 0);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(incidents_together) {
  std::mt19937_64 random = test::seeded_random("incidents together");
  for (int i = 0; i < 20; ++i) {
    echo_vr::simulation_options options;
    options.seed = random();
    options.mode = std::array{echo::mode::arena, echo::mode::combat, echo::mode::other}[random() % 3];
    options.rate_hz = 30;
    match ticks = conformance::simulate(options, 110);
    std::string names;
    for (int n = 0; n < 4; ++n) {
      const conformance::incident& chosen =
          conformance::incidents()[random() % conformance::incidents().size()];
      // Incidents that name a player by index need one there.
      if (std::string_view(chosen.name) == "no player is present" ||
          std::string_view(chosen.name) == "fewer than three teams") {
        continue;
      }
      chosen.apply(ticks);
      names += std::string(chosen.name) + "; ";
    }
    BOOST_TEST_CONTEXT(names) {
      check_encoded(ticks, plan_of(static_cast<std::uint16_t>(1 + random() % 120), codec_id::none), 0);
    }
  }
}

// A check that never reports an error must be shown to detect one.
BOOST_AUTO_TEST_CASE(the_check_detects_errors) {
  using echo::state;
  const std::vector<std::function<void(state&)>> lies = {
      [](state& tick) { ++tick.recorded_time_ms; },
      [](state& tick) { tick.match.game_clock += 0.01f; },
      [](state& tick) { tick.match.game_status.assign("round_over"); },
      [](state& tick) { tick.match.blue_points += 1; },
      [](state& tick) {
        tick.match.left_shoulder_pressed = tick.match.left_shoulder_pressed == 0 ? 1.0f : 0.0f;
      },
      [](state& tick) { tick.match.orange_team_restart_request = !tick.match.orange_team_restart_request; },
      [](state& tick) { tick.match.pause.unpaused_timer += 1; },
      [](state& tick) { tick.match.last_throw.arm_speed += 1; },
      [](state& tick) { tick.match.vr.at.position.x += 0.002f; },
      [](state& tick) { tick.match.disc.at.position.y += 0.002f; },
      [](state& tick) { tick.match.disc.velocity.z += 0.1f; },
      [](state& tick) { tick.match.teams[1].stats.points += 1; },
      [](state& tick) { tick.match.teams[0].possession = !tick.match.teams[0].possession; },
      [](state& tick) { tick.players[0].name.assign("Someone Else"); },
      [](state& tick) { tick.players[1].userid += 1; },
      [](state& tick) { tick.players[2].ping += 1; },
      [](state& tick) { tick.players[3].stunned = !tick.players[3].stunned; },
      [](state& tick) { tick.players[4].stats.stuns += 1; },
      [](state& tick) { tick.players[5].head.position.x += 0.002f; },
      [](state& tick) { tick.players[5].lhand.position.z -= 0.002f; },
      [](state& tick) { tick.players[6].rhand.forward = {0.6f, 0, 0.8f}; },
      [](state& tick) { tick.players[6].velocity.y += 0.1f; },
      [](state& tick) { std::swap(tick.players[0], tick.players[1]); },
      [](state& tick) { tick.bone_players[2].positions[20].y += 0.003f; },
      [](state& tick) { tick.bone_players[3].rotations[7] = {0.6f, 0, 0, 0.8f}; },
      [](state& tick) { --tick.bone_player_count; },
      [](state& tick) { tick.bones = echo::bones_kind::absent; },
  };
  const match ticks = conformance::simulate({.seed = 2, .rate_hz = 30}, 60);
  const auto files = conformance::encode(ticks, plan_of(300, codec_id::none));
  const auto frames = model::decode_all(files.at(0).bytes);
  for (std::size_t lie = 0; lie < lies.size(); ++lie) {
    conformance::fidelity_judge judge({}, ticks[0]);
    for (std::size_t i = 0; i < 50; ++i) BOOST_TEST(judge.judge(frames[i], i == 0, ticks[i]).empty());
    state altered = ticks[50];
    lies[lie](altered);
    BOOST_TEST(!judge.judge(frames[50], false, altered).empty(), "lie " << lie << " goes unnoticed");
  }
}

// The table of players has 255 entries; the encoder must request a new file before it is full.
BOOST_AUTO_TEST_CASE(more_players_than_the_table_holds) {
  match ticks = conformance::simulate({.seed = 3, .rate_hz = 30, .bones = false}, 320);
  for (const conformance::incident& incident : conformance::incidents()) {
    if (std::string_view(incident.name) == "someone new each tick") incident.apply(ticks);
  }
  check_encoded(ticks, plan_of(300, codec_id::none), 2);
}

// The error must not grow with the distance from the keyframe.
BOOST_AUTO_TEST_CASE(errors_do_not_accumulate) {
  const match ticks = conformance::simulate({.seed = 21, .rate_hz = 30, .incidents = false}, 900);
  const auto files = conformance::encode(ticks, plan_of(900, codec_id::none));
  BOOST_REQUIRE_EQUAL(files.size(), 1u);
  const auto frames = model::decode_all(files[0].bytes);
  BOOST_REQUIRE_EQUAL(frames.size(), ticks.size());
  // Over the second to 100th frame, and over the last 100.
  double early = 0;
  double late = 0;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    double sum = 0;
    for (std::size_t b = 0; b < ticks[i].bone_player_count; ++b) {
      const auto& got = frames[i].bones->user_bones->at(b);
      for (std::size_t n = 0; n < echo::bone_count; ++n) {
        const echo::quat& q = ticks[i].bone_players[b].rotations[n];
        sum += conformance::bone_angle_deg(&got.bone_o[4 * n], q);
      }
    }
    if (i < 101) early += sum;
    if (i >= frames.size() - 100) late += sum;
  }
  BOOST_TEST(early > 0);
  BOOST_TEST(late < 1.3 * early, "bone rotations: " << early << " early, " << late << " late");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
