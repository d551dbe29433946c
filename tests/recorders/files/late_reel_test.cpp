// The reel of a late subscriber: every operation reports where it begins, and none reports damage.
#include <boost/test/unit_test.hpp>
#include <map>

#include "collecting_sink.hpp"
#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "scratch_folder.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/same_content.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/stored_record.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(late_reel_test)

namespace joined {

struct puck {
  float x = 0;
  std::int32_t goals = 0;
};
TICKREEL_DESCRIBE(puck, x, goals);

}  // namespace joined

namespace {

using namespace tickreel;
using namespace tickreel::test;

// 100 ticks, of which the reel has those from 50 on.
byte_vector joined_at_50(const scratch_folder& folder) {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 10;
  options.ticks_per_second = 50;
  auto out = record<joined::puck>(folder / "all.reel", options);
  BOOST_REQUIRE(out);
  byte_vector late;
  for (int tick = 0; tick < 100; ++tick) {
    if (tick == 50) out->add_sink(std::make_unique<collecting_sink>(late));
    BOOST_REQUIRE(out->push({static_cast<float>(tick), tick / 30}));
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  return late;
}

bool names_the_beginning(const std::vector<std::string>& sentences) {
  return std::any_of(sentences.begin(), sentences.end(), [](const std::string& each) {
    return each.find("begins at tick 50: ticks 0 to 49 (50) before it are missing") != std::string::npos;
  });
}

// The results of info, verify and cat.
void check_late(const std::string& path) {
  auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened.has_value(), path);
  const auto seen = (*opened)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST(seen->ticks == 50u);
  BOOST_TEST((seen->health == files::health::incomplete || seen->health == files::health::recovered),
             files::name(seen->health));
  BOOST_TEST(names_the_beginning((*opened)->losses()));
  const auto quickly = (*opened)->quick_summary();
  BOOST_REQUIRE(quickly);
  BOOST_TEST(quickly->ticks == 50u);
  BOOST_TEST((quickly->health == seen->health));
  const auto verified = (*opened)->verify();
  BOOST_REQUIRE(verified);
  std::vector<std::string> found;
  for (const files::finding& each : verified->findings) found.push_back(each.message);
  BOOST_TEST(verified->ok());
  BOOST_TEST(names_the_beginning(found));
  // The index of the whole recording does not match, and is not damaged.
  BOOST_TEST(std::ranges::none_of(
      found, [](const std::string& each) { return each.find("index") != std::string::npos; }));
  BOOST_REQUIRE((*opened)->seek({files::moment::by::tick, 70}));
  BOOST_REQUIRE((*opened)->next());
  BOOST_TEST((*opened)->position().tick == 70u);
}

// The reel of a subscriber that joined at that record: with lasting events, or without.
byte_vector joined_at(reel::reader& all, std::size_t entry, bool with_what_lasts, std::size_t& lasting) {
  const auto& records = all.contents().records;
  std::vector<std::size_t> numbers;
  std::vector<reel::record_info> kept;
  for (std::size_t number = 0; number < entry; ++number) {
    const bool wanted =
        records[number].lasts() ? with_what_lasts : records[number].kind == reel::record_kind::header_update;
    if (!wanted) continue;
    numbers.push_back(number);
    kept.push_back(records[number]);
  }
  lasting = static_cast<std::size_t>(std::ranges::count_if(kept, &reel::record_info::lasts));
  const auto late = reel::beginning_of(all.header_bytes(), records[entry], kept);
  // The first chunk may directly follow the lasting records: then nothing is omitted.
  BOOST_REQUIRE(late.has_value() == (numbers.size() != entry));
  byte_vector out(all.header_bytes().begin(), all.header_bytes().end());
  byte_vector stored;
  for (std::size_t place = 0; place <= numbers.size(); ++place) {
    if (late && late->before == place) out.insert(out.end(), late->bytes.begin(), late->bytes.end());
    if (place == numbers.size()) break;
    BOOST_REQUIRE(all.read_stored(numbers[place], stored));
    out.insert(out.end(), stored.begin(), stored.end());
  }
  for (std::size_t number = entry; number < records.size(); ++number) {
    BOOST_REQUIRE(all.read_stored(number, stored));
    out.insert(out.end(), stored.begin(), stored.end());
  }
  return out;
}

// A reel of lines, joined at its last keyframe.
byte_vector joined_lines(const std::string& path, bool with_what_lasts, std::size_t& lasting) {
  auto all = reel::reader::open(path);
  BOOST_REQUIRE(all);
  const auto& records = all->contents().records;
  std::size_t entry = 0;
  for (std::size_t number = 0; number < records.size(); ++number) {
    if (records[number].is_entrance()) entry = number;
  }
  return joined_at(*all, entry, with_what_lasts, lasting);
}

// A reel of an .echoreplay, in which each line has values that a state does not contain.
std::string reel_of_lines(const scratch_folder& folder) {
  const std::string original = folder / "lines.echoreplay";
  write_match(original);
  std::string text;
  const std::string plain = text_of_plain(folder, original);
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = plain.find('\n', at) + 1;
    std::string line = plain.substr(at, end - at);
    line.insert(line.find('{') + 1, "\"jetpack\":0.808,");
    text += line;
    at = end;
  }
  write_file(original, text);
  files::convert_options options;
  options.keyframe_interval_ticks = 20;
  const std::string path = folder / "lines.reel";
  BOOST_REQUIRE(files::convert(original, path, options));
  return path;
}

