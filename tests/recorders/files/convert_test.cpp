// Conversions between formats.
#include "tickreel/files/convert.hpp"
#include "tickreel/files/extra.hpp"

#include <algorithm>
#include <cmath>

#include "fixtures.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/io/filesystem_path.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(convert_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Half precision keeps 11 bits.
bool near_as_half(float want, float got) {
  return std::abs(want - got) <= std::abs(want) / 2048 + 0.002f;
}

// .butter stores ASCII names; other characters are dropped.
bool same_name(std::string_view want, std::string_view got) {
  const bool ascii = std::all_of(want.begin(), want.end(), [](unsigned char each) { return each < 0x80; });
  return ascii ? want == got : !got.empty();
}

// The part of a tick that .butter stores, within its guarantees: integers and texts exactly, positions and velocities within the
// format's precision.
void check_stored_fields(const echo::state& want, const echo::state& got, std::size_t tick) {
  BOOST_TEST_CONTEXT("tick " << tick) {
    BOOST_TEST(want.recorded_time_ms == got.recorded_time_ms);
    BOOST_TEST(std::abs(want.match.game_clock - got.match.game_clock) < 0.01f);
    BOOST_TEST(want.match.player_count == got.match.player_count);
    const bool arena = echo::mode_of(want.match.map_name.view()) == echo::mode::arena;
    BOOST_TEST(want.match.map_name.view() == got.match.map_name.view());
    if (arena) {
      BOOST_TEST(want.match.game_status.view() == got.match.game_status.view());
      BOOST_TEST(want.match.blue_points == got.match.blue_points);
      BOOST_TEST(want.match.orange_points == got.match.orange_points);
      BOOST_TEST(std::abs(want.match.disc.at.position.x - got.match.disc.at.position.x) < 0.04f);
      BOOST_TEST(std::abs(want.match.disc.velocity.z - got.match.disc.velocity.z) < 0.04f);
    }
    BOOST_TEST((want.bones == echo::bones_kind::present) == (got.bones == echo::bones_kind::present));
    BOOST_REQUIRE(want.match.player_count == got.match.player_count);
    for (std::size_t each = 0; each < want.match.player_count; ++each) {
      const echo::player& a = want.players[each];
      const echo::player& b = got.players[each];
      BOOST_TEST(same_name(a.name.view(), b.name.view()), a.name.view() << " became " << b.name.view());
      BOOST_TEST(a.userid == b.userid);
      BOOST_TEST(a.ping == b.ping);
      BOOST_TEST(a.stunned == b.stunned);
      BOOST_TEST(a.possession == b.possession);
      BOOST_TEST(near_as_half(a.head.position.x, b.head.position.x));
      BOOST_TEST(near_as_half(a.head.position.z, b.head.position.z));
      BOOST_TEST(std::abs(a.velocity.y - b.velocity.y) < 0.05f);
      if ((a.fields & echo::player::has_stats) == 0) continue;
      BOOST_TEST(a.stats.points == b.stats.points);
      BOOST_TEST(a.stats.goals == b.stats.goals);
      BOOST_TEST(a.stats.stuns == b.stats.stuns);
      BOOST_TEST(a.stats.assists == b.stats.assists);
    }
  }
}

void check_round_trip(const std::filesystem::path& original) {
  BOOST_TEST_CONTEXT(original) {
    const scratch_folder folder;
    const auto butter = folder.path() / "x.butter";
    const auto back = folder.path() / "x.echoreplay";
    auto there = files::convert(original, butter);
    BOOST_REQUIRE_MESSAGE(there, (there ? "" : describe(there.error())));
    auto again = files::convert(butter, back);
    BOOST_REQUIRE_MESSAGE(again, (again ? "" : describe(again.error())));
    BOOST_TEST(there->ticks == again->ticks);
    const auto want = all_ticks(original);
    const auto got = all_ticks(back);
    BOOST_REQUIRE(want.size() == got.size());
    for (std::size_t tick = 0; tick < want.size(); ++tick) check_stored_fields(want[tick], got[tick], tick);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(real_recordings_keep_what_butter_stores) {
  if (shared_data("butter").empty()) return;
  std::size_t files = 0;
  for (const auto& entry : shared_files("butter", ".echoreplay")) {
    check_round_trip(entry);
    ++files;
  }
  BOOST_TEST(files > 10u);
}

BOOST_AUTO_TEST_CASE(simulated_matches_keep_what_butter_stores) {
  const scratch_folder folder;
  for (const bool bones : {false, true}) {
    const auto path = folder.path() / (bones ? "bones.echoreplay" : "plain.echoreplay");
    write_match(path, {}, short_match(bones));
    check_round_trip(path);
  }
}

BOOST_AUTO_TEST_CASE(an_echoreplay_keeps_its_text) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original, {}, short_match(true));
  const auto copy = folder.path() / "b.echoreplay";
  const auto reel = folder.path() / "b.reel";
  const auto from_reel = folder.path() / "c.echoreplay";
  BOOST_REQUIRE(files::convert(original, copy));
  BOOST_REQUIRE(files::convert(original, reel));
  BOOST_REQUIRE(files::convert(reel, from_reel));
  const std::string want = text_of_plain(folder, original);
  BOOST_TEST(want.size() > 1'000'000u);
  BOOST_TEST((text_of_plain(folder, copy) == want));
  BOOST_TEST((text_of_plain(folder, from_reel) == want));
}

