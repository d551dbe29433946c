// The events of a clip of a reel: those of its ticks, and the events that they depend on.

#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(files_clips_tests)
BOOST_AUTO_TEST_SUITE(clip_events_test)

namespace clip_event_types {
struct world {
  std::int32_t score = 0;
};
TICKREEL_DESCRIBE(world, score);
struct knock {
  std::int32_t tick = 0;
};
TICKREEL_DESCRIBE(knock, tick);
}  // namespace clip_event_types

namespace {

using namespace tickreel;
using namespace tickreel::test;
using files::moment;

files::conversion_report cut(const std::filesystem::path& from, const std::filesystem::path& to,
                             const files::tick_range& range) {
  const auto how = files::find_conversion(file_path(from), "reel", true);
  BOOST_REQUIRE((how && *how != nullptr));
  files::conversion_options options;
  options.range = range;
  options.overwrite = true;
  const auto done = (*how)->run(from, to, options);
  BOOST_REQUIRE_MESSAGE(done, (done ? "" : describe(done.error())));
  return *done;
}

struct events_seen {
  std::vector<std::string> lines;
  std::vector<std::string> lost;
};

events_seen events_of(const std::filesystem::path& path, const files::event_query& query = {}) {
  const auto from = open_recording(path);
  events_seen all;
  BOOST_REQUIRE(from->events(query, [&](std::string_view line) {
    all.lines.emplace_back(line);
    return true;
  }));
  all.lost = from->losses();
  return all;
}

// Tick, type and the rest, without the time, which counts from the recording's first tick.
std::vector<std::string> without_times(std::vector<std::string> lines) {
  for (std::string& each : lines) {
    const auto at = each.find("\"time_ms\":");
    if (at != std::string::npos) each.erase(at, each.find(',', at) - at + 1);
  }
  return lines;
}

echo_vr::simulation_options lively_match() {
  echo_vr::simulation_options match = short_match();
  match.players_per_team = 4;
  match.match_seconds = 60;
  return match;
}

// 200 ticks in chunks of 20. `after_push` pumps, and may add events.
template <class After>
void record_world(const std::filesystem::path& path, After after_push) {
  recorder_options options;
  options.ticks_per_second = 50;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 20;
  auto out = record<clip_event_types::world>(path.string(), options);
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 200; ++tick) {
    BOOST_REQUIRE(out->push({tick}));
    after_push(*out, tick);
  }
  BOOST_REQUIRE(out->close());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_clip_of_a_reel_has_exactly_the_events_of_its_ticks) {
  const scratch_folder folder;
  for (const bool of_frames : {false, true}) {
    BOOST_TEST_CONTEXT((of_frames ? "frames of a .butter" : "columns")) {
      files::convert_options how;
      how.overwrite = true;
      if (of_frames) how.hold = butter::tolerances{};
      write_match(folder.path() / "m.reel", how, lively_match());
      const auto part = folder.path() / "part.reel";
      (void)cut(folder.path() / "m.reel", part, {moment::at_tick(600), moment::at_tick(1200)});
      std::uint64_t first = 0;
      {
        const auto from = open_recording(part);
        BOOST_REQUIRE((from->next() && true));
        first = from->position().tick;
      }
      files::event_query inside;
      inside.from = moment::at_tick(first);
      inside.to = moment::at_tick(1200);
      const auto wanted = without_times(events_of(folder.path() / "m.reel", inside).lines);
      const auto found = events_of(part);
      BOOST_TEST(wanted.size() > 5u);
      BOOST_TEST(without_times(found.lines) == wanted, boost::test_tools::per_element());
      BOOST_TEST(found.lost.empty(), (found.lost.empty() ? "" : found.lost.front()));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_clip_of_a_reel_of_lines_gives_its_lines_byte_for_byte) {
  const scratch_folder folder;
  write_match(folder.path() / "m.echoreplay", {}, short_match(true));
  BOOST_REQUIRE(files::convert(folder.path() / "m.echoreplay", folder.path() / "m.reel"));
  const std::string text = text_of_plain(folder, folder.path() / "m.echoreplay");
  std::vector<std::size_t> ends{0};
  while (ends.back() < text.size()) ends.push_back(text.find('\n', ends.back()) + 1);
  BOOST_REQUIRE(ends.size() > 150u);
  const auto part = folder.path() / "part.reel";
  for (const auto& [first, last] : {std::pair(0u, 40u), std::pair(77u, 140u), std::pair(150u, 150u)}) {
    const auto done = cut(folder.path() / "m.reel", part, {moment::at_tick(first), moment::at_tick(last)});
    BOOST_TEST(done.lost.empty());
    BOOST_TEST((text_of_plain(folder, part) == text.substr(ends[first], ends[last + 1] - ends[first])),
               "ticks " << first << " to " << last);
  }
}

// A full chunk is sealed with its last tick; an event of that tick follows the next chunk.
BOOST_AUTO_TEST_CASE(a_clip_contains_events_that_follow_the_next_chunk) {
  const scratch_folder folder;
  const auto path = folder.path() / "world.reel";
  record_world(path, [](auto& out, int tick) {
    out.pump();
    BOOST_REQUIRE(out.event(clip_event_types::knock{tick}));
  });
  const auto part = folder.path() / "part.reel";
  for (std::uint64_t last = 100; last < 125; ++last) {
    (void)cut(path, part, {moment::at_tick(90), moment::at_tick(last)});
    files::event_query inside;
    inside.from = moment::at_tick(90);
    inside.to = moment::at_tick(last);
    BOOST_TEST(events_of(part).lines.size() == events_of(path, inside).lines.size(), "up to tick " << last);
  }
}

BOOST_AUTO_TEST_CASE(a_clip_contains_the_descriptions_of_its_events) {
  const scratch_folder folder;
  const auto path = folder.path() / "world.reel";
  record_world(path, [](auto& out, int tick) {
    if (tick % 10 == 5) BOOST_REQUIRE(out.event(clip_event_types::knock{tick}));
    out.pump();
  });
  const auto part = folder.path() / "part.reel";
  (void)cut(path, part, {moment::at_tick(90), moment::at_tick(120)});
  files::event_query query;
  query.types = {"knock"};
  const auto found = events_of(part, query);
  BOOST_REQUIRE(found.lines.size() == 3u);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(found.lines[static_cast<std::size_t>(i)].find(std::to_string(95 + 10 * i)) !=
               std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(omissions_of_a_recorder_are_reported_for_possibly_affected_clips) {
  const scratch_folder folder;
  write_match(folder.path() / "m.echoreplay", {}, short_match(true));
  std::string text = text_of_plain(folder, folder.path() / "m.echoreplay");
  std::size_t line = 0;
  for (int tick = 0; tick < 70; ++tick) line = text.find('\n', line) + 1;
  const std::size_t bones = text.find('\t', text.find('\t', line) + 1);
  BOOST_REQUIRE(text[bones + 1] == '{');
  text[bones + 1] = 'x';
  write_file(folder.path() / "hurt.echoreplay", text);
  files::convert_options how;
  how.hold = butter::tolerances{};
  how.keyframe_interval_ticks = 20;
  BOOST_REQUIRE(files::convert(folder.path() / "hurt.echoreplay", folder.path() / "m.reel", how));
  const auto part = folder.path() / "part.reel";
  for (const auto& [first, last, loss_expected] :
       {std::tuple(0u, 60u, false), std::tuple(60u, 90u, true), std::tuple(70u, 70u, true)}) {
    const auto done = cut(folder.path() / "m.reel", part, {moment::at_tick(first), moment::at_tick(last)});
    BOOST_TEST(!done.lost.empty() == loss_expected, "ticks " << first << " to " << last);
    const auto seen = open_recording(part)->summarise();
    BOOST_REQUIRE(seen);
    BOOST_TEST(!seen->left_out.empty() == loss_expected);
  }
}

BOOST_AUTO_TEST_CASE(an_anonymous_reel_has_its_events_with_the_new_names) {
  const scratch_folder folder;
  write_match(folder.path() / "m.reel", {}, lively_match());
  BOOST_REQUIRE(files::anonymise(file_path(folder.path() / "m.reel"), folder.path() / "public.reel", {}));
  const auto types = [](const std::vector<std::string>& lines) {
    std::vector<std::string> all;
    for (const std::string& each : lines) {
      const auto at = each.find("\"type\":");
      all.push_back(each.substr(0, each.find(',')) + each.substr(at, each.find(',', at) - at));
    }
    return all;
  };
  const auto before = events_of(folder.path() / "m.reel").lines;
  const auto after = events_of(folder.path() / "public.reel").lines;
  BOOST_TEST(before.size() > 20u);
  BOOST_TEST(types(after) == types(before), boost::test_tools::per_element());
  const auto tick = all_ticks(folder.path() / "m.reel").front();
  auto reader = reel::reader::open(file_path(folder.path() / "public.reel"));
  BOOST_REQUIRE(reader);
  reel::record record;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < reader->contents().records.size(); ++i) {
    BOOST_REQUIRE(reader->read(i, record));
    if (reader->contents().records[i].kind == reel::record_kind::event) ++kept;
    for (std::size_t p = 0; p < tick.match.player_count; ++p) {
      const std::string name(tick.players[p].name.view());
      BOOST_REQUIRE(as_text(record.payload).find(name) == std::string::npos);
    }
  }
  BOOST_TEST(kept >= after.size());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