BOOST_AUTO_TEST_SUITE(reels_that_were_joined_late)

// The shape of a line is stored once, when the first one arrives.
BOOST_AUTO_TEST_CASE(have_their_lines) {
  const scratch_folder folder;
  const std::string path = reel_of_lines(folder);
  std::size_t lasting = 0;
  const std::string late = folder / "late.reel";
  write_file(late, joined_lines(path, true, lasting));
  BOOST_REQUIRE(lasting != 0u);
  const std::vector<std::string> all = all_states(path);
  // And every copy of it has them.
  BOOST_REQUIRE(files::recover(late, folder / "recovered.reel"));
  BOOST_REQUIRE(files::compact(late, folder / "compact.reel"));
  for (const std::string& each : {late, folder / "recovered.reel", folder / "compact.reel"}) {
    const std::vector<std::string> came = all_states(each);
    BOOST_REQUIRE(!came.empty());
    BOOST_REQUIRE(came.size() < all.size());
    BOOST_TEST(
        (came == std::vector<std::string>(all.end() - static_cast<std::ptrdiff_t>(came.size()), all.end())),
        each);
    auto opened = files::open(each);
    BOOST_REQUIRE(opened);
    const auto verified = (*opened)->verify();
    BOOST_REQUIRE(verified);
    BOOST_TEST(verified->ok());
    BOOST_TEST(std::ranges::count_if((*opened)->losses(), [](const std::string& loss) {
                 return loss.starts_with("the lines of");
               }) == 0);
  }
}

// Without the shape no line is generated: the known values of a tick are returned, and the missing line is reported.
BOOST_AUTO_TEST_CASE(never_invent_a_line) {
  const scratch_folder folder;
  const std::string path = reel_of_lines(folder);
  std::size_t lasting = 0;
  const std::string late = folder / "late.reel";
  write_file(folder / "joined.reel", joined_lines(path, true, lasting));
  // The shape is repeated later in the reel; there no copy is left either.
  reel::copy_options without;
  without.leaves_out = [](const reel::event& one) {
    return one.type == echoreplay::line_event && echoreplay::line_restorer::is_shape(one.bytes);
  };
  BOOST_REQUIRE(reel::recover_into(folder / "joined.reel", late, without));
  for (const std::string& state : all_states(late)) {
    BOOST_TEST(state.find("jetpack") == std::string::npos);
    // The values that other readers of such files assume for unknown ones.
    BOOST_TEST(state.find("null") == std::string::npos);
  }
  auto opened = files::open(late);
  BOOST_REQUIRE(opened);
  const auto seen = (*opened)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST((seen->health == files::health::incomplete), files::name(seen->health));
  BOOST_TEST(!seen->left_out.empty());
  const auto verified = (*opened)->verify();
  BOOST_REQUIRE(verified);
  BOOST_TEST(verified->ok());
  BOOST_TEST(verified->content_left_out);
  const auto back = files::convert(late, folder / "back.echoreplay");
  BOOST_REQUIRE(back);
  BOOST_TEST(back->losses.missing_lines == back->ticks);
}

