// The reel of a killed recorder with a flipped byte in the head of a chunk that starts with a delta: every verb reports the lost
// ticks, and prints none that depends on them.
#include <boost/test/unit_test.hpp>

#include "fixtures.hpp"
#include "lines.hpp"
#include "reel_damage.hpp"
#include "run_program.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/io/file.hpp"
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

// As the recorder leaves it when it is killed after its last seal.
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

// An open recorder that has written 20 ticks in chunks of `seal_frames`; 0: in one.
recorder<butter::encoder> record_twenty_ticks(const std::string& path, std::uint32_t seal_frames) {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  if (seal_frames != 0) options.seal_frames = seal_frames;
  options.ticks_per_second = 30;
  auto opened = recorder<butter::encoder>::open(path, butter::encoder(), options);
  BOOST_REQUIRE(opened);
  echo_vr::match_simulator match(short_match());
  const auto state = std::make_unique<echo::state>();
  for (int tick = 0; tick < 20; ++tick) {
    BOOST_REQUIRE(match.next(*state));
    BOOST_REQUIRE(opened->push(*state));
    (void)opened->pump();
  }
  return std::move(*opened);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_lost_chunk_is_reported_and_no_printed_tick_depends_on_it) {
  const scratch_folder folder;
  byte_vector bytes = killed_reel(folder.path() / "live.butter.reel");
  const std::string whole = folder / "whole.butter.reel";
  write_file(whole, bytes);
  const std::vector<std::string> truth = lines_of(run({"cat", whole}).out);
  BOOST_REQUIRE(truth.size() == recorded);

  // Ticks 50 to 59. Those up to 79 are deltas that depend on them.
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

  // The requested ticks are available, and the end is not read.
  BOOST_TEST(run({"cat", damaged, "--to", "30"}).code == 0);
  // A range of it, and a lost tick: the next available tick is printed, and the reason.
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
  // Losses before and after the requested range are not reported.
  const outcome later = run({"cat", damaged, "--from", "3s", "--to", "3.2s"});
  BOOST_TEST(later.code == 0);
  BOOST_TEST(later.err.empty(), later.err);
  BOOST_TEST(lines_of(later.out).front() == truth[90]);
  BOOST_TEST(run({"cat", damaged, "--from", "1.833s", "--to", "3s"}).says("ticks 50 to 59 (10)"));
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
  const outcome verdict = run({"verify", folder / "saved.reel"});
  BOOST_TEST(verdict.code == 3);
  BOOST_TEST(verdict.out.find("ticks 50 to 59 (10)") != std::string::npos, verdict.out);
  BOOST_TEST(verdict.out.find("ticks 60 to 79 (20)") != std::string::npos, verdict.out);
  BOOST_TEST((lines_of(run({"cat", folder / "saved.reel"}).out) == sound));
  BOOST_TEST(run({"cat", folder / "saved.reel"}).code == 3);
  const outcome in_copy = run({"seek", folder / "saved.reel", "--time", "1.833"});
  BOOST_TEST(in_copy.code == 3);
  BOOST_TEST(in_copy.says("ticks 50 to 59 (10)"), in_copy.err);
  // Recovered ticks are not reported as lost again.
  BOOST_TEST(run({"recover", folder / "saved.reel", "-o", folder / "again.reel"}).code == 3);
  BOOST_TEST((read_file(folder / "again.reel") == read_file(folder / "saved.reel")));
}

