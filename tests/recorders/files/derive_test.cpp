// Events that are derived again and stored, and events that conversions copy.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(files_clips_tests)
BOOST_AUTO_TEST_SUITE(derive_test)

using namespace tickreel;
using tickreel::test::scratch_folder;

namespace {

echo_vr::simulation_options lively_match(bool bones = false) {
  echo_vr::simulation_options options;
  options.seed = 11;
  options.rate_hz = bones ? 10 : 30;  // a tick with bones is six times as large
  options.players_per_team = 4;
  options.bones = bones;
  options.match_seconds = 60;
  return options;
}

std::vector<std::string> events_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  const auto opened = test::open_recording(path);
  BOOST_REQUIRE(opened->events({}, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  }));
  BOOST_TEST(opened->losses().empty());
  return lines;
}

// By the tick numbers that `cat` prints.
std::map<std::uint64_t, std::int64_t> times_of_ticks(const std::filesystem::path& path) {
  std::map<std::uint64_t, std::int64_t> times;
  const auto source = files::open_echo(path).value();
  const auto tick = std::make_unique<echo::state>();
  while (source->next(*tick).value()) {
    BOOST_REQUIRE(source->tick_number());
    times[*source->tick_number()] = tick->recorded_time_ms;
  }
  return times;
}

std::int64_t fact(const files::edit_report& report, std::string_view key) {
  for (const files::fact& each : report.facts) {
    if (each.key == key) return std::get<std::int64_t>(each.value);
  }
  return -1;
}

using edit = std::function<bool(std::uint64_t number, echo::recorded_event& one)>;

// The same reel with other events, as a recorder of another version may have derived them; false omits one.
void write_other_events(const std::filesystem::path& from, const std::filesystem::path& to,
                        const edit& change, bool with_key = true) {
  const auto source = reel::reader::open(from).value();
  reel::header head = source.head();
  if (!with_key) {
    std::erase_if(head.metadata, [](const auto& each) { return each.key == files::echo_events_key; });
  }
  auto out = reel::writer::create(to, head, {.codec = codec_id::none}).value();
  auto again = reel::reader::open(from).value();
  reel::record record;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < again.contents().records.size(); ++i) {
    if (again.contents().records[i].kind == reel::record_kind::index) continue;
    BOOST_REQUIRE(again.read(i, record));
    byte_vector payload = record.payload;
    if (record.info.kind == reel::record_kind::event) {
      const auto event = reel::read_event(payload).value();
      if (event.type == echo::event_record) {
        auto known = echo::read_event_record(event.bytes).value();
        if (!change(number++, known)) continue;
        std::array<std::byte, echo::max_event_record_bytes> room;
        const std::size_t size = echo::write_event_record(known.what, known.number, room);
        const frame_stamp stamp{record.info.first_tick, record.info.first_time_us};
        BOOST_REQUIRE(out.append_event(stamp, event.type, byte_span(room).first(size)));
        continue;
      }
    }
    BOOST_REQUIRE(out.append(record.info, payload));
  }
  BOOST_REQUIRE(out.finish());
}

}  // namespace