std::map<std::uint64_t, std::int64_t> times_of(const std::string& path, bool live) {
  std::map<std::uint64_t, std::int64_t> times;
  auto opened = files::open(path, {.live = live});
  BOOST_REQUIRE(opened);
  while ((*opened)->next().value()) {
    const files::tick_position& at = (*opened)->position();
    times[at.tick] = at.time_ms;
  }
  return times;
}

// A late follower prints what `cat` prints of the whole recording.
BOOST_AUTO_TEST_CASE(give_the_times_of_the_whole_recording) {
  const scratch_folder folder;
  files::convert_options as_butter;
  as_butter.keyframe_interval_ticks = 20;
  as_butter.hold = butter::tolerances{};
  const std::string lines = reel_of_lines(folder);
  BOOST_REQUIRE(files::convert(lines, folder / "butter.reel", as_butter));
  for (const std::string& path : {lines, folder / "butter.reel"}) {
    BOOST_TEST_CONTEXT(path) {
      const auto all = times_of(path, false);
      auto whole = reel::reader::open(path);
      BOOST_REQUIRE(whole);
      const auto& records = whole->contents().records;
      for (std::size_t entry = 1; entry < records.size(); ++entry) {
        if (!records[entry].is_entrance()) continue;
        std::size_t lasting = 0;
        const std::string late = folder / "late.reel";
        write_file(late, joined_at(*whole, entry, true, lasting));
        for (const bool live : {false, true}) {
          const auto came = times_of(late, live);
          BOOST_REQUIRE(!came.empty());
          BOOST_REQUIRE(came.rbegin()->first == all.rbegin()->first);
          for (const auto& [tick, time_ms] : came) {
            BOOST_REQUIRE(all.contains(tick));
            BOOST_REQUIRE(all.at(tick) == time_ms);
          }
        }
      }
    }
  }
}

// The values of a line follow its chunk: while the reel grows, a tick waits for them.
BOOST_AUTO_TEST_CASE(give_ticks_with_their_lines_while_they_grow) {
  const scratch_folder folder;
  const std::string path = reel_of_lines(folder);
  const std::vector<std::string> all = all_states(path);
  const byte_vector bytes = read_file(path);
  auto whole = reel::reader::open(path);
  BOOST_REQUIRE(whole);
  const std::string growing = folder / "growing.reel";
  std::unique_ptr<files::recording> from;
  std::vector<std::string> came;
  // Record by record, and read after each.
  for (const reel::record_info& each : whole->contents().records) {
    write_file(growing, byte_span(bytes).first(static_cast<std::size_t>(each.offset + each.bytes)));
    if (!from) {
      auto opened = files::open(growing, {.live = true});
      if (!opened) continue;
      from = std::move(*opened);
    } else {
      BOOST_REQUIRE(from->extend());
    }
    for (auto more = from->next(); more && *more; more = from->next()) {
      came.emplace_back();
      from->append_state(came.back());
    }
  }
  BOOST_TEST((came == all));
  BOOST_TEST(from->losses().empty());
}