// Only gap records mention them: the reel is valid, and not complete.
// The damage of a .butter is a gap of unknown size. Copies of copies keep its place and state it.
BOOST_AUTO_TEST_CASE(a_gap_of_unknown_size_keeps_its_place_in_copies) {
  const scratch_folder folder;
  const std::string butter = folder / "match.butter";
  files::convert_options options;
  options.keyframe_interval_ticks = 20;
  write_match(butter, options);
  byte_vector bytes = read_file(butter);
  auto layout = butter::reader::open(bytes);
  BOOST_REQUIRE(layout);
  BOOST_REQUIRE(layout->chunk_count() > 3u);
  bytes[static_cast<std::size_t>(layout->chunk_offset(2)) + 40] ^= std::byte{0x55};
  write_file(butter, bytes);
  const std::size_t readable = lines_of(run({"cat", butter}).out).size();
  // The damaged chunk began after the keyframe interval, or earlier if a frame needed a keyframe.
  std::string place;
  std::string from = butter;
  for (const char* const name : {"first.reel", "second.reel", "third.reel"}) {
    BOOST_TEST_CONTEXT(name) {
      const std::string copy = folder / name;
      BOOST_TEST(run({"convert", from, copy}).code == 3);
      const outcome checked = run({"verify", copy});
      BOOST_TEST(checked.code == 3);
      const std::size_t begin = checked.out.find("at tick 3");
      BOOST_REQUIRE_MESSAGE(begin != std::string::npos, checked.out);
      const std::string stated_place =
          checked.out.substr(begin, checked.out.find(" (an unknown number)") - begin);
      if (place.empty()) place = stated_place;
      BOOST_TEST(stated_place == place);
      BOOST_TEST(lines_of(run({"cat", copy}).out).size() == readable);
      const outcome stated = run({"info", "--json", copy});
      BOOST_TEST(stated.out.find("\"lost_ticks\":0") != std::string::npos, stated.out);
      BOOST_TEST(stated.out.find("\"damaged_places\":1") != std::string::npos, stated.out);
      // Ranges that contain the place, and ranges that do not, also if they begin or end in its chunk.
      BOOST_TEST(run({"cat", copy, "--from", "30", "--to", "45"}).code == 3);
      BOOST_TEST(run({"cat", copy, "--from", "25", "--to", "35"}).code == 0);
      BOOST_TEST(run({"cat", copy, "--from", "42", "--to", "45"}).code == 0);
      const std::string part = folder / "part.reel";
      const outcome clip = run({"clip", copy, "--from", "tick:30", "--to", "tick:45", "-o", part, "--force"});
      BOOST_TEST(clip.code == 3);
      BOOST_TEST(run({"verify", part}).code == 3);
      from = copy;
    }
  }
}