// A reel without events, and one with outdated events, get the events that this version derives.
BOOST_AUTO_TEST_CASE(a_reel_gets_its_events) {
  const scratch_folder folder;
  const auto reel = folder.path() / "match.reel";
  (void)test::write_match(reel, {}, lively_match());
  const auto truth = events_of(reel);
  BOOST_REQUIRE(truth.size() > 30u);
  const auto states = test::all_states(reel);
  const auto old = folder.path() / "old.reel";
  for (const bool had_events : {false, true}) {
    std::filesystem::remove(old);
    write_other_events(
        reel, old,
        [&](std::uint64_t number, echo::recorded_event& one) {
          one.what = {};
          one.what.what = echo::restart_requested{};
          one.what.tick = number;
          return had_events;
        },
        had_events);
    if (had_events) BOOST_TEST(events_of(old) != truth);
    const auto made = folder.path() / (had_events ? "replaced.reel" : "added.reel");
    const auto done = files::derive(old, made);
    BOOST_REQUIRE_MESSAGE(done, (done ? "" : describe(done.error())));
    BOOST_TEST(events_of(made) == truth, boost::test_tools::per_element());
    BOOST_TEST(fact(*done, "events") == static_cast<std::int64_t>(truth.size()));
    BOOST_TEST(fact(*done, "events_before") == (had_events ? static_cast<std::int64_t>(truth.size()) : 0));
    BOOST_TEST(fact(*done, "ticks") == static_cast<std::int64_t>(states.size()));
    BOOST_TEST(done->bytes == std::filesystem::file_size(made));
    BOOST_TEST((test::all_states(made) == states));
    BOOST_TEST((reel::reader::open(made)->contents().end == reel::reel_end::closed));
    BOOST_TEST((files::derive(old, made).error().code == error_code::already_exists));
    // Again, in place: no event is repeated.
    const auto again = files::derive(made, made, {.overwrite = true});
    BOOST_REQUIRE_MESSAGE(again, (again ? "" : describe(again.error())));
    BOOST_TEST(events_of(made) == truth, boost::test_tools::per_element());
    BOOST_TEST(fact(*again, "events_before") == static_cast<std::int64_t>(truth.size()));
    BOOST_TEST((files::derive(made, made).error().code == error_code::already_exists));
  }
}

BOOST_AUTO_TEST_CASE(in_place_nothing_is_lost) {
  const scratch_folder folder;
  const auto reel = folder.path() / "match.reel";
  (void)test::write_match(reel, {}, lively_match());
  // A symbolic link is preserved.
  const auto link = folder.path() / "link.reel";
  std::error_code refused;
  std::filesystem::create_symlink("match.reel", link, refused);
  if (!refused) {
    BOOST_REQUIRE(files::derive(link, link, {.overwrite = true}));
    BOOST_TEST(std::filesystem::is_symlink(link));
    BOOST_TEST(!std::filesystem::is_symlink(reel));
  }
  // Permissions are preserved, too; and a read-only file is left unchanged.
  const auto only_owner = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(reel, only_owner);
  const auto mode = std::filesystem::status(reel).permissions();
  BOOST_REQUIRE(files::derive(reel, reel, {.overwrite = true}));
  BOOST_TEST((std::filesystem::status(reel).permissions() == mode));
  {
    const auto recorded = file::open_for_appending(reel);
    BOOST_REQUIRE(recorded);
    BOOST_TEST((files::derive(reel, reel, {.overwrite = true}).error().code == error_code::in_use));
  }
  // A truncated one is left unchanged; another output file gets everything available, and the rest is reported.
  const auto cut = folder.path() / "cut.reel";
  byte_vector bytes = test::read_file(reel);
  bytes.resize(bytes.size() * 2 / 3);
  test::write_file(cut, as_text(bytes));
  const auto in_place = files::derive(cut, cut, {.overwrite = true});
  BOOST_REQUIRE(!in_place);
  BOOST_TEST((in_place.error().code == error_code::wrong_state));
  BOOST_TEST((test::read_file(cut) == bytes));
  const auto made = files::derive(cut, folder.path() / "of_cut.reel");
  BOOST_REQUIRE(made);
  BOOST_TEST(!made->lost.empty());
  // A byte inside a chunk.
  bytes = test::read_file(reel);
  bytes[bytes.size() / 2] ^= std::byte{0x10};
  test::write_file(cut, as_text(bytes));
  BOOST_TEST((files::derive(cut, cut, {.overwrite = true}).error().code == error_code::wrong_state));
  BOOST_TEST((test::read_file(cut) == bytes));
  const auto of_damaged = files::derive(cut, folder.path() / "of_damaged.reel");
  BOOST_REQUIRE(of_damaged);
  BOOST_TEST(!of_damaged->lost.empty());
}

