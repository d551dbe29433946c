// A match recorded as a reel of rows: reading returns the game's responses, whatever happens on the way.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "file_bytes.hpp"
#include "match/kept_lines.hpp"
#include "support/match_driver.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/line_comparison.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/same_content.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(row_reel_test)

namespace {

using namespace test;

// A number of players in a match, all of them with bones.
struct crowd {
  std::string session;
  std::string bones;
};
crowd crowd_of(std::uint32_t tick, std::size_t players) {
  const auto state = std::make_unique<echo::state>();
  scripted_match match;
  match.bones = true;
  fill_tick(match, tick, *state);
  // Those of the first team come first.
  state->players[players - 1] = state->players[1];
  for (std::size_t i = 1; i + 1 < players; ++i) {
    state->players[i] = state->players[0];
    state->players[i].name.assign("player " + std::to_string(i));
    state->players[i].userid = 2000 + i;
  }
  for (std::size_t i = 0; i < players; ++i) {
    state->players[i].playerid = static_cast<std::int32_t>(i);
    state->bone_players[i].playerid = static_cast<std::int32_t>(i);
  }
  state->match.teams[0].player_count = static_cast<std::uint8_t>(players - 1);
  state->match.player_count = state->bone_player_count = static_cast<std::uint8_t>(players);
  crowd made;
  echo::append_session_json(*state, echo::json_shape::api, echo::number_style::game, made.session);
  echo::append_bones_json(*state, echo::json_shape::api, echo::number_style::game, made.bones);
  return made;
}

std::size_t largest_player_count(const std::filesystem::path& path) {
  auto source = files::open_echo(path);
  BOOST_REQUIRE(source.has_value());
  const auto state = std::make_unique<echo::state>();
  std::size_t most = 0;
  while ((*source)->next(*state).value()) most = std::max<std::size_t>(most, state->match.player_count);
  return most;
}

// A plain .echoreplay of `from`.
std::string text_of(const temporary_folder& folder, const std::filesystem::path& from) {
  files::convert_options plain;
  plain.overwrite = true;
  plain.codec = codec_options{.codec = codec_id::none};
  const auto path = folder.path() / "text.echoreplay";
  const auto made = files::convert(file_path(from), path, plain);
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
  const byte_vector bytes = read_file(path);
  return std::string(as_text(bytes));
}

// Compaction of `reel` loses nothing: the same ticks in the same lines.
void check_compact(const temporary_folder& folder, const std::filesystem::path& reel) {
  const auto compact = folder.path() / "compact.small";
  const auto made = files::compact(reel, compact);
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
  const auto compared = files::compare_lines(compact, reel);
  BOOST_REQUIRE(compared.has_value());
  BOOST_TEST(compared->different == 0u, compared->first);
  const auto same = files::has_same_content(compact, reel);
  BOOST_REQUIRE(same.has_value());
  BOOST_TEST(*same);
  BOOST_TEST(text_of(folder, compact) == text_of(folder, reel));
  std::filesystem::remove(compact);
}

// Rejects events on request.
struct forgetful_recorder {
  bool refuses = false;
  std::uint64_t lost = 0;
  std::vector<std::pair<std::uint64_t, byte_vector>> events;

  bool event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later) {
    BOOST_TEST(type == echoreplay::line_event);
    BOOST_TEST(needed_later == echoreplay::line_restorer::is_shape(bytes));
    if (refuses) ++lost;
    if (!refuses) events.emplace_back(stamp.tick, byte_vector(bytes.begin(), bytes.end()));
    return !refuses;
  }
  [[nodiscard]] recorder_counters counters() const {
    recorder_counters all;
    all.events_lost = lost;
    return all;
  }
};

BOOST_AUTO_TEST_CASE(a_reel_has_rows_and_their_original_lines) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay, record_format::reel}));
  scripted_match match;
  for (std::uint32_t i = 0; i < 120; ++i) {
    match.bones = i % 3 != 0;  // some arrive too late
    (void)game.tick(match, i);
  }
  game.recorder().close();
  const auto path = folder.files(".reel").at(0);
  const auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel.has_value());
  BOOST_TEST(reel->head().encoder_name == "tracks");
  const auto compared = files::compare_lines(path, folder.files(".echoreplay").at(0));
  BOOST_REQUIRE(compared.has_value());
  BOOST_TEST(compared->ticks == 120u);
  BOOST_TEST(compared->different == 0u, compared->first);
  check_compact(folder, path);
}

