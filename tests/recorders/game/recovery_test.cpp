// Recovery of reels, and of the live files with spools of version 0.1.
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "file_bytes.hpp"
#include "old_live_file.hpp"
#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/recover.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(recovery_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t ticks = 120;

void record(const std::string& path, const game::match& about = little_match()) {
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 5;
  options.full_keyframe_interval = 3;
  options.record_voice = true;
  auto recorder = little_recorder::begin(path, about, options);
  BOOST_REQUIRE(recorder);
  BOOST_TEST(recorder->voice_track(0, true));
  small_world world;
  const std::byte packet[4] = {};
  for (std::uint64_t tick = 0; tick < ticks; ++tick, world.step()) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    BOOST_REQUIRE(recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 2}, 3));
    BOOST_TEST(recorder->event(analysis::pause_event{tick, 0, true}));
    BOOST_TEST(recorder->voice(0, packet));
    (void)recorder->pump();
  }
  BOOST_REQUIRE(recorder->end());
}

// Header and sections are complete, as in a finished file, one after the other, and streams state where they end.
void check_every_byte_has_a_section(const std::string& path) {
  const byte_vector file = read_file(path);
  const auto header = icrep::read_header(file);
  BOOST_REQUIRE(header);
  std::vector<icrep::section> sections = {header->metadata, header->orders, header->keyframes,
                                          header->events,   header->voice,  header->signature,
                                          header->embedded};
  std::erase_if(sections, [](const icrep::section& one) { return one.length == 0; });
  std::ranges::sort(sections, {}, &icrep::section::offset);
  std::size_t end = icrep::header_bytes;
  for (const icrep::section& one : sections) {
    BOOST_TEST(one.offset == end, path);
    end = std::size_t{one.offset} + one.length;
  }
  BOOST_TEST(end == file.size(), path);
  for (const auto& [place, kind] : {std::pair(header->orders, icrep::block_kind::orders),
                                    std::pair(header->events, icrep::block_kind::events),
                                    std::pair(header->voice, icrep::block_kind::voice)}) {
    const auto index = icrep::index_blocks(byte_span(file).subspan(place.offset, place.length), kind);
    for (const icrep::block& one : index.blocks) {
      BOOST_TEST(one.head.last == (&one == &index.blocks.back()), path);
    }
  }
}

// Orders, states, events and voice up to the end of `some` are those of `all`.
void check_beginning(const std::string& some_path, const std::string& all_path) {
  const game::replay some = opened(some_path);
  const game::replay all = opened(all_path);
  const std::uint64_t end = some.total_ticks();
  icrep::tick_frame one;
  icrep::tick_frame other;
  auto frames = some.orders(0, end);
  for (auto others = all.orders(0, end); others.next(other);) {
    BOOST_REQUIRE(frames.next(one));
    BOOST_TEST((one == other));
  }
  BOOST_TEST(!frames.next(one));
  for (std::size_t i = 0; i < some.keyframes().size(); ++i) {
    BOOST_TEST((some.file().snapshot(i).value() == all.file().snapshot(i).value()));
  }
  BOOST_TEST(some.keyframes().size() == std::max<std::uint64_t>(1, (end + 4) / 5));
  std::size_t events = 0;
  analysis::event happened;
  for (auto cursor = some.events(); cursor.next(happened); ++events) {
    BOOST_TEST(analysis::tick_of(happened) == events);
  }
  BOOST_TEST(events == end);
  std::size_t packets = 0;
  byte_span record;
  std::uint64_t offset = 0;
  for (auto voice = some.file().voice(); voice.next(record, offset);) ++packets;
  BOOST_TEST(packets == end + 1);  // and the track
}

}  // namespace

BOOST_AUTO_TEST_CASE(live_files_of_version_0_1) {
  const scratch_folder folder;
  record(folder / "whole.icrep");
  for (const std::uint64_t recorded_ticks : {1u, 16u, 77u, 120u}) {
    const std::string path = folder / ("old" + std::to_string(recorded_ticks) + ".icrep");
    leave_old_live_file(folder / "whole.icrep", path, recorded_ticks);
    const game::replay live = opened(path);
    BOOST_TEST(live.file().header().live);
    BOOST_TEST(live.total_ticks() == recorded_ticks);
    const auto recovered = game::recover(path);
    BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
    BOOST_TEST(recovered->changed);
    BOOST_TEST(recovered->total_ticks == recorded_ticks);
    for (const char* spool : {".kf", ".ev", ".vo"}) BOOST_TEST(!std::filesystem::exists(path + spool));
    const game::replay done = opened(path);
    BOOST_TEST(!done.file().header().live);
    BOOST_TEST(done.file().header().incomplete);
    check_beginning(path, folder / "whole.icrep");
    check_every_byte_has_a_section(path);
    const auto again = game::recover(path);
    BOOST_REQUIRE(again);
    BOOST_TEST(!again->changed);
  }
}

