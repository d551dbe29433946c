// The reader's limits are the writer's too: a recording that approaches one is ended or split early, and reports it.
#include <array>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "file_bytes.hpp"
#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/icrep/edit.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(limits_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

game::match_options pumped() {
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 16;
  options.full_keyframe_interval = 8;
  return options;
}

// Payloads that no codec compresses: 10 MB in total.
void play(little_recorder& to, std::uint64_t ticks) {
  std::mt19937_64 random(7);
  small_world world;
  byte_vector payload(2048);
  for (std::uint64_t tick = 0; tick < ticks; ++tick, world.step()) {
    BOOST_REQUIRE(to.tick(tick, world.hash(), [&](auto& keyframe) { world.describe(keyframe); }));
    for (std::byte& one : payload) one = static_cast<std::byte>(random());
    BOOST_REQUIRE(to.order(1, 2, payload));
    BOOST_REQUIRE(to.event(analysis::pause_event{tick, 0, true}));
    (void)to.pump();
  }
}
constexpr std::uint64_t all_ticks = 5000;

void check_sound(const game::replay& replay) {
  for (const icrep::finding& one : replay.file().verify()) {
    BOOST_TEST((one.severity != icrep::severity::damage), describe(one.what));
  }
}

// All per-tick results of two replays.
void check_same_ticks(const game::replay& one, const game::replay& other) {
  BOOST_TEST(one.total_ticks() == other.total_ticks());
  BOOST_TEST((one.file().header().final_state_hash == other.file().header().final_state_hash));
  BOOST_TEST(one.file().header().incomplete == other.file().header().incomplete);
  check_same_orders_and_events(one, other);
  for (std::uint64_t tick = 0; tick <= one.total_ticks(); tick += 97) {
    const auto state = one.restore(tick);
    const auto other_state = other.restore(tick);
    BOOST_REQUIRE_MESSAGE(state, why(state));
    BOOST_REQUIRE_MESSAGE(other_state, why(other_state));
    BOOST_TEST(!state->gap);
    if (state->snapshot.core.tick == other_state->snapshot.core.tick) {
      BOOST_TEST((state->snapshot == other_state->snapshot));
    }
  }
}

struct two_matches {
  scratch_folder folder;
  std::string whole = folder / "whole.icrep";
  std::string split = folder / "split.icrep";
  std::string part(std::uint32_t number) const { return game::part_path(split, number).utf8(); }

