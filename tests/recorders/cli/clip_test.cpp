// tickreel clip as scripts use it: a clip around each event, and losses inside a clip.
#include <algorithm>
#include <charconv>

#include "fixtures.hpp"
#include "run_program.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(cli_clip_tests)
BOOST_AUTO_TEST_SUITE(clip_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

echo_vr::simulation_options lively_match() {
  echo_vr::simulation_options match = short_match();
  match.players_per_team = 4;
  match.match_seconds = 120;
  return match;
}

std::int64_t number_in(std::string_view line, std::string_view name) {
  const auto at = line.find("\"" + std::string(name) + "\":");
  if (at == std::string_view::npos) return 0;
  std::int64_t value = 0;
  line.remove_prefix(at + name.size() + 3);
  (void)std::from_chars(line.data(), line.data() + line.size(), value);
  return value;
}

// Chunks of ten ticks.
byte_vector reel_of_short_chunks(const scratch_folder& folder) {
  files::convert_options often;
  often.keyframe_interval_ticks = 10;
  write_match(folder / "whole.reel", often, short_match());
  return read_file(folder / "whole.reel");
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_clip_around_a_goal_contains_its_goal) {
  const scratch_folder folder;
  for (const std::string extension : {".butter", ".echoreplay", ".reel"}) {
    BOOST_TEST_CONTEXT(extension) {
      const std::string whole = folder / ("m" + extension);
      files::convert_options often;
      often.keyframe_interval_ticks = 30;
      write_match(whole, often, lively_match());
      // The recorded times of the goals, and the ranges around them.
      const std::int64_t start = all_ticks(whole).front().recorded_time_ms;
      std::vector<std::pair<std::int64_t, std::int64_t>> wanted;
      files::event_query goals;
      goals.types = {"goal"};
      std::vector<std::int64_t> times;
      BOOST_REQUIRE(open_recording(whole)->events(goals, [&](std::string_view line) {
        times.push_back(number_in(line, "time_ms") - number_in(line, "late_ms"));
        return true;
      }));
      BOOST_REQUIRE(times.size() > 1u);
      std::sort(times.begin(), times.end());
      for (const std::int64_t time : times) {
        const std::int64_t begin = std::max<std::int64_t>(0, time - 3000);
        if (wanted.empty() || begin > wanted.back().second) wanted.emplace_back(begin, time + 2000);
        wanted.back().second = time + 2000;
      }
      const auto made = run({"clip", whole, "--around", "goals", "--before", "3s", "--after", "2s", "-o",
                             folder / ("goal" + extension)});
      BOOST_REQUIRE_MESSAGE(made.code == 0, made.err);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto part = all_ticks(folder / ("goal-" + std::to_string(i + 1) + extension));
        constexpr std::int64_t tick_ms = 34;
        constexpr std::int64_t keyframes_ms = 30 * tick_ms;
        const std::int64_t first = part.front().recorded_time_ms - start;
        const std::int64_t last = part.back().recorded_time_ms - start;
        BOOST_TEST(first <= wanted[i].first + tick_ms);
        BOOST_TEST(first >= wanted[i].first - 2 * keyframes_ms);
        BOOST_TEST(last <= wanted[i].second);
        BOOST_TEST((last >= wanted[i].second - tick_ms || i + 1 == wanted.size()));
      }
      BOOST_TEST(
          !std::filesystem::exists(folder / ("goal-" + std::to_string(wanted.size() + 1) + extension)));
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::filesystem::remove(folder / ("goal-" + std::to_string(i + 1) + extension));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_clip_is_written_if_one_exists) {
  const scratch_folder folder;
  write_match(folder / "m.butter", {}, lively_match());
  write_file(folder / "p-2.butter", as_bytes("mine"));
  const auto made = run({"clip", folder / "m.butter", "--around", "throw", "--before", "0s", "--after", "0s",
                         "-o", folder / "p.butter"});
  BOOST_TEST(made.code == 1);
  BOOST_TEST(made.says("p-2.butter: the file exists already"), made.err);
  BOOST_TEST(!std::filesystem::exists(folder / "p-1.butter"));
  BOOST_TEST((text_of_file(folder / "p-2.butter") == "mine"));
}

BOOST_AUTO_TEST_CASE(plural_type_names_are_accepted) {
  const scratch_folder folder;
  write_match(folder / "m.butter", {}, lively_match());
  for (const std::string types : {"pass,goals", "passes", "catches,goal"}) {
    const auto made = run({"clip", folder / "m.butter", "--around", types, "--before", "0s", "--after", "0s",
                           "-o", folder / "p.butter", "--force"});
    BOOST_TEST((made.code == 0 || made.says("the recording has no event of type ")),
               types << ": " << made.err);
  }
  const auto made = run({"clip", folder / "m.butter", "--around", "gaols", "-o", folder / "p.butter"});
  BOOST_TEST(made.code == 2);
  BOOST_TEST(made.says("--around gaols: unknown event type"), made.err);
}

BOOST_AUTO_TEST_CASE(the_game_clock_is_known_when_a_reel_becomes_lines) {
  const scratch_folder folder;
  write_match(folder / "m.reel", {}, lively_match());
  std::vector<double> clocks;
  for (const auto& tick : all_ticks(folder / "m.reel")) clocks.push_back(tick.match.game_clock);
  const double from = clocks[clocks.size() / 4];
  const double to = clocks[clocks.size() / 3];
  BOOST_REQUIRE(to < from);
  const auto made = run({"clip", folder / "m.reel", "--from", "clock:" + std::to_string(from), "--to",
                         "clock:" + std::to_string(to), "-o", folder / "p.ndjson"});
  BOOST_REQUIRE_MESSAGE(made.code == 0, made.err);
  const std::string text = text_of_file(folder / "p.ndjson");
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  BOOST_TEST(lines >= clocks.size() / 3 - clocks.size() / 4);
  BOOST_TEST(lines < clocks.size() / 2);
}

BOOST_AUTO_TEST_CASE(losses_inside_a_clip_are_reported_and_losses_outside_are_not) {
  const scratch_folder folder;
  // Unreadable lines, and an unknown number of ticks, shift the numbers of later ones.
  const auto check = [&](const std::string& damaged, const std::string& extension, int lost_tick,
                         int code_after) {
    for (const auto& [from, to, code] :
         {std::tuple(0, lost_tick - 45, 0), std::tuple(lost_tick - 50, lost_tick + 50, 3),
          std::tuple(lost_tick + 45, lost_tick + 70, code_after)}) {
      const auto made = run({"clip", damaged, "--from", "tick:" + std::to_string(from), "--to",
                             "tick:" + std::to_string(to), "-o", folder / ("part" + extension), "--force"});
      BOOST_TEST(made.code == code, extension << ", ticks " << from << " to " << to << ": " << made.err);
    }
  };
  const auto match = short_match();
  files::convert_options plain;
  plain.codec = codec_options{.codec = codec_id::none};
  plain.keyframe_interval_ticks = 20;
  write_match(folder / "m.echoreplay", plain, match);
  byte_vector bytes = read_file(folder / "m.echoreplay");
  std::string text(as_text(bytes));
  std::size_t line = 0;
  for (int tick = 0; tick < 90; ++tick) line = text.find('\n', line) + 1;
  text.replace(line, 4, "\x01\x02\x03\x04");
  write_file(folder / "hurt.echoreplay", text);
  check(folder / "hurt.echoreplay", ".echoreplay", 90, 3);
  for (const outcome& later : {run({"seek", folder / "hurt.echoreplay", "--tick", "140"}),
                               run({"cat", folder / "hurt.echoreplay", "--from", "tick:140"})}) {
    BOOST_TEST(later.code == 3);
    BOOST_TEST(later.says("line 91"), later.err);
  }

  write_match(folder / "m.butter", plain, match);
  bytes = read_file(folder / "m.butter");
  auto reader = butter::reader::open(bytes);
  BOOST_REQUIRE(reader);
  // The chunk of ticks 80 to 99 loses the baseline of its first frame.
  std::uint64_t at = 0;
  for (int tick = 0; tick <= 80; ++tick) {
    const auto more = reader->skip();
    BOOST_REQUIRE((more && *more));
    if (tick == 80) at = reader->position().chunk_offset;
  }
  for (std::size_t i = 0; i < 16; ++i) bytes[static_cast<std::size_t>(at) + i] = std::byte{0xFF};
  write_file(folder / "hurt.butter", bytes);
  check(folder / "hurt.butter", ".butter", 90, 3);
  // Times stay what they were.
  for (const std::string extension : {".butter", ".echoreplay"}) {
    const auto by_time = run({"clip", folder / ("hurt" + extension), "--from", "4s", "--to", "5s", "-o",
                              folder / ("part" + extension), "--force"});
    BOOST_TEST(by_time.code == 0, extension << ": " << by_time.err);
  }
}

// Numbers of ticks behind a damaged chunk are too small by as many as it held, which is unknown.
BOOST_AUTO_TEST_CASE(damage_that_shifts_numbers_is_reported_by_every_verb_that_takes_them) {
  const scratch_folder folder;
  files::convert_options often;
  often.keyframe_interval_ticks = 10;
  write_match(folder / "whole.butter", often, short_match());
  const byte_vector whole = read_file(folder / "whole.butter");
  const auto reader = butter::reader::open(whole);
  BOOST_REQUIRE(reader);
  BOOST_REQUIRE(reader->chunk_count() > 8u);
  const auto damage = [&](std::size_t chunk) {
    byte_vector bytes = whole;
    const std::size_t at = static_cast<std::size_t>(reader->chunk_offset(chunk));
    for (std::size_t i = 0; i < 16; ++i) bytes[at + i] = std::byte{0xFF};
    const std::string path = folder / ("chunk" + std::to_string(chunk) + ".butter");
    write_file(path, bytes);
    return path;
  };
  const std::string fourth = damage(3);
  const auto part = [&](const std::string& path, const std::string& from, const std::string& to) {
    return run({"clip", path, "--from", from, "--to", to, "-o", folder / "part.butter", "--force"});
  };
  constexpr const char* named = "chunk 4 of ";
  for (const outcome& later :
       {run({"seek", fourth, "--tick", "35"}), run({"cat", fourth, "--from", "tick:35", "--to", "tick:40"}),
        part(fourth, "tick:35", "tick:40"), part(fourth, "1s", "tick:40"),
        run({"clip", fourth, "--from", "tick:35", "--to", "tick:40", "-o", folder / "part.echoreplay",
             "--force"})}) {
    BOOST_TEST(later.code == 3);
    BOOST_TEST(later.says(named), later.err);
  }
  // Before it, and by times behind it, everything is as it was.
  for (const outcome& sound : {run({"seek", fourth, "--tick", "15"}), run({"seek", fourth, "--time", "2s"}),
                               part(fourth, "tick:5", "tick:15"), part(fourth, "2s", "3s")}) {
    BOOST_TEST(sound.code == 0, sound.err);
  }
  BOOST_TEST(run({"seek", fourth, "--time", "2s"}).out.find("\"time_ms\":2000") != std::string::npos);
  // Without the first ticks, times are shifted as well.
  const std::string first = damage(0);
  for (const outcome& sought : {run({"seek", first, "--tick", "5"}), run({"seek", first, "--time", "1s"}),
                                part(first, "tick:5", "tick:8"), part(first, "1s", "2s")}) {
    BOOST_TEST(sought.code == 3);
    BOOST_TEST(sought.says("the first ticks are missing"), sought.err);
  }
  // A part begins with the keyframe before it, whatever was damaged before that.
  for (const std::string& path : {fourth, first}) {
    const outcome made = part(path, "tick:45", "tick:48");
    BOOST_TEST(made.code == 3);
    const outcome printed = run({"cat", folder / "part.butter"});
    BOOST_TEST(printed.code == 0, printed.err);
    BOOST_TEST(std::ranges::count(printed.out, '\n') == 9);
  }
}

// Ticks that are lost where a clip by time begins or ends are its own.
BOOST_AUTO_TEST_CASE(losses_at_the_edges_of_a_clip_by_time_are_reported) {
  const scratch_folder folder;
  byte_vector bytes = reel_of_short_chunks(folder);
  auto reader = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reader);
  const auto lost = std::ranges::find_if(reader->contents().records, [](const reel::record_info& each) {
    return each.kind == reel::record_kind::chunk && each.first_tick == 40;
  });
  BOOST_REQUIRE(lost != reader->contents().records.end());
  const std::int64_t begin_ms = lost->first_time_us / 1000;
  const auto second = [](std::int64_t ms) { return std::to_string(static_cast<double>(ms) / 1000) + "s"; };
  const std::string inside = second(begin_ms + 150);
  const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(lost->offset);
  std::fill(at, at + static_cast<std::ptrdiff_t>(lost->bytes), std::byte{0});
  write_file(folder / "lost.reel", bytes);
  const auto clip = [&](const std::string& from, const std::string& to) {
    return run(
        {"clip", folder / "lost.reel", "--from", from, "--to", to, "-o", folder / "p.reel", "--force"});
  };
  for (const outcome& edge : {clip(inside, second(begin_ms + 1000)), clip(second(begin_ms - 500), inside)}) {
    BOOST_TEST(edge.code == 3, edge.err);
    BOOST_TEST(edge.says("ticks 40 to 49 (10)"), edge.err);
  }
  // Others are not.
  const outcome later = clip(second(begin_ms + 700), second(begin_ms + 1000));
  BOOST_TEST(later.code == 0, later.err);
}

// No readable tick precedes them.
BOOST_AUTO_TEST_CASE(losses_at_the_beginning_of_a_recording_are_reported_by_a_clip_by_time) {
  const scratch_folder folder;
  byte_vector bytes = reel_of_short_chunks(folder);
  auto reader = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reader);
  const auto lost =
      std::ranges::find(reader->contents().records, reel::record_kind::chunk, &reel::record_info::kind);
  BOOST_REQUIRE(lost->first_tick == 0u);
  bytes[static_cast<std::size_t>(lost->offset + lost->bytes / 2)] ^= std::byte{0xFF};
  write_file(folder / "lost.reel", bytes);
  for (const std::string output : {"p.reel", "p.butter", "p.echoreplay"}) {
    for (const std::vector<std::string>& part :
         {std::vector<std::string>{"--from", "0.2s"}, {"--to", "1s"}}) {
      std::vector<std::string> words = {"clip", folder / "lost.reel", "-o", folder / output, "--force"};
      words.insert(words.end(), part.begin(), part.end());
      const outcome made = run(words);
      BOOST_TEST(made.code == 3, output << ' ' << part[0] << ": " << made.err);
      BOOST_TEST(made.says("ticks 0 to 9 (10)"), made.err);
    }
    const outcome later =
        run({"clip", folder / "lost.reel", "-o", folder / output, "--force", "--from", "0.6s", "--to", "1s"});
    BOOST_TEST(later.code == 0, output << ": " << later.err);
  }
}