BOOST_AUTO_TEST_CASE(frames_are_kept_between_butter_files) {
  const scratch_folder folder;
  const auto gzip = folder.path() / "a.butter";
  write_match(gzip, {}, short_match(true));
  files::convert_options options;
  for (const codec_id codec : {codec_id::none, codec_id::zstd, codec_id::gzip}) {
    if (!is_available(codec)) continue;
    options.codec = codec_options{.codec = codec};
    options.overwrite = true;
    const auto other = folder.path() / "b.butter";
    auto report = files::convert(gzip, other, options);
    BOOST_REQUIRE(report);
    BOOST_TEST(report->kept_frames);
    BOOST_TEST((all_states(other) == all_states(gzip)));
  }
  // Back to the original compression, the file equals the original.
  BOOST_TEST((read_file(folder.path() / "b.butter") == read_file(gzip)));
}

BOOST_AUTO_TEST_CASE(options_that_require_other_frames_reencode) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.butter";
  write_match(original, {}, short_match(true));
  files::convert_options options;
  options.keyframe_interval_ticks = 50;
  options.bones = false;
  auto report = files::convert(original, folder.path() / "b.butter", options);
  BOOST_REQUIRE(report);
  BOOST_TEST(!report->kept_frames);
  const auto want = all_ticks(original);
  const auto got = all_ticks(folder.path() / "b.butter");
  BOOST_REQUIRE(want.size() == got.size());
  BOOST_TEST(std::none_of(got.begin(), got.end(),
                          [](const echo::state& each) { return each.bones == echo::bones_kind::present; }));
  const byte_vector bytes = read_file(folder.path() / "b.butter");
  auto reader = butter::reader::open(bytes);
  BOOST_REQUIRE(reader);
  BOOST_TEST(reader->head().keyframe_interval_ticks == 50u);
  BOOST_TEST(reader->chunk_count() >= want.size() / 50);
}

BOOST_AUTO_TEST_CASE(another_session_or_map_goes_into_another_butter) {
  const scratch_folder folder;
  auto match = short_match();
  match.incidents = false;
  const auto first = folder.path() / "1.echoreplay";
  const auto second = folder.path() / "2.echoreplay";
  write_match(first, {}, match);
  match.seed = 8;
  match.start_time_ms += 60'000;
  write_match(second, {}, match);
  const auto both = folder.path() / "both.echoreplay";
  write_file(both, text_of_plain(folder, first) + text_of_plain(folder, second));
  auto report = files::convert(both, folder.path() / "x.butter");
  BOOST_REQUIRE(report);
  BOOST_REQUIRE(report->files.size() == 2u);
  BOOST_TEST(report->files[0] == folder.path() / "x.butter");
  BOOST_TEST(report->files[1] == folder.path() / "x-2.butter");
  BOOST_TEST(all_ticks(filesystem_path(report->files[0])).size() == all_ticks(first).size());
  BOOST_TEST(all_ticks(filesystem_path(report->files[1])).size() == all_ticks(second).size());
  BOOST_TEST(report->ticks == all_ticks(both).size());
  // Stopped in the second file, or because a file of that name exists: the first output is removed as well.
  files::convert_options options;
  options.extra = true;
  options.watch.cancelled = [&] { return std::filesystem::exists(folder.path() / "y.butter"); };
  const auto given_up = files::convert(both, folder.path() / "y.butter", options);
  BOOST_REQUIRE(!given_up);
  BOOST_TEST((given_up.error().code == error_code::interrupted));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "y.butter"));
  BOOST_TEST(!std::filesystem::exists(files::extra_path(folder.path() / "y.butter").utf8()));
  write_file(folder.path() / "z-2.butter", std::string_view("precious"));
  BOOST_TEST(!files::convert(both, folder.path() / "z.butter").has_value());
  BOOST_TEST(!std::filesystem::exists(folder.path() / "z.butter"));
  BOOST_TEST(as_text(read_file(folder.path() / "z-2.butter")) == "precious");
}