BOOST_AUTO_TEST_CASE(are_reported_as_late_and_not_as_damaged) {
  const scratch_folder folder;
  const byte_vector late = joined_at_50(folder);
  const std::string path = folder / "late.reel";
  write_file(path, late);
  check_late(path);
  // Every copy repeats it.
  BOOST_REQUIRE(files::compact(path, folder / "compact.reel"));
  check_late(folder / "compact.reel");
  const auto same = files::has_same_content(folder / "compact.reel", path);
  BOOST_REQUIRE(same);
  BOOST_TEST(*same);
  const auto recovered = files::recover(path, folder / "recovered.reel");
  BOOST_REQUIRE(recovered);
  BOOST_TEST(recovered->ticks == 50u);
  BOOST_TEST(recovered->lost_ticks == 50u);
  check_late(folder / "recovered.reel");
  const auto how = files::find_conversion(path, "ndjson");
  BOOST_REQUIRE(how);
  BOOST_REQUIRE(*how != nullptr);
  const auto made = (*how)->run(path, folder / "late.ndjson", {});
  BOOST_REQUIRE(made);
  BOOST_TEST(names_the_beginning(made->lost));
  // As during the match.
  write_file(path, byte_span(late).first(late.size() / 2));
  auto open = files::open(path);
  BOOST_REQUIRE(open);
  const auto seen = (*open)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST((seen->health == files::health::incomplete));
}

// A clip of it lacks nothing.
BOOST_AUTO_TEST_CASE(give_complete_clips) {
  const scratch_folder folder;
  const std::string path = folder / "late.reel";
  write_file(path, joined_at_50(folder));
  const auto how = files::find_conversion(path, "reel", true);
  BOOST_REQUIRE(how);
  BOOST_REQUIRE(*how != nullptr);
  files::conversion_options options;
  BOOST_TEST(files::read_range("tick:60", "tick:80", options.range).empty());
  const auto made = (*how)->run(path, folder / "clip.reel", options);
  BOOST_REQUIRE(made);
  BOOST_TEST(made->lost.empty());
  auto clip = files::open(folder / "clip.reel");
  BOOST_REQUIRE(clip);
  const auto seen = (*clip)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST((seen->health == files::health::whole));
}

// A reel of Echo VR, joined at its second keyframe or later. Returns the first tick.
std::uint64_t join(const std::string& all, const std::string& late) {
  auto source = reel::reader::open(all);
  BOOST_REQUIRE(source);
  const auto& records = source->contents().records;
  std::size_t from = 0;
  while (from < records.size() && !(records[from].is_entrance() && records[from].first_tick != 0)) ++from;
  BOOST_REQUIRE(from < records.size());
  std::size_t lasting = 0;
  write_file(late, byte_span(joined_at(*source, from, true, lasting)));
  return records[from].first_tick;
}

// The results of info and verify, and its ticks.
std::uint64_t check_echo(const std::string& path, std::uint64_t first_tick) {
  const std::string said = "begins at tick " + std::to_string(first_tick) + ": ticks 0 to " +
                           std::to_string(first_tick - 1) + " (" + std::to_string(first_tick) +
                           ") before it are missing";
  const auto is_said = [&](const std::string& each) { return each.find(said) != std::string::npos; };
  auto opened = open_recording(path);
  const auto seen = opened->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST((seen->health == files::health::incomplete), path << ' ' << files::name(seen->health));
  const auto losses = opened->losses();
  BOOST_TEST(std::any_of(losses.begin(), losses.end(), is_said), path);
  const auto verified = opened->verify();
  BOOST_REQUIRE(verified);
  BOOST_TEST(verified->ok(), path);
  BOOST_TEST(std::any_of(verified->findings.begin(), verified->findings.end(),
                         [&](const auto& each) { return is_said(each.message); }),
             path);
  BOOST_REQUIRE(opened->rewind());
  BOOST_REQUIRE(opened->next());
  BOOST_TEST(opened->position().tick == first_tick, path);
  return seen->ticks;
}