// A search by time or clock enters the file in the middle.
BOOST_AUTO_TEST_CASE(a_damaged_chunk_that_a_search_enters_is_no_missing_beginning) {
  const scratch_folder folder;
  files::convert_options often;
  often.keyframe_interval_ticks = 10;
  write_match(folder / "m.butter", often, short_match());
  byte_vector bytes = read_file(folder / "m.butter");
  const auto reader = butter::reader::open(bytes);
  BOOST_REQUIRE(reader);
  BOOST_REQUIRE(reader->chunk_count() > 8u);
  const auto ticks = all_ticks(folder / "m.butter");
  const double above = static_cast<double>(ticks[30].match.game_clock);
  const double below = static_cast<double>(ticks[40].match.game_clock);
  BOOST_REQUIRE(above > below);
  // The checksum at the end of ticks 30 to 39, whose first frame can be read.
  bytes[static_cast<std::size_t>(reader->chunk_offset(4)) - 6] ^= std::byte{0xFF};
  write_file(folder / "m.butter", bytes);
  const auto made =
      run({"clip", folder / "m.butter", "--from", "clock:" + std::to_string((above + below) / 2), "--to",
           "clock:" + std::to_string(below - 1), "-o", folder / "part.butter"});
  BOOST_TEST(made.code == 3);
  BOOST_TEST(made.says("chunk 4 of "), made.err);
  BOOST_TEST(!made.says("the first ticks are missing"), made.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