BOOST_AUTO_TEST_CASE(nothing_is_overwritten_and_no_temporary_file_is_left) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  for (const char* name : {"x.butter", "x.echoreplay", "x.reel"}) {
    const auto taken = folder.path() / name;
    write_file(taken, std::string_view("precious"));
    auto refused = files::convert(original, taken);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == error_code::already_exists));
    BOOST_TEST(as_text(read_file(taken)) == "precious");
    files::convert_options options;
    options.overwrite = true;
    BOOST_TEST(files::convert(original, taken, options).has_value());
    BOOST_TEST(as_text(read_file(taken)) != "precious");
  }
  // A file that gets the name during the conversion belongs to another program.
  for (const char* name : {"w.butter", "w.echoreplay", "w.reel"}) {
    const auto taken = folder.path() / name;
    files::convert_options options;
    options.watch.cancelled = [&taken] {
      if (!std::filesystem::exists(taken)) write_file(taken, std::string_view("precious"));
      return false;
    };
    auto refused = files::convert(original, taken, options);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == error_code::already_exists), name);
    BOOST_TEST(as_text(read_file(taken)) == "precious", name);
  }
  files::convert_options with_extra;
  with_extra.extra = true;
  const auto extra = filesystem_path(files::extra_path(folder.path() / "v.butter"));
  with_extra.watch.cancelled = [&extra] {
    if (!std::filesystem::exists(extra)) write_file(extra, std::string_view("precious"));
    return false;
  };
  BOOST_TEST(!files::convert(original, folder.path() / "v.butter", with_extra).has_value());
  BOOST_TEST(as_text(read_file(extra)) == "precious");
  BOOST_TEST(!std::filesystem::exists(folder.path() / "v.butter"));
  BOOST_TEST((files::convert(original, original).error().code == error_code::invalid_argument));
  BOOST_TEST(
      (files::convert(original, folder.path() / "x.mp4").error().code == error_code::invalid_argument));
  // Cancelled: no output, no temporary file.
  std::size_t before = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder.path())) ++before;
  for (const char* name : {"y.butter", "y.echoreplay", "y.reel"}) {
    files::convert_options options;
    std::size_t asked = 0;
    options.watch.cancelled = [&asked] { return ++asked > 2; };
    auto stopped = files::convert(original, folder.path() / name, options);
    BOOST_REQUIRE(!stopped);
    BOOST_TEST((stopped.error().code == error_code::interrupted), name);
  }
  std::size_t after = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder.path())) ++after;
  BOOST_TEST(before == after);
}

BOOST_AUTO_TEST_CASE(unreadable_lines_are_skipped_and_reported) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  std::string text = text_of_plain(folder, original);
  const std::size_t ticks = all_ticks(original).size();
  const std::size_t third = text.find('\n', text.find('\n') + 1) + 1;
  text.insert(third, "nonsense\r\n2022/07/16 20:04:58.159\t{\"err_code\":-6}\r\n\r\n");
  text.resize(text.size() - 1000);  // and the last line is truncated
  const auto broken = folder.path() / "broken.echoreplay";
  write_file(broken, text);
  auto source = files::open_echo(broken);
  BOOST_REQUIRE(source);
  auto tick = std::make_unique<echo::state>();
  std::size_t read = 0;
  while ((*source)->next(*tick).value()) ++read;
  BOOST_TEST(read == ticks - 1);
  const files::source_losses losses = (*source)->losses();
  BOOST_TEST(losses.skipped_lines == 1u);
  BOOST_TEST(losses.first_skipped_line == 3u);
  BOOST_TEST(losses.first_skipped_offset == third);
  BOOST_TEST(losses.error_replies == 1u);
  BOOST_TEST(losses.cut_short);
  BOOST_TEST(files::sentences(losses).size() == 2u);
  auto report = files::convert(broken, folder.path() / "b.butter");
  BOOST_REQUIRE(report);
  BOOST_TEST(report->lossy_source());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