  explicit two_matches(bool end = true) {
    auto recorder = little_recorder::begin(whole, little_match(), pumped());
    BOOST_REQUIRE(recorder);
    play(*recorder, all_ticks);
    BOOST_REQUIRE(recorder->end({.state_hash = 5}));
    auto options = pumped();
    options.split = true;
    options.file_limit_bytes = 6u << 20;
    auto other = little_recorder::begin(split, little_match(), options);
    BOOST_REQUIRE_MESSAGE(other, why(other));
    play(*other, all_ticks);
    if (!end) return;
    const auto report = other->end({.state_hash = 5});
    BOOST_REQUIRE_MESSAGE(report, why(report));
    BOOST_TEST(report->nothing_lost());
    BOOST_TEST(report->files == 3u);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_match_in_several_files_reads_as_one) {
  const two_matches made;
  BOOST_TEST(made.part(2) == made.folder / "split.2.icrep");
  const auto replay = opened(made.split);
  BOOST_TEST(replay.missing_parts().empty());
  check_same_ticks(opened(made.whole), replay);
  check_sound(replay);
  std::uint64_t end = 0;
  for (std::uint32_t number = 1; number <= 3; ++number) {
    BOOST_TEST(std::filesystem::file_size(made.part(number)) <= 6u << 20);
    // Alone, too.
    const scratch_folder elsewhere;
    std::filesystem::copy_file(made.part(number), elsewhere / "alone");
    const auto alone = opened(elsewhere / "alone");
    check_sound(alone);
    const auto part = game::part_of(alone.facts());
    BOOST_REQUIRE(part);
    BOOST_TEST(part->number == number);
    BOOST_TEST(part->of == 3u);
    BOOST_TEST(part->first_tick == end);
    end = alone.total_ticks();
    BOOST_TEST(alone.keyframes().front().tick == part->first_tick);
    BOOST_TEST(alone.restore(end)->snapshot.core.entities.empty() == false);
    BOOST_TEST(alone.missing_parts().size() == (number == 1 ? 2u : 0u));
  }
  BOOST_TEST(end == all_ticks);
  // A reel contains all of them.
  BOOST_REQUIRE(game::convert_icrep_to_reel(made.split, made.folder / "all.reel"));
  check_same_ticks(replay, opened(made.folder / "all.reel"));
  std::filesystem::remove(made.part(2));
  BOOST_REQUIRE(game::convert_reel_to_icrep(made.folder / "all.reel", made.folder / "again.icrep"));
  check_same_ticks(opened(made.whole), opened(made.folder / "again.icrep"));
}

BOOST_AUTO_TEST_CASE(the_facts_of_a_part_are_read_in_any_order_or_not_at_all) {
  const auto said = [](std::string json) {
    icrep::metadata facts;
    facts.others.emplace_back("x_part", std::move(json));
    return game::part_of(facts);
  };
  const auto part = said(R"({"end_tick":900,"more":[1],"of":3,"first_tick":600,"number":2})");
  BOOST_REQUIRE(part);
  BOOST_TEST(part->number == 2u);
  BOOST_TEST(part->of == 3u);
  BOOST_TEST(part->first_tick == 600u);
  BOOST_TEST(part->end_tick == 900u);
  for (const char* json : {"", "{", "[]", "{}", R"({"number":1,"of":2,"first_tick":0})",
                           R"({"number":0,"of":2,"first_tick":0,"end_tick":9})",
                           R"({"number":3,"of":2,"first_tick":0,"end_tick":9})",
                           R"({"number":-1,"of":2,"first_tick":0,"end_tick":9})",
                           R"({"number":1,"of":1001,"first_tick":0,"end_tick":9})",
                           R"({"number":4294967297,"of":4294967298,"first_tick":0,"end_tick":9})",
                           R"({"number":1,"of":2,"first_tick":0,"end_tick":99999999999999999999})",
                           R"({"number":"1","of":2,"first_tick":0,"end_tick":9})"}) {
    BOOST_TEST(!said(json), json);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_part_is_reported_and_costs_only_itself) {
  const two_matches made;
  const auto part = game::part_of(opened(made.part(3)).facts());
  std::filesystem::rename(made.part(2), made.folder / "elsewhere");
  // The file of another match in its place is not part of this one.
  std::filesystem::copy_file(made.whole, made.part(2));
  {
    const auto replay = opened(made.split);
    BOOST_REQUIRE(replay.missing_parts().size() == 1u);
    BOOST_TEST(replay.missing_parts()[0] == 2u);
    BOOST_TEST(replay.total_ticks() == all_ticks);
    const auto later_state = replay.restore(part->first_tick + 20);
    BOOST_REQUIRE(later_state);
    BOOST_TEST(!later_state->gap);
    BOOST_TEST(later_state->tick_count < 20u);
    const auto within = replay.restore(part->first_tick - 1);
    BOOST_REQUIRE(within);
    BOOST_REQUIRE(within->gap);
  }
  // No process reads it now: Windows cannot truncate a mapped file.
  std::filesystem::resize_file(made.part(3), 1000);
  BOOST_TEST(opened(made.split).missing_parts().size() == 2u);
}

// Also if recovery was interrupted before: its leftovers of this match are removed, those of another match are not.
BOOST_AUTO_TEST_CASE(recovery_writes_all_parts) {
  const two_matches made(false);
  BOOST_TEST(!std::filesystem::exists(made.split));
  std::filesystem::copy_file(made.whole, made.part(2));
  const auto refused = game::recover(made.split);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::already_exists));
  BOOST_TEST(std::filesystem::exists(made.split + ".reel"));
  std::filesystem::remove(made.part(2));
  BOOST_REQUIRE(game::recover(made.split));
  BOOST_TEST(!std::filesystem::exists(made.split + ".reel"));
  const auto replay = opened(made.split);
  BOOST_TEST(replay.missing_parts().empty());
  BOOST_TEST(replay.total_ticks() == all_ticks);
  BOOST_TEST(replay.file().header().incomplete);
  check_sound(replay);
}

// Not over all of them, although they are read as one.
BOOST_AUTO_TEST_CASE(each_signed_part_has_its_own_signature) {
  const two_matches made;
  const std::array<std::byte, 32> key = {std::byte{7}};
  const auto made_signed = icrep::sign_file(read_file(made.split), key);
  BOOST_REQUIRE_MESSAGE(made_signed, why(made_signed));
  write_file(made.split, made_signed->file);
  const auto replay = opened(made.split);
  BOOST_TEST(replay.missing_parts().empty());
  const auto found = replay.file().verify_signatures();
  BOOST_TEST(icrep::name(found.state) == "whole");
  BOOST_TEST(found.sealed);
}