BOOST_AUTO_TEST_CASE(of_echo_are_reported_as_late_in_every_copy) {
  const scratch_folder folder;
  files::convert_options small;
  small.keyframe_interval_ticks = 30;
  write_match(folder / "all.echoreplay");
  // Rows, rows with their original lines, and frames of a .butter.
  write_match(folder / "rows.reel", small);
  BOOST_REQUIRE(files::convert(folder / "all.echoreplay", folder / "lines.reel", small));
  small.hold = butter::tolerances{};
  write_match(folder / "frames.reel", small);
  for (const std::string name : {"rows", "lines", "frames"}) {
    BOOST_TEST_CONTEXT(name) {
      const std::string late = folder / (name + "-late.reel");
      const std::uint64_t first = join(folder / (name + ".reel"), late);
      const std::uint64_t ticks = check_echo(late, first);
      BOOST_TEST(ticks > 0u);
      const auto copy = folder / (name + "-copy.reel");
      const auto made = files::convert(late, copy);
      BOOST_REQUIRE(made);
      BOOST_TEST(made->ticks == ticks);
      BOOST_TEST(check_echo(copy, first) == ticks);
      BOOST_TEST((all_states(copy) == all_states(late)));
      // A copy of a copy; with frames of a .butter; of a killed recorder; with other names.
      const auto again = folder / (name + "-again.reel");
      BOOST_REQUIRE(files::convert(copy, again));
      BOOST_TEST(check_echo(again, first) == ticks);
      const auto as_frames = folder / (name + "-frames.reel");
      BOOST_REQUIRE(files::convert(late, as_frames, small));
      BOOST_TEST(check_echo(as_frames, first) == ticks);
      const auto nameless = folder / (name + "-nameless.reel");
      BOOST_REQUIRE(files::anonymise(late, nameless));
      BOOST_TEST(check_echo(nameless, first) == ticks);
      // A clip of it lacks nothing, unless it includes ticks before its start.
      const auto how = files::find_conversion(late, "reel", true);
      BOOST_REQUIRE(how);
      BOOST_REQUIRE(*how != nullptr);
      const auto part = [&](std::uint64_t from, const std::string& path) {
        files::conversion_options options;
        BOOST_TEST(files::read_range("tick:" + std::to_string(from), "tick:" + std::to_string(first + 40),
                                     options.range)
                       .empty());
        const auto cut = (*how)->run(late, path, options);
        BOOST_REQUIRE(cut);
        return cut->lost.empty();
      };
      BOOST_TEST(part(first + 30, folder / (name + "-part.reel")));
      const auto whole = open_recording(folder / (name + "-part.reel"))->summarise();
      BOOST_REQUIRE(whole);
      BOOST_TEST((whole->health == files::health::whole));
      BOOST_TEST(!part(first - 5, folder / (name + "-early.reel")));
      check_echo(folder / (name + "-early.reel"), first);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Ticks are in microseconds; output is in milliseconds.
BOOST_AUTO_TEST_SUITE(clips_of_a_reel)

BOOST_AUTO_TEST_CASE(by_tick_times_have_those_ticks) {
  const scratch_folder folder;
  const std::string path = folder / "all.reel";
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 10;
  options.ticks_per_second = 60;
  auto out = record<joined::puck>(path, options);
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 100; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick), tick}));
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  const auto how = files::find_conversion(path, "reel", true);
  BOOST_REQUIRE(how);
  BOOST_REQUIRE(*how != nullptr);
  auto opened = files::open(path);
  BOOST_REQUIRE(opened);
  for (auto more = (*opened)->next(); more && *more; more = (*opened)->next()) {
    const files::tick_position at = (*opened)->position();
    files::conversion_options part;
    part.overwrite = true;
    part.range.from = part.range.to = files::moment::at_time(static_cast<double>(at.time_ms) / 1000);
    const auto made = (*how)->run(path, folder / "clip.reel", part);
    BOOST_REQUIRE_MESSAGE(made, "tick " << at.tick);
    BOOST_TEST(made->ticks == 1u);
    BOOST_TEST(made->cut->first_tick.value_or(1000) == at.tick);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
