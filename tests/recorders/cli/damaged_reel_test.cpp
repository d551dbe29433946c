// A byte is flipped in the head of a chunk that starts with a difference, in the reel of a killed recorder:
// every verb names the ticks that are lost, and shows none that stands on them.
#include <boost/test/unit_test.hpp>

#include "fixtures.hpp"
#include "reel_damage.hpp"
#include "run_program.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(damaged_reel_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t recorded = 120;
constexpr std::uint32_t chunk_ticks = 10;
constexpr std::uint32_t keyframe_ticks = 40;

// As the recorder leaves it when it is killed behind its last seal.
byte_vector killed_reel(const std::filesystem::path& path) {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = chunk_ticks;
  options.seal_interval_ms = 1'000'000;
  options.cadence.keyframe_interval_ticks = keyframe_ticks;
  options.ticks_per_second = 30;
  auto opened = recorder<butter::encoder>::open(path.string(), butter::encoder(), options);
  BOOST_REQUIRE(opened);
  echo_vr::match_simulator match(short_match());
  auto state = std::make_unique<echo::state>();
  for (std::uint64_t i = 0; i < recorded; ++i) {
    BOOST_REQUIRE(match.next(*state));
    BOOST_REQUIRE(opened->push(*state));
    (void)opened->pump();
  }
  return read_file(path);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_lost_chunk_is_named_and_nothing_stands_on_it) {
  const scratch_folder folder;
  byte_vector bytes = killed_reel(folder.path() / "live.butter.reel");
  const std::string whole = folder / "whole.butter.reel";
  write_file(whole, bytes);
  const std::vector<std::string> truth = lines_of(run({"cat", whole}).out);
  BOOST_REQUIRE(truth.size() == recorded);

  // Ticks 50 to 59. Those up to 79 are differences from them.
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  const auto chunk = std::ranges::find_if(reel->contents().records, [](const reel::record_info& each) {
    return each.kind == reel::record_kind::chunk && each.first_tick == 50;
  });
  BOOST_REQUIRE(
      (chunk != reel->contents().records.end() && (chunk->flags & reel::starts_with_keyframe) == 0));
  bytes[static_cast<std::size_t>(chunk->offset) + 20] ^= std::byte{0x08};
  const std::string damaged = folder / "damaged.butter.reel";
  write_file(damaged, bytes);
  std::vector<std::string> sound(truth.begin(), truth.begin() + 50);
  sound.insert(sound.end(), truth.begin() + 80, truth.end());

  const outcome shown = run({"cat", damaged});
  BOOST_TEST(shown.code == 3);
  BOOST_TEST((lines_of(shown.out) == sound));
  BOOST_TEST(shown.says("ticks 50 to 59 (10)"), shown.err);
  BOOST_TEST(shown.says("ticks 60 to 79 (20)"), shown.err);

  // What is asked for is there, and the end is not looked at.
  BOOST_TEST(run({"cat", damaged, "--to", "30"}).code == 0);
  // A part of it, and a tick that is lost: the next one that is there comes out, and why.
  const outcome part = run({"cat", damaged, "--from", "40", "--to", "90"});
  BOOST_TEST(part.code == 3);
  BOOST_TEST((lines_of(part.out) == std::vector<std::string>(sound.begin() + 40, sound.begin() + 61)));
  BOOST_TEST(part.says("ticks 50 to 59 (10)"), part.err);
  const outcome sought = run({"seek", damaged, "--tick", "55"});
  BOOST_TEST(sought.code == 3);
  BOOST_TEST(sought.out == truth[80] + "\n");
  BOOST_TEST(sought.says("ticks 50 to 59 (10)"), sought.err);
  BOOST_TEST(run({"seek", damaged, "--tick", "45"}).code == 0);
  BOOST_TEST(run({"seek", damaged, "--tick", "80"}).code == 0);
  // By time and by clock as by number. 30 Hz: tick 55 is at 1.833 s, and tick 80 at 2.667 s.
  const outcome by_time = run({"seek", damaged, "--time", "1.833"});
  BOOST_TEST(by_time.code == 3);
  BOOST_TEST(by_time.out == truth[80] + "\n");
  BOOST_TEST(by_time.says("ticks 50 to 59 (10)"), by_time.err);
  BOOST_TEST(run({"seek", damaged, "--time", "1.5"}).code == 0);
  BOOST_TEST(run({"seek", damaged, "--time", "3"}).code == 0);
  // What is lost behind the part that was asked for is none of its losses.
  BOOST_TEST(run({"cat", damaged, "--to", "49"}).code == 0);
  const outcome into = run({"cat", damaged, "--to", "50"});
  BOOST_TEST(into.code == 3);
  BOOST_TEST(into.says("ticks 50 to 59 (10)"), into.err);
  const outcome clip =
      run({"clip", damaged, "--from", "tick:52", "--to", "tick:55", "-o", folder / "c.reel"});
  BOOST_TEST(clip.code == 1);
  BOOST_TEST(clip.says("ticks 50 to 59 are lost"), clip.err);

  const outcome nothing = run({"cat", damaged, "--from", "65", "--to", "70"});
  BOOST_TEST(nothing.code == 3);
  BOOST_TEST(nothing.out.empty());
  BOOST_TEST(nothing.says("ticks 60 to 79 (20)"), nothing.err);
  const outcome served = run({"serve", damaged, "--port", "0", "--speed", "1000"});
  BOOST_TEST(served.code == 3);
  BOOST_TEST(served.says("ticks 50 to 59 (10)"), served.err);

  const outcome checked = run({"verify", damaged});
  BOOST_TEST(checked.code == 1);
  BOOST_TEST(checked.out.find("ticks 50 to 59 (10)") != std::string::npos, checked.out);

  for (const char* const name : {"saved.reel", "saved.butter"}) {
    BOOST_TEST_CONTEXT(name) {
      const std::string saved = folder / name;
      const outcome recovered = run({"recover", damaged, "-o", saved});
      BOOST_TEST(recovered.code == 3);
      BOOST_TEST(recovered.out.find("ticks 50 to 59 (10)") != std::string::npos, recovered.out);
      BOOST_TEST(recovered.out.find("ticks 60 to 79 (20)") != std::string::npos, recovered.out);
      BOOST_TEST(lines_of(run({"cat", saved}).out).size() == sound.size());
    }
  }
  const outcome told = run({"verify", folder / "saved.reel"});
  BOOST_TEST(told.code == 0);
  BOOST_TEST(told.out.find("ticks 50 to 59 (10)") != std::string::npos, told.out);
  BOOST_TEST(told.out.find("ticks 60 to 79 (20)") != std::string::npos, told.out);
  BOOST_TEST((lines_of(run({"cat", folder / "saved.reel"}).out) == sound));
  BOOST_TEST(run({"cat", folder / "saved.reel"}).code == 3);
  const outcome in_copy = run({"seek", folder / "saved.reel", "--time", "1.833"});
  BOOST_TEST(in_copy.code == 3);
  BOOST_TEST(in_copy.says("ticks 50 to 59 (10)"), in_copy.err);
  // What was recovered is not lost again.
  BOOST_TEST(run({"recover", folder / "saved.reel", "-o", folder / "again.reel"}).code == 3);
  BOOST_TEST((read_file(folder / "again.reel") == read_file(folder / "saved.reel")));
}

