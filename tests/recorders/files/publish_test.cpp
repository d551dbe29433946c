// Publishing a reel as the file of its format.
#include "tickreel/files/publish.hpp"

#include "fixtures.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(publish_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// The reel of a recorder of .echoreplay.
void write_words(const std::filesystem::path& from, const std::filesystem::path& reel) {
  auto source = files::open_echo(from);
  BOOST_REQUIRE(source);
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = 60;
  options.ring_ticks = 2;
  auto into = recorder<echoreplay::encoder>::open(reel, echoreplay::encoder(), options);
  BOOST_REQUIRE(into);
  const auto tick = std::make_unique<echo::state>();
  for (frame_stamp stamp; (*source)->next(*tick).value(); ++stamp.tick, stamp.time_us += 33'333) {
    BOOST_REQUIRE(into->capture(stamp, [&](echoreplay::answer& slot) noexcept {
      (void)slot.assign(tick->recorded_time_ms, (*source)->session_json(), (*source)->bones_json(),
                        !(*source)->bones_json().empty());
    }));
    into->pump();
  }
  BOOST_REQUIRE(into->close());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_closed_reel_is_published_in_its_format) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  const auto words = folder.path() / "words.reel";
  write_match(reel, {.hold = butter::tolerances{}}, short_match(true));
  write_match(folder.path() / "w.echoreplay");
  write_words(folder.path() / "w.echoreplay", words);
  for (const auto& [from, to] : {std::pair{reel, "a.butter"}, std::pair{words, "b.echoreplay"}}) {
    BOOST_TEST_CONTEXT(to) {
      std::uint64_t progress_calls = 0;
      files::publish_options options;
      options.progress = [&](std::uint64_t done, std::uint64_t total) {
        BOOST_TEST(done <= total);
        ++progress_calls;
      };
      auto report = files::publish(from, folder.path() / to, options);
      BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
      BOOST_TEST(progress_calls > 0u);
      BOOST_TEST(report->reel_was_closed);
      BOOST_TEST(report->lost_ticks == 0u);
      BOOST_TEST(report->torn_bytes == 0u);
      BOOST_TEST(report->bytes == std::filesystem::file_size(folder.path() / to));
      BOOST_TEST(report->ticks == all_states(from).size());
      BOOST_TEST((all_states(folder.path() / to) == all_states(from)));
      BOOST_TEST((files::publish(from, folder.path() / to).error().code == error_code::already_exists));
    }
  }
}

// The reel grows in steps of any size while it is published.
BOOST_AUTO_TEST_CASE(a_growing_reel_is_followed_to_its_end) {
  const scratch_folder folder;
  write_match(folder.path() / "w.echoreplay");
  const auto words = folder.path() / "words.reel";
  write_words(folder.path() / "w.echoreplay", words);
  const byte_vector whole = read_file(words);
  const auto growing = folder.path() / "growing.reel";
  const std::size_t step = whole.size() / 7;
  std::size_t there = step;
  write_file(growing, byte_span(whole).first(there));
  files::publish_options options;
  options.wait_for_more = [&] {
    there = std::min(there + step, whole.size());
    write_file(growing, byte_span(whole).first(there));
    return there != whole.size();
  };
  const auto report = files::publish(growing, folder.path() / "out.echoreplay", options);
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(report->reel_was_closed);
  BOOST_TEST(report->lost_ticks == 0u);
  BOOST_TEST((all_states(folder.path() / "out.echoreplay") == all_states(words)));
}

