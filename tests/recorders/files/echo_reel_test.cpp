// Echo VR ticks in reels of columns.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>

#include "fixtures.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(echo_reel_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

std::uint32_t row_bytes_of(const std::filesystem::path& reel) {
  const auto source = reel::reader::open(reel);
  BOOST_REQUIRE(source);
  BOOST_TEST(source->head().encoder_name == "tracks");
  return read_schema(source->head().schema).value().row_bytes();
}

std::string spelled(const echo::state& tick) {
  std::string line;
  echo::append_session_json(tick, {}, {}, line);
  echo::append_bones_json(tick, {}, {}, line);
  return line;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_butter_loses_nothing_in_a_reel) {
  const scratch_folder folder;
  for (const bool bones : {false, true}) {
    const auto butter = folder.path() / (bones ? "bones.butter" : "plain.butter");
    const auto reel = folder.path() / (bones ? "bones.reel" : "plain.reel");
    write_match(butter, {}, short_match(bones));
    // With its frames, and, if an option requests other ones, in columns.
    const auto frames = folder.path() / "frames.reel";
    const auto kept = files::convert(file_path(butter), frames, {.overwrite = true});
    BOOST_REQUIRE(kept);
    BOOST_TEST(kept->kept_frames);
    BOOST_TEST((all_states(frames) == all_states(butter)));
    files::convert_options columns;
    columns.keyframe_interval_ticks = 60;
    const auto report = files::convert(file_path(butter), reel, columns);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    BOOST_TEST(!report->lossy_source());
    BOOST_TEST((all_states(reel) == all_states(butter)));
    BOOST_TEST(row_bytes_of(reel) == (bones ? component_size<echo::recorded_tick_with_bones>
                                            : component_size<echo::small_recorded_tick>));
    BOOST_TEST(open_recording(reel)->verify().value().ok());

    const auto compact = folder.path() / (bones ? "compact-bones.reel" : "compact.reel");
    BOOST_REQUIRE(files::compact(file_path(reel), compact));
    BOOST_TEST((all_states(compact) == all_states(butter)));
    BOOST_TEST(std::filesystem::file_size(compact) <= std::filesystem::file_size(reel));
  }
}

BOOST_AUTO_TEST_CASE(ticks_without_skeletons_are_otherwise_complete) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  write_match(reel, {}, short_match(true));
  const auto from = files::open_echo(file_path(reel));
  BOOST_REQUIRE(from);
  const auto read_all = [&] {
    std::vector<std::unique_ptr<echo::state>> all;
    BOOST_REQUIRE((*from)->rewind());
    for (;;) {
      auto tick = std::make_unique<echo::state>();
      const auto more = (*from)->next(*tick);
      BOOST_REQUIRE(more);
      if (!*more) return all;
      all.push_back(std::move(tick));
    }
  };
  const auto whole = read_all();
  (*from)->leave_bones_out(true);
  const auto lean = read_all();
  (*from)->leave_bones_out(false);
  const auto again = read_all();
  BOOST_REQUIRE(whole.size() == lean.size());
  BOOST_REQUIRE(whole.size() == again.size());
  BOOST_REQUIRE(!whole.empty());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    BOOST_REQUIRE((spelled(*whole[i]) == spelled(*again[i])));
    BOOST_REQUIRE((whole[i]->bones == echo::bones_kind::present));
    BOOST_REQUIRE((lean[i]->bones == echo::bones_kind::absent));
    whole[i]->bones = echo::bones_kind::absent;
    whole[i]->bone_player_count = 0;
    BOOST_REQUIRE((spelled(*whole[i]) == spelled(*lean[i])));
  }
}

// The quick summary skips poses, which no summary shows.
BOOST_AUTO_TEST_CASE(a_quick_summary_equals_the_full_one) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  write_match(reel, {}, short_match(true));
  const auto from = open_recording(reel);
  const auto spelled_out = [](const result<files::summary>& seen) {
    BOOST_REQUIRE(seen);
    std::string text;
    files::append_summary("", *seen, text);
    return text;
  };
  const std::string whole = spelled_out(from->summarise());
  BOOST_TEST(whole.find("\"ticks_with_bones\":0") == std::string::npos, whole);
  BOOST_TEST(spelled_out(from->quick_summary()) == whole);
  BOOST_TEST(spelled_out(from->summarise()) == whole);
}

BOOST_AUTO_TEST_CASE(each_tick_is_found_by_its_number) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  write_match(reel, {}, short_match(true));
  const auto states = all_states(reel);
  const auto from = open_recording(reel);
  for (const std::size_t tick : {states.size() - 1, std::size_t{61}, std::size_t{60}, std::size_t{0}}) {
    BOOST_REQUIRE(from->seek(files::moment::at_tick(tick)));
    BOOST_REQUIRE(from->next().value());
    std::string text;
    from->append_state(text);
    BOOST_TEST((text == states[tick]));
  }
}