// Truncated anywhere: the complete part is recovered.
BOOST_AUTO_TEST_CASE(truncated_live_files_of_version_0_1) {
  auto random = seeded_random("cut live files");
  const scratch_folder folder;
  record(folder / "whole.icrep");
  leave_old_live_file(folder / "whole.icrep", folder / "live.icrep", ticks);
  const byte_vector live = read_file(folder / "live.icrep");
  std::uint64_t saved = 0;
  for (int round = 0; round < 40; ++round) {
    const std::string path = folder / ("cut" + std::to_string(round) + ".icrep");
    write_file(path, byte_span(live).first(random() % live.size()));
    for (const char* spool : {".kf", ".ev", ".vo"}) {
      std::filesystem::copy_file(folder / "live.icrep" + spool, path + spool);
    }
    const auto recovered = game::recover(path);
    if (!recovered) continue;  // truncated in the head
    saved += recovered->total_ticks;
    check_beginning(path, folder / "whole.icrep");
    check_every_byte_has_a_section(path);
  }
  BOOST_TEST(saved > 0u);
}

// However a file was created.
BOOST_AUTO_TEST_CASE(there_are_no_gaps_between_sections) {
  const scratch_folder folder;
  record(folder / "ended.icrep");
  check_every_byte_has_a_section(folder / "ended.icrep");
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "ended.icrep", folder / "ended.reel"));
  BOOST_REQUIRE(game::convert_reel_to_icrep(folder / "ended.reel", folder / "converted.icrep"));
  check_every_byte_has_a_section(folder / "converted.icrep");
  {
    game::match_options options;
    options.mode = threading::pumped;
    auto recorder = little_recorder::begin(folder / "left.icrep", little_match(), options);
    BOOST_REQUIRE(recorder);
    small_world world;
    for (std::uint64_t tick = 0; tick < 300; ++tick, world.step()) {
      BOOST_REQUIRE(recorder->tick(tick, 0, [&](auto& to) { world.describe(to); }));
      (void)recorder->pump();
    }
  }
  BOOST_REQUIRE(game::convert_reel_to_icrep(folder / "left.icrep.reel", folder / "recorded_ticks.icrep"));
  check_every_byte_has_a_section(folder / "recorded_ticks.icrep");
  BOOST_REQUIRE(game::recover(folder / "left.icrep"));
  check_every_byte_has_a_section(folder / "left.icrep");
  BOOST_TEST(opened(folder / "left.icrep").facts().total_ticks == 300u);
  BOOST_TEST(opened(folder / "left.icrep").facts().hashes_core());
}

BOOST_AUTO_TEST_CASE(a_published_reel_is_removed) {
  const scratch_folder folder;
  record(folder / "a.icrep");
  const byte_vector published_bytes = read_file(folder / "a.icrep");
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.icrep.reel"));
  const auto recovered = game::recover(folder / "a.icrep");
  BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
  BOOST_TEST(!recovered->changed);
  BOOST_TEST(!std::filesystem::exists(folder / "a.icrep.reel"));
  BOOST_TEST((read_file(folder / "a.icrep") == published_bytes));
}

BOOST_AUTO_TEST_CASE(a_reel_stays_beside_another_match) {
  const scratch_folder folder;
  auto other = little_match();
  other.replay_id.back() = '2';
  record(folder / "a.icrep", other);
  record(folder / "b.icrep");
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a.icrep", folder / "b.icrep.reel"));
  const auto refused = game::recover(folder / "b.icrep");
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::already_exists));
  BOOST_TEST(std::filesystem::exists(folder / "b.icrep.reel"));
}

// A match whose file could not be published was ended anyway.
BOOST_AUTO_TEST_CASE(an_ended_match_is_complete_when_it_is_published_later) {
  const scratch_folder folder;
  record(folder / "a.icrep");
  const byte_vector published_bytes = read_file(folder / "a.icrep");
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.icrep.reel"));
  std::filesystem::remove(folder / "a.icrep");
  const auto recovered = game::recover(folder / "a.icrep");
  BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
  BOOST_TEST(recovered->changed);
  BOOST_TEST(recovered->total_ticks == ticks);
  BOOST_TEST(!opened(folder / "a.icrep").file().header().incomplete);
  BOOST_TEST((read_file(folder / "a.icrep") == published_bytes));
}

BOOST_AUTO_TEST_CASE(an_obstacle_is_named) {
  const scratch_folder folder;
  {
    auto recorder = little_recorder::begin(folder / "a.icrep", little_match());
    BOOST_REQUIRE(recorder);
    BOOST_REQUIRE(recorder->tick(0, 1));
  }
  const auto refused = little_recorder::begin(folder / "a.icrep", little_match());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::already_exists));
  BOOST_TEST(describe(refused.error()).find("recover") != std::string::npos);
  BOOST_TEST((game::recover(folder / "none.icrep").error().code == error_code::not_found));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