// Truncated at any byte, a reel yields every sealed chunk; a damaged record costs only the ticks up to the next keyframe.
BOOST_AUTO_TEST_CASE(a_truncated_or_damaged_reel_yields_its_readable_part) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  files::convert_options options;
  options.keyframe_interval_ticks = 20;
  options.hold = butter::tolerances{};
  write_match(reel, options);
  const byte_vector whole = read_file(reel);
  const std::vector<std::string> states = all_states(reel);
  auto reader = reel::reader::open(reel);
  BOOST_REQUIRE(reader);
  const auto records = reader->contents().records;
  const auto cut = folder.path() / "cut.reel";
  const auto out = folder.path() / "out.butter";
  std::size_t published = 0;
  for (std::size_t number = 0; number < records.size(); number += 2) {
    for (const std::uint64_t size : {records[number].offset, records[number].offset + 10}) {
      BOOST_TEST_CONTEXT("cut to " << size) {
        write_file(cut, byte_span(whole).first(static_cast<std::size_t>(size)));
        std::uint64_t expected = 0;
        for (std::size_t each = 0; each < number; ++each) {
          if (records[each].kind == reel::record_kind::chunk) expected += records[each].frames;
        }
        auto report = files::publish(cut, out, {.overwrite = true});
        if (expected == 0) {
          BOOST_TEST((report.error().code == error_code::truncated));
          continue;
        }
        BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
        ++published;
        BOOST_TEST(report->ticks == expected);
        BOOST_TEST(report->torn_bytes == size - records[number].offset);
        BOOST_TEST(!report->reel_was_closed);
        const auto got = all_states(out);
        BOOST_TEST((got == std::vector<std::string>(states.begin(),
                                                    states.begin() + static_cast<std::ptrdiff_t>(expected))));
      }
    }
  }
  BOOST_TEST(published > 10u);

  // One byte of the fourth chunk is wrong.
  byte_vector damaged = whole;
  std::size_t chunks = 0;
  for (const auto& each : records) {
    if (each.kind == reel::record_kind::chunk && ++chunks == 4) {
      damaged[static_cast<std::size_t>(each.offset) + 100] ^= std::byte{0x10};
      write_file(cut, damaged);
      auto report = files::publish(cut, out, {.overwrite = true});
      BOOST_REQUIRE(report);
      BOOST_TEST(report->lost_ticks == each.frames);
      BOOST_TEST(report->ticks == states.size() - each.frames);
    }
  }
  BOOST_TEST(chunks > 4u);
}

// A header that no reader accepts: the output is checked before it gets its name.
BOOST_AUTO_TEST_CASE(an_unreadable_output_is_not_kept) {
  const scratch_folder folder;
  const auto good = folder.path() / "good.reel";
  const auto bad = folder.path() / "bad.reel";
  {
    recorder_options options;
    options.mode = threading::pumped;
    auto recorder = tickreel::recorder<butter::encoder>::open(good.string(), butter::encoder(), options);
    BOOST_REQUIRE(recorder);
    echo_vr::match_simulator match(short_match());
    const auto state = std::make_unique<echo::state>();
    for (int i = 0; i < 30 && match.next(*state); ++i) {
      state->match.map_name.assign("mpl_lobby_b2");
      BOOST_REQUIRE(recorder->push(*state));
      (void)recorder->pump();
    }
    BOOST_REQUIRE(recorder->close());
  }
  auto from = reel::reader::open(good);
  BOOST_REQUIRE(from);
  auto to = reel::writer::create(bad.string(), from->head());
  BOOST_REQUIRE(to);
  reel::record each;
  for (std::size_t number = 0; number < from->contents().records.size(); ++number) {
    BOOST_REQUIRE(from->read(number, each));
    if (each.info.kind > reel::record_kind::gap) continue;
    // Code 127 of 8 maps, like a lobby: frames can be read, but such a file is not detected as a .butter.
    if (each.info.kind == reel::record_kind::header_update) each.payload.back() = std::byte{0xFF};
    BOOST_REQUIRE(to->append(each.info, each.payload));
  }
  BOOST_REQUIRE(to->finish());
  const byte_vector before = read_file(bad);
  const auto out = folder.path() / "out.butter";
  for (const error& what : {files::publish(bad, out).error(), files::recover(bad, out).error()}) {
    const std::string text = describe(what);
    BOOST_TEST(text.find("could not be opened again") != std::string::npos, text);
  }
  BOOST_TEST(!std::filesystem::exists(out));
  BOOST_TEST((read_file(bad) == before));
  const auto left = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  BOOST_TEST(left == 2);  // the reels, and no other files
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