BOOST_AUTO_TEST_CASE(there_is_capacity_for_players_who_join) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay, record_format::reel}));
  for (std::uint32_t i = 0; i < 60; ++i) {
    const crowd now = crowd_of(i, i < 20 ? 8 : i < 40 ? 17 : echo::max_players);
    (void)game.answer(now.session, now.bones, true);
  }
  game.recorder().close();
  BOOST_REQUIRE_EQUAL(folder.files(".reel").size(), 1u);
  const auto path = folder.files(".reel")[0];
  check_ticks(path, numbers(0, 60));
  BOOST_TEST(largest_player_count(path) == echo::max_players);
  const auto compared = files::compare_lines(path, folder.files(".echoreplay").at(0));
  BOOST_REQUIRE(compared.has_value());
  BOOST_TEST(compared->different == 0u, compared->first);
  BOOST_TEST(game.recorder().status().left_out == 0u);
  check_compact(folder, path);
}

// Without bones, as most users record, and with capacity for fewer players.
BOOST_AUTO_TEST_CASE(compact_reels_give_the_same_lines) {
  for (const bool bones : {false, true}) {
    const temporary_folder folder;
    driver game(in(folder, {record_format::reel}));
    scripted_match match;
    match.bones = bones;
    for (std::uint32_t i = 0; i < 120; ++i) (void)game.tick(match, i);
    game.recorder().close();
    check_compact(folder, folder.files(".reel").at(0));
  }
}

// A state does not contain every value of a response; the reel reports this to readers of states, and stores the text.
BOOST_AUTO_TEST_CASE(values_outside_of_rows_are_reported_to_readers_of_states) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::reel}));
  for (std::uint32_t i = 0; i < 20; ++i) {
    std::string text = session_text({}, i);
    text.insert(1, "\"jetpack\":" + std::to_string(i / 7) + ",");
    (void)game.answer(text);
  }
  game.recorder().close();
  BOOST_TEST(game.recorder().status().left_out == 0u);
  const auto path = folder.files(".reel").at(0);
  const std::string text = text_of(folder, path);
  BOOST_TEST(text.find("\"jetpack\":2,") != std::string::npos);
  const auto butter = files::convert(file_path(path), folder.path() / "a.butter");
  BOOST_REQUIRE(butter.has_value());
  BOOST_TEST(butter->losses.left_out.count(echo::omission_kind::unknown_field) == 20u);
}

// A .tape is published from such a reel, which then has no lines.
BOOST_AUTO_TEST_CASE(a_killed_recorders_reel_becomes_the_tape) {
  const temporary_folder folder;
  const temporary_folder other;
  const auto copy = other.path() / "killed.tape.reel";
  const auto output = other.path() / "killed.tape";
  scripted_match match;
  match.bones = true;
  std::uint32_t tick = 0;
  driver game(in(folder, {record_format::tape}));
  // As after a crash: a copy of the sealed part.
  BOOST_REQUIRE(eventually([&] {
    (void)game.tick(match, tick++);
    if (folder.files(".reel").empty()) return false;
    write_file(copy, read_file(folder.files(".reel")[0]));
    const auto reel = reel::reader::open(copy);
    return reel &&
           std::any_of(reel->contents().records.begin(), reel->contents().records.end(),
                       [](const reel::record_info& each) { return each.kind == reel::record_kind::chunk; });
  }));
  const auto recovered = files::recover(file_path(copy));
  BOOST_REQUIRE_MESSAGE(recovered, (recovered ? "" : describe(recovered.error())));
  BOOST_TEST((recovered->output == file_path(output)));
  BOOST_TEST(recovered->ticks > 0u);
  check_ticks(output, numbers(0, static_cast<std::uint32_t>(recovered->ticks)));
  // What a .tape cannot hold is not a loss of the recording, only its last second is.
  BOOST_TEST(recovered->lost.size() == 1u);
  BOOST_TEST(!recovered->left_out.empty());

  game.recorder().close();
  BOOST_TEST(folder.files(".reel").empty());
  BOOST_REQUIRE(folder.files(".tape").size() == 1u);
  check_ticks(folder.files(".tape")[0], numbers(0, tick));
  const auto finished = game.events(event_kind::file_finished);
  BOOST_REQUIRE(finished.size() == 1u);
  BOOST_TEST(finished[0].line.find(" cannot be stored; the first is in tick 0") != std::string::npos,
             finished[0].line);
  BOOST_TEST(game.recorder().status().left_out == 0u);
}