BOOST_AUTO_TEST_CASE(formats_that_cannot_store_events_are_reported) {
  const scratch_folder folder;
  for (const char* name : {"match.butter", "match.echoreplay"}) {
    const auto path = folder.path() / name;
    (void)test::write_match(path, {}, lively_match());
    const auto in_place = files::derive(path, path, {.overwrite = true});
    BOOST_REQUIRE(!in_place);
    BOOST_TEST((in_place.error().code == error_code::unsupported_operation));
    const auto reel = folder.path() / (std::string(name) + ".reel");
    const auto made = files::derive(path, reel);
    BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
    BOOST_TEST(events_of(reel) == events_of(path), boost::test_tools::per_element());
    BOOST_TEST(fact(*made, "events") == static_cast<std::int64_t>(events_of(path).size()));
  }
}

// For every pair of formats: a converted reel contains the stored events of the source, in order and number. Without stored
// events, or if the output cannot store them, it has the events derived from the ticks.
BOOST_AUTO_TEST_CASE(conversions_copy_stored_events) {
  const scratch_folder folder;
  for (const bool bones : {false, true}) {
    for (const char* from : {"butter", "echoreplay", "reel", "butter-reel"}) {
      const bool is_reel = std::string_view(from).ends_with("reel");
      auto source = folder.path() / (std::string("from.") + (is_reel ? "reel" : from));
      files::convert_options writing;
      writing.overwrite = true;
      if (std::string_view(from) == "butter-reel") writing.hold = butter::tolerances{};
      (void)test::write_match(source, writing, lively_match(bones));
      std::vector<std::string> kept = events_of(source);
      if (is_reel) {
        // Events that cannot be derived from these ticks.
        const auto marked = folder.path() / "marked.reel";
        std::filesystem::remove(marked);
        write_other_events(source, marked, [](std::uint64_t, echo::recorded_event& one) {
          one.what.count = 7;
          return true;
        });
        source = marked;
        kept = events_of(source);
        BOOST_TEST(std::all_of(kept.begin(), kept.end(), [](const std::string& each) {
          return each.find("\"count\":7") != std::string::npos;
        }));
      }
      BOOST_REQUIRE(kept.size() > 30u);
      for (const char* to : {"butter", "echoreplay", "reel"}) {
        BOOST_TEST_CONTEXT(from << " to " << to << (bones ? " with bones" : "")) {
          // Bones change how reels store ticks, and nothing in formats without events.
          if (bones && std::string_view(to) != "reel") continue;
          const auto output = folder.path() / (std::string("to.") + to);
          const auto done = files::convert(source, output, {.overwrite = true});
          BOOST_REQUIRE_MESSAGE(done, (done ? "" : describe(done.error())));
          const auto found = events_of(output);
          if (std::string_view(to) == "reel") {
            BOOST_TEST(found == kept, boost::test_tools::per_element());
            BOOST_TEST(done->events == kept.size());
          } else if (!is_reel) {
            BOOST_TEST(found.size() == kept.size());
            BOOST_TEST(done->events == 0u);
          }
        }
      }
    }
  }
}