BOOST_AUTO_TEST_CASE(a_tick_that_is_lost_at_the_end_is_named) {
  const scratch_folder folder;
  byte_vector bytes = killed_reel(folder.path() / "live.butter.reel");
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  // Those up to 119, the last one, are differences from it.
  const auto chunk = std::ranges::find(reel->contents().records, 90u, &reel::record_info::first_tick);
  BOOST_REQUIRE((chunk != reel->contents().records.end() && chunk->kind == reel::record_kind::chunk));
  bytes[static_cast<std::size_t>(chunk->offset) + 20] ^= std::byte{0x08};
  const std::string damaged = folder / "damaged.butter.reel";
  write_file(damaged, bytes);
  for (const outcome& sought :
       {run({"seek", damaged, "--tick", "95"}), run({"cat", damaged, "--from", "95"})}) {
    BOOST_TEST(sought.code == 1);
    BOOST_TEST(sought.out.empty());
    BOOST_TEST(sought.says("ticks 90 to 99 (10)"), sought.err);
  }
}

// Its ticks are whole, but nobody can tell any more whose they are.
BOOST_AUTO_TEST_CASE(ticks_without_their_header_are_counted) {
  const scratch_folder folder;
  byte_vector bytes = killed_reel(folder.path() / "live.butter.reel");
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  std::size_t updates = 0;
  for (const reel::record_info& each : reel->contents().records) {
    if (each.kind != reel::record_kind::header_update) continue;
    bytes[static_cast<std::size_t>(each.offset + each.bytes) - 9] ^= std::byte{1};
    ++updates;
  }
  BOOST_REQUIRE(updates != 0u);
  const std::string damaged = folder / "damaged.reel";
  write_file(damaged, bytes);
  for (const outcome& tried : {run({"convert", damaged, folder / "out.echoreplay"}),
                               run({"recover", damaged, "-o", folder / "out.butter"})}) {
    BOOST_TEST(tried.code == 1);
    BOOST_TEST(tried.says("none of the 120 ticks can be shown: the header"), tried.err);
    BOOST_TEST(!tried.says("tickreel recover"), tried.err);
  }
}

BOOST_AUTO_TEST_CASE(recovering_gives_no_file_the_name_of_another_format) {
  const scratch_folder folder;
  const std::string reel = folder / "live.butter.reel";
  (void)killed_reel(reel);  // its recorder closed it since
  const outcome refused = run({"recover", reel, "-o", folder / "out.echoreplay"});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(refused.says(".butter or a .reel"), refused.err);
  BOOST_TEST(!std::filesystem::exists(folder / "out.echoreplay"));
  BOOST_TEST(run({"recover", reel, "-o", folder / "out.butter"}).code == 0);
  BOOST_TEST(run({"recover", folder / "out.butter", "-o", folder / "out.reel"}).code == 1);
}

BOOST_AUTO_TEST_CASE(frames_of_an_unknown_encoder_that_end_early) {
  const scratch_folder folder;
  const std::string path = folder / "own.reel";
  reel::header head;
  head.encoder_name = "my.game";
  auto writer = reel::writer::create(path, head);
  BOOST_REQUIRE(writer);
  reel::record_info chunk;
  chunk.flags = reel::starts_with_keyframe;
  chunk.frames = 1;
  // No tick and no time behind the chunk's, a keyframe of one byte.
  const std::byte payload[] = {std::byte{0}, std::byte{0}, std::byte{3}, std::byte{7}};
  BOOST_REQUIRE(writer->append(chunk, payload));
  const outcome open = run({"cat", path});
  BOOST_TEST(open.code == 3);
  BOOST_TEST(open.says("the file ends early"), open.err);
  BOOST_TEST(run({"cat", path, "--to", "0"}).out == open.out);
  BOOST_REQUIRE(writer->finish());
  BOOST_TEST(run({"cat", path}).code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