// A gap record precedes the chunk with the ticks around it.
BOOST_AUTO_TEST_CASE(a_gap_in_a_chunk_is_reported_by_the_ranges_that_contain_it) {
  const scratch_folder folder;
  const std::string reel = folder / "live.butter.reel";
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 1000;
  options.ticks_per_second = 30;
  {
    auto opened = recorder<butter::encoder>::open(reel, butter::encoder(), options);
    BOOST_REQUIRE(opened);
    echo_vr::match_simulator match(short_match());
    const auto state = std::make_unique<echo::state>();
    for (std::uint64_t tick = 0; tick < 40; ++tick) {
      BOOST_REQUIRE(match.next(*state));
      if (tick >= 10 && tick < 13) continue;
      if (tick == 13) opened->note_gap(3, {10, 333'333}, {12, 400'000}, reel::gap_reason::source_failed);
      BOOST_REQUIRE(opened->push({tick, static_cast<std::int64_t>(tick) * 33'333}, *state));
      (void)opened->pump();
    }
    BOOST_REQUIRE(opened->close());
  }
  const std::pair<std::vector<std::string>, int> expected[] = {
      {{"cat", reel}, 3},
      {{"cat", reel, "--from", "5", "--to", "20"}, 3},
      {{"cat", reel, "--from", "11", "--to", "13"}, 3},
      {{"cat", reel, "--to", "9"}, 0},
      {{"cat", reel, "--from", "3", "--to", "8"}, 0},
      {{"cat", reel, "--from", "14", "--to", "20"}, 0},
      {{"seek", reel, "--tick", "11"}, 3},
      {{"seek", reel, "--tick", "9"}, 0},
      {{"seek", reel, "--tick", "30"}, 0},
      {{"clip", reel, "--from", "tick:5", "--to", "tick:20", "-o", folder / "a.reel"}, 3},
      {{"verify", folder / "a.reel"}, 3},
      {{"clip", reel, "--from", "tick:5", "--to", "tick:20", "-o", folder / "a.butter"}, 3},
      {{"clip", reel, "--to", "tick:9", "-o", folder / "b.reel"}, 0},
      {{"verify", folder / "b.reel"}, 0}};
  for (const auto& [words, code] : expected) {
    const outcome said = run(words);
    std::string line;
    for (const std::string& each : words) line += each + ' ';
    BOOST_TEST(said.code == code, line << said.err);
  }
}

BOOST_AUTO_TEST_CASE(ticks_lost_while_recording_make_every_verb_exit_with_3) {
  const scratch_folder folder;
  const std::string path = folder / "lossy.butter.reel";
  auto opened = record_twenty_ticks(path, 0);
  const frame_stamp gap_start{20, 700'000};
  opened.note_gap(3, gap_start, {22, 766'000}, reel::gap_reason::source_failed);
  BOOST_REQUIRE(opened.close());
  const outcome verified = run({"verify", path});
  BOOST_TEST(verified.code == 3);
  BOOST_TEST(verified.out.find(": ok, 20 ticks") != std::string::npos, verified.out);
  BOOST_TEST(verified.out.find("ticks 20 to 22 (3)") != std::string::npos, verified.out);
  for (const char* const verb : {"cat", "stats"}) BOOST_TEST(run({verb, path}).code == 3, verb);
}

BOOST_AUTO_TEST_CASE(a_live_reel_is_reported_as_such) {
  const scratch_folder folder;
  const std::string path = folder / "live.butter.reel";
  auto opened = record_twenty_ticks(path, 5);
  constexpr const char* live = "it is being recorded: later ticks are not in the file yet";
  for (const outcome& said : {run({"cat", path}), run({"convert", path, folder / "part.echoreplay"})}) {
    BOOST_TEST(said.code == 3);
    BOOST_TEST(said.says(live), said.err);
    BOOST_TEST(!said.says("ends early"), said.err);
  }
  const outcome verified = run({"verify", path});
  BOOST_TEST(verified.code == 3);
  BOOST_TEST(verified.out.find(live) != std::string::npos, verified.out);
  const byte_vector killed = read_file(path);
  BOOST_REQUIRE(opened.close());
  write_file(folder.path() / "killed.butter.reel", killed);
  BOOST_TEST(run({"cat", folder / "killed.butter.reel"}).says("the file ends early"));
}

// The writer may be in the middle of a record.
BOOST_AUTO_TEST_CASE(an_incomplete_record_is_no_damage_while_its_writer_lives) {
  const scratch_folder folder;
  byte_vector bytes = killed_reel(folder.path() / "live.butter.reel");
  bytes.resize(bytes.size() - 9);
  const std::string path = folder / "torn.butter.reel";
  write_file(path, bytes);
  constexpr const char* torn = "a record that was never completed";
  const outcome killed = run({"verify", path});
  BOOST_TEST(killed.code == 1);
  BOOST_TEST(killed.out.find("NOT OK") != std::string::npos, killed.out);
  BOOST_TEST(killed.out.find(torn) != std::string::npos, killed.out);
  const auto writer = file::open_for_appending(path);
  BOOST_REQUIRE(writer);
  const outcome live = run({"verify", path});
  BOOST_TEST(live.code == 3);
  BOOST_TEST(live.out.find(": ok, ") != std::string::npos, live.out);
  BOOST_TEST(live.out.find(torn) != std::string::npos, live.out);
  BOOST_TEST(live.out.find("error") == std::string::npos, live.out);
}

// The clip is valid and reports its losses; the recording that it was cut from is damaged.
BOOST_AUTO_TEST_CASE(a_clip_of_ticks_without_lines_is_not_a_damaged_reel) {
  const scratch_folder folder;
  write_match(folder.path() / "match.echoreplay");
  files::convert_options often;
  often.keyframe_interval_ticks = 15;
  BOOST_REQUIRE(files::convert(folder / "match.echoreplay", folder / "lines.reel", often));
  byte_vector bytes = read_file(folder.path() / "lines.reel");
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  for (const reel::record_info& each : reel->contents().records) {
    if (reel::holds_events(each.kind))
      bytes[static_cast<std::size_t>(each.offset + each.bytes) - 9] ^= std::byte{1};
  }
  write_file(folder.path() / "damaged.reel", bytes);
  const outcome whole = run({"verify", folder / "damaged.reel"});
  BOOST_TEST(whole.code == 1);
  const outcome clip =
      run({"clip", folder / "damaged.reel", "--from", "1s", "--to", "3s", "-o", folder / "clip.reel"});
  BOOST_TEST(clip.code == 3);
  BOOST_TEST(clip.says("the lines of"), clip.err);
  const outcome verified = run({"verify", folder / "clip.reel"});
  BOOST_TEST(verified.code == 3);
  BOOST_TEST(verified.out.find(": ok, ") != std::string::npos, verified.out);
  BOOST_TEST(verified.out.find("warning  the lines of") != std::string::npos, verified.out);
}

#ifndef _WIN32

// If both outputs go to one place, no message interrupts a line.
BOOST_AUTO_TEST_CASE(reports_follow_the_printed_output) {
  const scratch_folder folder;
  const byte_vector bytes = killed_reel(folder.path() / "live.butter.reel");
  const std::string path = folder / "killed.butter.reel";
  write_file(path, bytes);
  const std::string both = folder / "both";
  BOOST_TEST(run_line(program_line({"cat", path}) + " > " + shell_word(both) + " 2>&1") == 3);
  const std::vector<std::string> lines = lines_of(text_of_file(both));
  BOOST_REQUIRE(lines.size() == recorded + 1);
  for (std::uint64_t tick = 0; tick < recorded; ++tick) {
    BOOST_TEST(lines[tick].starts_with("{\"tick\":" + std::to_string(tick) + ","));
    BOOST_TEST(lines[tick].ends_with("}"));
  }
  BOOST_TEST(lines.back().find("the file ends early") != std::string::npos, lines.back());
}

#endif

BOOST_AUTO_TEST_CASE(a_tick_lost_at_the_end_is_reported) {
  const scratch_folder folder;
  byte_vector bytes = killed_reel(folder.path() / "live.butter.reel");
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  // The ticks up to 119, the last one, are deltas that depend on them.
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

// Its ticks are intact, but their schema is lost.
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
    BOOST_TEST(tried.says("120 ticks, none readable: the header"), tried.err);
    BOOST_TEST(!tried.says("tickreel recover"), tried.err);
  }
}

BOOST_AUTO_TEST_CASE(recovered_files_have_the_extension_of_their_format) {
  const scratch_folder folder;
  const std::string reel = folder / "live.butter.reel";
  (void)killed_reel(reel);  // its recorder has closed it since
  const outcome refused = run({"recover", reel, "-o", folder / "out.echoreplay"});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(refused.says(".butter or a .reel"), refused.err);
  BOOST_TEST(!std::filesystem::exists(folder / "out.echoreplay"));
  BOOST_TEST(run({"recover", reel, "-o", folder / "out.butter"}).code == 0);
  BOOST_TEST(run({"recover", folder / "out.butter", "-o", folder / "out.reel"}).code == 1);
}

BOOST_AUTO_TEST_CASE(truncated_frames_of_an_unknown_encoder) {
  const scratch_folder folder;
  const std::string path = folder / "own.reel";
  reel::header head;
  head.encoder_name = "my.game";
  auto writer = reel::writer::create(path, head);
  BOOST_REQUIRE(writer);
  reel::record_info chunk;
  chunk.flags = reel::starts_with_keyframe;
  chunk.frames = 1;
  // No tick and no time after the chunk's, a keyframe of one byte.
  const std::byte payload[] = {std::byte{0}, std::byte{0}, std::byte{3}, std::byte{7}};
  BOOST_REQUIRE(writer->append(chunk, payload));
  const outcome open = run({"cat", path});
  BOOST_TEST(open.code == 3);
  BOOST_TEST(open.says("it is being recorded"), open.err);
  BOOST_TEST(run({"cat", path, "--to", "0"}).out == open.out);
  // The copy has no recorder.
  const std::string left = folder / "left.reel";
  write_file(left, read_file(path));
  const outcome early = run({"cat", left});
  BOOST_TEST(early.code == 3);
  BOOST_TEST(early.says("the file ends early at offset "), early.err);
  BOOST_REQUIRE(writer->finish());
  BOOST_TEST(run({"cat", path}).code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