// A conversion keeps the tick numbers around lost ticks, and events keep their ticks. A missing event stays missing.
BOOST_AUTO_TEST_CASE(events_keep_their_ticks) {
  const scratch_folder folder;
  const auto reel = folder.path() / "match.reel";
  (void)test::write_match(reel, {}, lively_match());
  const auto marked = folder.path() / "marked.reel";
  write_other_events(reel, marked, [](std::uint64_t number, echo::recorded_event& one) {
    one.what.count = static_cast<std::uint32_t>(number + 2);
    return number != 5;
  });
  // Without the ticks of a chunk in the middle.
  const auto bytes = test::read_file(marked);
  byte_vector damaged = bytes;
  const auto records = reel::reader::open(marked)->contents().records;
  std::vector<reel::record_info> chunks;
  std::copy_if(records.begin(), records.end(), std::back_inserter(chunks),
               [](const auto& each) { return each.kind == reel::record_kind::chunk; });
  const reel::record_info& gone = chunks[chunks.size() / 2];
  damaged[static_cast<std::size_t>(gone.offset + gone.bytes / 2)] ^= std::byte{1};
  test::write_file(marked, as_text(damaged));
  const auto output = folder.path() / "closed_up.reel";
  const auto done = files::convert(marked, output);
  BOOST_REQUIRE(done);
  const auto missing = std::find(done->losses.places.begin(), done->losses.places.end(),
                                 "1 of the events that were recorded is missing");
  BOOST_TEST((missing != done->losses.places.end()));
  std::vector<echo::recorded_event> kept;
  auto opened = reel::reader::open(output).value();
  reel::record record;
  for (std::size_t i = 0; i < opened.contents().records.size(); ++i) {
    if (opened.contents().records[i].kind != reel::record_kind::event) continue;
    BOOST_REQUIRE(opened.read(i, record));
    const auto event = reel::read_event(record.payload).value();
    if (event.type == echo::event_record) kept.push_back(echo::read_event_record(event.bytes).value());
  }
  BOOST_REQUIRE(kept.size() > 20u);
  const std::map<std::uint64_t, std::int64_t> source_times = times_of_ticks(reel);
  const std::map<std::uint64_t, std::int64_t> times = times_of_ticks(output);
  BOOST_TEST(times.size() == source_times.size() - gone.frames);
  BOOST_TEST((times == times_of_ticks(marked)));
  std::size_t lost = 0;
  for (const echo::recorded_event& each : kept) {
    BOOST_TEST(each.what.count == each.number + 2);
    BOOST_REQUIRE(source_times.contains(each.what.tick));
    BOOST_TEST(source_times.at(each.what.tick) == each.what.time_ms);
    const bool is_lost = each.what.tick >= gone.first_tick && each.what.tick <= gone.last_tick;
    BOOST_TEST(times.contains(each.what.tick) != is_lost, "tick " << each.what.tick);
    lost += is_lost ? 1u : 0u;
  }
  BOOST_TEST(lost < kept.size() / 2);
  BOOST_TEST(std::is_sorted(kept.begin(), kept.end(),
                            [](const auto& a, const auto& b) { return a.what.tick < b.what.tick; }));
}

BOOST_AUTO_TEST_CASE(formats_without_derived_events_are_reported) {
  const scratch_folder folder;
  const auto path = folder.path() / "no.rec";
  test::write_file(path, "no recording of anything");
  BOOST_TEST((files::derive(path, folder.path() / "x.reel").error().code == error_code::not_recognised));
  const auto reel = folder.path() / "match.reel";
  (void)test::write_match(reel, {}, lively_match());
  BOOST_TEST((files::derive(reel, folder.path() / "x.butter").error().code == error_code::invalid_argument));
}

// The opened source is queried for a range as well.
BOOST_AUTO_TEST_CASE(a_clip_of_an_opened_source) {
  const scratch_folder folder;
  const auto path = folder.path() / "match.echoreplay";
  (void)test::write_match(path, {}, lively_match());
  const auto all = test::all_ticks(path);
  const auto source = files::open_echo(path).value();
  files::convert_options options;
  options.range.from = files::moment::at_tick(100);
  options.range.to = files::moment::at_tick(199);
  for (const char* name : {"part.echoreplay", "part.butter", "part.reel"}) {
    const auto part = folder.path() / name;
    const auto done = files::convert(*source, part, options);
    BOOST_REQUIRE_MESSAGE(done, (done ? "" : describe(done.error())));
    BOOST_TEST(done->ticks == 100u);
    BOOST_REQUIRE(done->cut);
    BOOST_TEST((done->cut->first_tick == 100u));
    BOOST_TEST((done->cut->last_tick == 199u));
    const auto ticks = test::all_ticks(part);
    BOOST_REQUIRE(ticks.size() == 100u);
    BOOST_TEST(ticks.front().recorded_time_ms == all[100].recorded_time_ms);
    BOOST_TEST(ticks.back().recorded_time_ms == all[199].recorded_time_ms);
  }
  // The simulator has no tick numbers.
  echo_vr::simulated_source live(lively_match());
  const auto of_live = files::convert(live, folder.path() / "live.echoreplay", options);
  BOOST_REQUIRE(of_live);
  BOOST_TEST(of_live->ticks == 100u);
  options.range.from = files::moment::at_tick(1u << 20);
  options.range.to.reset();
  BOOST_TEST((files::convert(live, folder.path() / "none.butter", options).error().code ==
              error_code::out_of_range));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