// Times count from the start of the recording, with any losses.
BOOST_AUTO_TEST_CASE(a_lost_beginning_does_not_shift_times) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  const auto damaged = folder.path() / "damaged.reel";
  const auto saved = folder.path() / "saved.reel";
  const auto match = folder.path() / "a.echoreplay";
  write_match(match);
  files::convert_options often;
  often.keyframe_interval_ticks = 20;
  BOOST_REQUIRE(files::convert(match, reel, often));
  byte_vector bytes = read_file(reel);
  const auto source = reel::reader::open(reel);
  BOOST_REQUIRE(source);
  const auto& records = source->contents().records;
  const auto first = std::find_if(records.begin(), records.end(), [](const reel::record_info& each) {
    return each.kind == reel::record_kind::chunk;
  });
  bytes[static_cast<std::size_t>(first->offset + first->bytes / 2)] ^= std::byte{1};
  write_file(damaged, bytes);
  BOOST_REQUIRE(files::recover(damaged, saved));
  const auto times_of = [](const std::filesystem::path& path) {
    std::map<std::uint64_t, std::int64_t> times;
    const auto from = open_recording(path);
    while (from->next().value()) times[from->position().tick] = from->position().time_ms;
    return times;
  };
  const auto whole = times_of(reel);
  for (const auto& path : {damaged, saved}) {
    BOOST_TEST_CONTEXT(path) {
      const auto times = times_of(path);
      BOOST_REQUIRE(times.size() + first->frames == whole.size());
      for (const auto& [tick, time_ms] : times) BOOST_REQUIRE(whole.at(tick) == time_ms);
      for (const double seconds : {1.0, 2.5, 4.0}) {
        const auto from = open_recording(path);
        BOOST_REQUIRE(from->seek(files::moment::at_time(seconds)));
        const auto expected = open_recording(reel);
        BOOST_REQUIRE(expected->seek(files::moment::at_time(seconds)));
        BOOST_TEST(from->position().tick == expected->position().tick);
      }
      // Clips, too, and their events.
      files::conversion_options part;
      part.range.from = files::moment::at_time(2);
      part.range.to = files::moment::at_time(3);
      part.overwrite = true;
      const auto how = files::find_conversion(path, "reel", true);
      BOOST_REQUIRE((how && *how != nullptr));
      const auto cut = (*how)->run(path, folder.path() / "part.reel", part);
      const auto wanted = (*how)->run(reel, folder.path() / "part.reel", part);
      BOOST_REQUIRE((cut && wanted));
      BOOST_TEST((cut->cut->first_tick == wanted->cut->first_tick));
      BOOST_TEST((cut->cut->last_tick == wanted->cut->last_tick));
      std::set<std::string> all_events;
      const auto every = [&](std::string_view line) { return all_events.emplace(line).second || true; };
      BOOST_REQUIRE(open_recording(reel)->events({}, every, {}));
      std::uint64_t events = 0;
      BOOST_REQUIRE(open_recording(path)->events({},
                                                 [&](std::string_view line) {
                                                   ++events;
                                                   BOOST_TEST(all_events.contains(std::string(line)), line);
                                                   return true;
                                                 },
                                                 {}));
      BOOST_TEST(events != 0u);
    }
  }
}

// The loss stays known: in the reel, in a clip of it and in a reel that is made of it.
BOOST_AUTO_TEST_CASE(a_reel_of_a_damaged_butter_reports_what_it_lacks) {
  const scratch_folder folder;
  files::convert_options options;
  options.keyframe_interval_ticks = 30;
  const auto butter = folder.path() / "whole.butter";
  write_match(butter, options);
  const byte_vector whole = read_file(butter);
  const auto reader = butter::reader::open(whole);
  BOOST_REQUIRE(reader);
  const std::size_t chunks = reader->chunk_count();
  BOOST_REQUIRE(chunks > 3u);
  const auto reports_loss = [](const std::filesystem::path& reel) {
    const auto opened = open_recording(reel);
    const auto found = opened->verify();
    BOOST_REQUIRE(found);
    BOOST_TEST(found->ok());
    BOOST_TEST(std::ranges::count_if(found->findings, [](const files::finding& each) {
                 return each.message.find("an unknown number") != std::string::npos;
               }) == 1);
    BOOST_TEST((opened->summarise().value().health == files::health::recovered));
  };
  for (const std::size_t chunk : {std::size_t{0}, chunks / 2, chunks - 1, chunks}) {
    for (const bool columns : {false, true}) {
      BOOST_TEST_CONTEXT("chunk " << chunk << " of " << chunks << (columns ? ", columns" : ", frames")) {
        byte_vector bytes = whole;
        if (chunk < chunks) {
          bytes[static_cast<std::size_t>(reader->chunk_offset(chunk))] ^= std::byte{0xFF};
        } else {
          bytes.resize(static_cast<std::size_t>(reader->chunk_offset(chunks - 1)) + 20);  // truncated
        }
        write_file(butter, bytes);
        const auto reel = folder.path() / "of.reel";
        files::convert_options how;
        how.overwrite = true;
        if (columns) how.keyframe_interval_ticks = 60;
        const auto made = files::convert(file_path(butter), reel, how);
        BOOST_REQUIRE(made);
        BOOST_TEST(made->kept_frames == !columns);
        BOOST_TEST((all_states(reel) == all_states(butter)));
        reports_loss(reel);
        const auto again = folder.path() / "again.reel";
        BOOST_REQUIRE(files::convert(file_path(reel), again, how));
        reports_loss(again);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_reel_converts_to_the_other_formats) {
  const scratch_folder folder;
  const auto reel = folder.path() / "a.reel";
  write_match(reel);
  const std::size_t ticks = all_states(reel).size();
  for (const char* const name : {"a.butter", "a.echoreplay"}) {
    BOOST_REQUIRE(files::convert(file_path(reel), folder.path() / name));
    BOOST_TEST(all_states(folder.path() / name).size() == ticks);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
