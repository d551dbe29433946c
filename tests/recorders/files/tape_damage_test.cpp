// .tape and .nevrcap: truncated at every byte, damaged, and recovered.
#include "captures.hpp"
#include "random.hpp"
#include "tickreel/files/recover.hpp"

BOOST_AUTO_TEST_SUITE(files_tape_tests)
BOOST_AUTO_TEST_SUITE(tape_damage_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
}  // namespace

BOOST_AUTO_TEST_CASE(a_file_cut_at_any_byte_gives_its_first_ticks) {
  const scratch_folder folder;
  echo_vr::simulation_options one_each = short_match();
  one_each.players_per_team = 1;
  write_match(folder.path() / "match.echoreplay", {}, one_each);
  files::convert_options options;
  options.keyframe_interval_ticks = 3;
  options.range.to = files::moment::at_tick(7);
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = folder.path() / (std::string("small.") + format);
    BOOST_REQUIRE(files::convert(folder.path() / "match.echoreplay", path, options));
    const byte_vector whole = read_file(path);
    const auto want = all_ticks(path);
    const auto tick = std::make_unique<echo::state>();
    std::size_t most = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto source = files::open_echo(byte_span(whole).first(size), {.tolerant = true});
      if (!source) continue;
      std::size_t ticks = 0;
      for (;; ++ticks) {
        const auto more = (*source)->next(*tick);
        BOOST_REQUIRE(more);
        if (!*more) break;
        BOOST_REQUIRE(ticks < want.size());
        BOOST_REQUIRE(tick->recorded_time_ms == want[ticks].recorded_time_ms);
        BOOST_REQUIRE(tick->players[0].name == want[ticks].players[0].name);
      }
      BOOST_TEST(ticks >= most, format << " cut at " << size);
      most = std::max(most, ticks);
      // A .nevrcap has no end: cut between two zstd frames it is whole. A .tape is without its seek table.
      constexpr std::size_t table_bytes = 8 + 5 * 8 + 9;
      if (std::string_view(format) == "tape" && size != whole.size() - table_bytes) {
        BOOST_TEST((*source)->losses().cut_short, "cut at " << size);
      }
    }
    BOOST_TEST(most == want.size());
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_gives_no_wrong_tick) {
  auto random = seeded_random("flipped bits of captures");
  const scratch_folder folder;
  write_match(folder.path() / "match.echoreplay");
  files::convert_options options;
  options.keyframe_interval_ticks = 10;
  options.range.to = files::moment::at_tick(60);
  const auto damaged = folder.path() / "damaged";
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = folder.path() / (std::string("small.") + format);
    BOOST_REQUIRE(files::convert(folder.path() / "match.echoreplay", path, options));
    const byte_vector whole = read_file(path);
    const std::vector<std::string> want = all_states(path);
    for (int round = 0; round < 150; ++round) {
      const std::size_t bit = static_cast<std::size_t>(random() % (whole.size() * 8));
      BOOST_TEST_CONTEXT(format << ", bit " << bit) {
        byte_vector bytes = whole;
        bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
        write_file(damaged, bytes);
        std::optional<error> ended_with;
        const std::vector<std::string> got = all_states(damaged, &ended_with);
        BOOST_REQUIRE(got.size() <= want.size());
        BOOST_TEST(std::equal(got.begin(), got.end(), want.begin()));
        BOOST_TEST((got.size() == want.size() || ended_with.has_value()));
        const auto opened = files::open(damaged);
        if (!opened) continue;
        const auto checked = (*opened)->verify();
        BOOST_REQUIRE(checked);
        // The unused bits of a zstd frame's header and of the table's descriptor.
        BOOST_TEST((has_errors(*checked) || got.size() == want.size()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_clip_of_a_damaged_file_into_a_reel_states_the_loss) {
  const scratch_folder folder;
  write_match(folder.path() / "match.echoreplay");
  for (const char* format : {"tape", "nevrcap"}) {
    files::convert_options options;
    options.keyframe_interval_ticks = 10;
    options.range.to = files::moment::at_tick(60);
    const auto path = folder.path() / (std::string("damaged.") + format);
    BOOST_REQUIRE(files::convert(folder.path() / "match.echoreplay", path, options));
    byte_vector bytes = read_file(path);
    bytes[bytes.size() * 2 / 3] ^= std::byte{1};
    write_file(path, bytes);
    const auto part = folder.path() / (std::string(format) + ".reel");
    options.range = {};
    options.range.from = files::moment::at_tick(1);
    const auto made = files::convert(path, part, options);
    BOOST_REQUIRE_MESSAGE(made, format << ": " << (made ? "" : describe(made.error())));
    BOOST_TEST(made->losses.damaged_places + made->losses.lost_ticks > 0u, format);
    const auto opened = open_recording(part);
    BOOST_TEST(files::name(opened->summarise().value().health) == "recovered", format);
    BOOST_TEST(!opened->losses().empty(), format);
  }
}

BOOST_AUTO_TEST_CASE(a_cut_file_is_recovered) {
  const scratch_folder folder;
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = written(folder, (std::string("cut.") + format).c_str(), false);
    byte_vector bytes = read_file(path);
    bytes.resize(bytes.size() / 2);
    write_file(path, bytes);
    const auto output = folder.path() / (std::string("whole.") + format);
    const auto report = files::recover(path, output);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    BOOST_TEST(report->ticks > 0u);
    BOOST_TEST(!report->lost.empty());
    const capture_content read = read_capture(output);
    BOOST_TEST(read.ticks.size() == report->ticks);
    BOOST_TEST(!has_errors(read.checked));
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_table_is_reported) {
  const scratch_folder folder;
  const auto path = written(folder, "wrong.tape", false);
  const auto want = all_states(path);
  const auto whole = files::recover(path, folder.path() / "whole.tape");
  BOOST_REQUIRE(whole);
  BOOST_TEST(whole->lost.empty());
  byte_vector bytes = read_file(path);
  constexpr std::size_t end_of_table = 9, decoded_size = 4;
  bytes[bytes.size() - end_of_table - decoded_size] ^= std::byte{1};
  write_file(path, bytes);
  BOOST_TEST(has_errors(read_capture(path).checked));
  const auto output = folder.path() / "right.tape";
  const auto report = files::recover(path, output);
  BOOST_REQUIRE(report);
  BOOST_TEST(report->lost.size() == 1u);
  BOOST_TEST(report->lost.front().find("seek table") != std::string::npos);
  BOOST_TEST(!has_errors(read_capture(output).checked));
  BOOST_TEST((all_states(output) == want));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