BOOST_AUTO_TEST_CASE(a_killed_recorders_reel_becomes_every_format) {
  const temporary_folder folder;
  const temporary_folder other;
  const auto copy = other.path() / "killed.reel";
  std::uint32_t tick = 0;
  std::string text;
  {
    driver game(in(folder, {record_format::reel}));
    scripted_match match;
    match.bones = true;
    // As after a crash: a copy of the sealed part, up to the second chunk.
    BOOST_REQUIRE(eventually([&] {
      (void)game.tick(match, tick++);
      if (folder.files(".reel").empty()) return false;
      write_file(copy, read_file(folder.files(".reel")[0]));
      const auto reel = reel::reader::open(copy);
      if (!reel) return false;
      std::size_t chunks = 0;
      for (const auto& each : reel->contents().records) chunks += each.kind == reel::record_kind::chunk;
      return chunks >= 2;
    }));
    game.recorder().close();
    text = text_of(other, folder.files(".reel").at(0));
  }
  std::filesystem::resize_file(copy, std::filesystem::file_size(copy) - 3);
  const auto saved = other.path() / "saved.reel";
  const auto recovered = files::recover(file_path(copy), file_path(saved));
  BOOST_REQUIRE_MESSAGE(recovered, (recovered ? "" : describe(recovered.error())));
  BOOST_TEST(!recovered->lost.empty());
  const auto verified = files::open(saved).value()->verify();
  BOOST_REQUIRE(verified.has_value());
  BOOST_TEST(verified->ok());
  const std::string some = text_of(other, saved);
  BOOST_TEST(!some.empty());
  BOOST_TEST(text.starts_with(some));
  for (const char* name : {"killed.echoreplay", "killed.butter"}) {
    const auto made = files::recover(file_path(copy), file_path(other.path() / name));
    BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
    BOOST_TEST(made->ticks == recovered->ticks);
    BOOST_TEST(!made->lost.empty());
    check_ticks(other.path() / name, numbers(0, static_cast<std::uint32_t>(made->ticks)));
  }
}

// Where events are lost, lines are missing; no line is made of another line's parts.
BOOST_AUTO_TEST_CASE(lost_events_cost_their_lines_and_no_others) {
  kept_lines lines;
  forgetful_recorder to;
  const auto state = std::make_unique<echo::state>();
  const echo::omission_tally nothing;
  std::vector<std::string> said;
  std::vector<echo::line_reference> kept;
  constexpr std::uint32_t ticks = 300;
  for (std::uint32_t i = 0; i < ticks; ++i) {
    scripted_match match;
    match.rate_hz = 60;
    fill_tick(match, i, *state);
    std::string text = session_text(match, i);
    if (i % 50 > 20) text.insert(1, "\"jetpack\":" + std::to_string(i % 4) + ",");
    to.refuses = i == 0 || (i >= 70 && i < 120);
    match_tick tick;
    tick.stamp = {i, std::int64_t{i} * 16'667};
    tick.time_ms = state->recorded_time_ms;
    tick.session = text;
    tick.state = state.get();
    tick.left_out = &nothing;
    kept.push_back(lines.keep(to, tick));
    said.emplace_back();
    echoreplay::append_answers(tick.time_ms, text, {}, false, said.back());
  }
  echoreplay::line_restorer restorer;
  std::uint64_t missing = 0;
  std::uint64_t after = 0;
  for (std::uint32_t i = 0; i < ticks; ++i) {
    std::vector<byte_vector> own;
    for (const auto& [tick, bytes] : to.events) {
      if (tick == i) own.push_back(bytes);
    }
    const echoreplay::line_events found = restorer.take(own);
    scripted_match match;
    fill_tick(match, i, *state);
    std::string line;
    if (!restorer.append_line(kept[i], *state, found.patch, line)) {
      ++missing;
      continue;
    }
    BOOST_TEST(line == said[i]);
    if (i > 200) ++after;
  }
  BOOST_TEST(missing == lines.missing_lines());
  BOOST_TEST(missing > 60u);
  BOOST_TEST(after == ticks - 201);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