// For a removed part, only the reel is left.
BOOST_AUTO_TEST_CASE(a_reel_is_kept_until_all_parts_exist) {
  const two_matches made;
  BOOST_REQUIRE(game::convert_icrep_to_reel(made.split, made.split + ".reel"));
  std::filesystem::resize_file(made.part(2), 1000);
  BOOST_REQUIRE(!game::recover(made.split));
  BOOST_TEST(std::filesystem::exists(made.split + ".reel"));
  std::filesystem::remove(made.part(2));
  const auto done = game::recover(made.split);
  BOOST_REQUIRE_MESSAGE(done, why(done));
  BOOST_TEST(done->changed);
  BOOST_TEST(done->total_ticks == all_ticks);
  BOOST_TEST(!std::filesystem::exists(made.split + ".reel"));
  BOOST_TEST(opened(made.split).missing_parts().empty());
  check_same_ticks(opened(made.whole), opened(made.split));
}

BOOST_AUTO_TEST_CASE(many_keyframes_are_split_too) {
  const scratch_folder folder;
  auto options = pumped();
  options.keyframe_interval_ticks = 1;
  options.full_keyframe_interval = 1000;
  options.file_limit_keyframes = 1000;
  for (const bool split : {true, false}) {
    options.split = split;
    const std::string path = folder / (split ? "split" : "ended");
    auto recorder = little_recorder::begin(path, little_match(), options);
    BOOST_REQUIRE(recorder);
    small_world world;
    std::uint64_t tick = 0;
    for (; tick < 3500; ++tick, world.step()) {
      const auto taken = recorder->tick(tick, 0, [&](auto& keyframe) { world.describe(keyframe); });
      if (!taken) {
        BOOST_TEST((taken.error().code == error_code::over_limit));
        break;
      }
      (void)recorder->pump();
    }
    // The next one begins while this one still exists.
    auto next = little_recorder::begin(folder / "next", little_match(), options);
    BOOST_REQUIRE_MESSAGE(next, why(next));
    BOOST_REQUIRE(next->tick(0));
    const auto report = recorder->end();
    BOOST_REQUIRE_MESSAGE(report, why(report));
    BOOST_TEST(report->reached_file_limit == !split);
    BOOST_TEST((tick == 3500) == split);
    const auto replay = opened(path);
    BOOST_TEST(replay.keyframes().size() == (split ? 3500u : 1000u));
    BOOST_TEST(replay.file().header().incomplete == !split);
    if (split) BOOST_TEST(opened(folder / "split.2").keyframes().size() <= 1000u);
    BOOST_REQUIRE(next->end());
    std::filesystem::remove(folder / "next");
    std::filesystem::remove(folder / "next.2");
  }
}

// A keyframe that no reader accepts is lost and reported: by failure() while this lasts, and by the report.
BOOST_AUTO_TEST_CASE(more_entities_than_readers_accept) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a", little_match(), pumped());
  BOOST_REQUIRE(recorder);
  const auto tick = [&](std::uint64_t number, std::uint32_t entities) {
    BOOST_REQUIRE(recorder->tick(number, 0, [&](auto& keyframe) {
      for (std::uint32_t i = 0; i < entities; ++i) {
        keyframe.entity({static_cast<std::uint16_t>(i), 1}, "tank").set(place{1, 2});
      }
    }));
    BOOST_REQUIRE(recorder->tick(number + 1, 0, [](auto&) {}));
    (void)recorder->pump();
  };
  tick(0, 100);
  BOOST_TEST(!recorder->failure());
  tick(16, 50'001);
  BOOST_REQUIRE(recorder->failure());
  BOOST_TEST((recorder->failure()->code == error_code::over_limit));
  BOOST_TEST(recorder->counters().keyframes_lost == 1u);
  tick(128, 60'000);  // a full one
  BOOST_TEST(recorder->counters().keyframes_lost == 2u);
  tick(256, 50'000);
  BOOST_TEST(!recorder->failure());
  const auto report = recorder->end();
  BOOST_REQUIRE(report);
  BOOST_TEST(!report->nothing_lost());
  BOOST_REQUIRE(report->earlier_failure);
  BOOST_TEST((report->earlier_failure->code == error_code::over_limit));
  const auto replay = opened(folder / "a");
  BOOST_TEST(replay.keyframes().size() == 2u);
  BOOST_TEST(replay.restore(256)->snapshot.core.entities.size() == 50'000u);
}

BOOST_AUTO_TEST_CASE(unsplittable_input_is_rejected) {
  const scratch_folder folder;
  auto options = pumped();
  options.split = true;
  options.signing_key_seed.emplace();
  BOOST_TEST(!little_recorder::begin(folder / "a", little_match(), options));
  options.signing_key_seed.reset();
  options.file = game::container::reel;
  BOOST_TEST(!little_recorder::begin(folder / "a", little_match(), options));
  options.file = game::container::icrep;
  options.file_limit_bytes = 1u << 20;
  BOOST_TEST(!little_recorder::begin(folder / "a", little_match(), options));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
