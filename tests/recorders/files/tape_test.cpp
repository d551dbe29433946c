// .tape and .nevrcap: written and read again, and sought.
#include <algorithm>

#include "captures.hpp"
#include "random.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/tape/container.hpp"
#include "tickreel/tape/wire.hpp"

BOOST_AUTO_TEST_SUITE(files_tape_tests)
BOOST_AUTO_TEST_SUITE(tape_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
}  // namespace

BOOST_AUTO_TEST_CASE(a_tape_gives_back_what_its_table_says) {
  const scratch_folder folder;
  const auto source = written(folder, "match.echoreplay");
  const auto report = files::convert(source, folder.path() / "match.tape");
  BOOST_REQUIRE(report);
  // Axes become quaternions, and that is reported.
  BOOST_TEST(report->lossy_source());
  BOOST_TEST(!report->losses.places.empty());
  const auto want = all_ticks(source);
  const auto got = all_ticks(folder.path() / "match.tape");
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const echo::session& a = got[i].match;
    const echo::session& b = want[i].match;
    BOOST_TEST(got[i].recorded_time_ms == want[i].recorded_time_ms);
    BOOST_TEST((a.disc.at.position == b.disc.at.position && a.disc.velocity == b.disc.velocity));
    BOOST_TEST(a.game_clock == b.game_clock);
    BOOST_TEST(a.game_status.view() == b.game_status.view());
    BOOST_TEST(a.blue_points == b.blue_points);
    BOOST_TEST(a.blue_round_score == b.blue_round_score);
    BOOST_TEST((a.last_throw == b.last_throw));
    BOOST_TEST(a.last_score.person_scored.view() == b.last_score.person_scored.view());
    BOOST_REQUIRE(a.player_count == b.player_count);
    for (std::size_t p = 0; p < a.player_count; ++p) {
      const echo::player& one = got[i].players[p];
      const echo::player& other = want[i].players[p];
      BOOST_TEST(one.name.view() == other.name.view());
      BOOST_TEST((one.stats == other.stats));
      BOOST_TEST((one.holding_left == other.holding_left && one.holding_right == other.holding_right));
      BOOST_TEST((one.head.position == other.head.position && one.velocity == other.velocity));
      constexpr float worst_axis = 0.003f;
      BOOST_TEST(std::fabs(one.head.forward.x - other.head.forward.x) < worst_axis);
      BOOST_TEST(std::fabs(one.lhand.up.y - other.lhand.up.y) < worst_axis);
    }
    BOOST_REQUIRE(got[i].bone_player_count == want[i].bone_player_count);
    for (std::size_t p = 0; p < got[i].bone_player_count; ++p) {
      BOOST_TEST((got[i].bone_players[p].rotations == want[i].bone_players[p].rotations));
    }
  }
  const capture_content read = read_capture(folder.path() / "match.tape");
  BOOST_TEST(!has_errors(read.checked));
}

BOOST_AUTO_TEST_CASE(a_nevrcap_keeps_every_number) {
  const scratch_folder folder;
  const auto source = written(folder, "match.echoreplay");
  BOOST_REQUIRE(files::convert(source, folder.path() / "match.nevrcap"));
  const auto want = all_ticks(source);
  const auto got = all_ticks(folder.path() / "match.nevrcap");
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST(got[i].recorded_time_ms == want[i].recorded_time_ms);
    BOOST_TEST((got[i].match.disc.at == want[i].match.disc.at));
    BOOST_TEST((got[i].match.vr.at == want[i].match.vr.at));
    BOOST_TEST(got[i].match.game_clock_display.view() == want[i].match.game_clock_display.view());
    BOOST_REQUIRE(got[i].match.player_count == want[i].match.player_count);
    for (std::size_t p = 0; p < got[i].match.player_count; ++p) {
      BOOST_TEST((got[i].players[p].rhand == want[i].players[p].rhand));
      BOOST_TEST((got[i].players[p].stats == want[i].players[p].stats));
    }
    BOOST_TEST(got[i].bone_player_count == want[i].bone_player_count);
  }
}

BOOST_AUTO_TEST_CASE(a_second_conversion_loses_nothing_more) {
  const scratch_folder folder;
  const auto first = written(folder, "first.tape", false);
  BOOST_REQUIRE(files::convert(first, folder.path() / "text.echoreplay"));
  BOOST_REQUIRE(files::convert(folder.path() / "text.echoreplay", folder.path() / "second.tape"));
  const auto want = all_ticks(first);
  const auto got = all_ticks(folder.path() / "second.tape");
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST((got[i].match.disc.at.position == want[i].match.disc.at.position));
    BOOST_TEST((got[i].match.last_throw == want[i].match.last_throw));
    BOOST_TEST(got[i].match.possession[0] == want[i].match.possession[0]);
    for (std::size_t p = 0; p < got[i].match.player_count; ++p) {
      BOOST_TEST((got[i].players[p].stats == want[i].players[p].stats));
    }
  }
}

BOOST_AUTO_TEST_CASE(without_options_a_capture_is_compressed_with_its_codec) {
  const scratch_folder folder;
  for (const char* name : {"match.tape", "match.nevrcap"}) {
    const auto match = written(folder, name);
    const auto smaller = folder.path() / ("smaller " + std::string(name));
    BOOST_REQUIRE(files::recompress(match, smaller, {}));
    BOOST_TEST((all_states(smaller) == all_states(match)));
    BOOST_TEST(std::filesystem::file_size(smaller) <= std::filesystem::file_size(match));
  }
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_tape_loses_nothing) {
  const scratch_folder folder;
  const auto first = written(folder, "first.tape");
  const auto report = files::convert(first, folder.path() / "second.tape");
  BOOST_REQUIRE(report);
  BOOST_TEST(!report->lossy_source());
  const auto want = all_states(first);
  const auto check = [&](const std::filesystem::path& copy, std::size_t ticks) {
    // Axes, too: they are made from the quaternions of the same records.
    const auto got = all_states(copy);
    BOOST_REQUIRE(got.size() == ticks);
    BOOST_TEST(std::equal(got.begin(), got.end(), want.begin()));
    const auto checked = open_recording(copy)->verify({});
    BOOST_REQUIRE(checked);
    BOOST_TEST(checked->findings.empty());
  };
  const std::size_t ticks = want.size();
  check(folder.path() / "second.tape", ticks);
  // The whole records of a truncated file.
  const byte_vector bytes = read_file(first);
  write_file(folder.path() / "cut.tape", byte_span(bytes).first(bytes.size() / 2));
  const std::size_t left = read_capture(folder.path() / "cut.tape").ticks.size();
  BOOST_REQUIRE((left > 0 && left < ticks));
  BOOST_REQUIRE(files::recover(folder.path() / "cut.tape", folder.path() / "recovered.tape"));
  check(folder.path() / "recovered.tape", left);
}

namespace {

// Ticks made by a function, which returns false at the end.
class made_ticks final : public files::echo_source {
 public:
  using function = bool (*)(std::uint64_t tick, echo::state& out);
  explicit made_ticks(function make) : make_(make) {}
  result<bool> next(echo::state& out) override { return make_(tick_++, out); }
  result<void> rewind() override {
    tick_ = 0;
    return {};
  }

 private:
  function make_;
  std::uint64_t tick_ = 0;
};

bool three_in_one_slot(std::uint64_t tick, echo::state& out) {
  out = {};
  out.recorded_time_ms = 1'658'001'898'159 + static_cast<std::int64_t>(tick) * 33;
  out.match.fields = echo::session::has_teams | echo::session::has_sessionid;
  (void)out.match.sessionid.assign("5A");
  out.match.team_count = 3;
  out.match.player_count = 3;
  out.match.teams[0].player_count = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    out.players[i].fields = echo::player::has_name | echo::player::has_userid;
    out.players[i].userid = 100 + i;
    (void)out.players[i].name.assign("player " + std::to_string(i));
  }
  return tick < 5;
}

// Other slots in each tick.
bool changing_slots(std::uint64_t tick, echo::state& out) {
  (void)three_in_one_slot(tick, out);
  for (std::size_t i = 0; i < 3; ++i) out.players[i].playerid = static_cast<std::int32_t>(3 * tick + i);
  return tick < 400;
}

}  // namespace

BOOST_AUTO_TEST_CASE(players_with_the_same_slot_are_kept) {
  const scratch_folder folder;
  made_ticks source(three_in_one_slot);
  const auto report = files::convert(source, folder.path() / "match.tape");
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(std::any_of(report->not_stored.begin(), report->not_stored.end(), [](const std::string& each) {
    return each.find("players.playerid") != std::string::npos;
  }));
  const auto ticks = all_ticks(folder.path() / "match.tape");
  BOOST_REQUIRE(ticks.size() == 5u);
  for (const echo::state& each : ticks) {
    BOOST_REQUIRE(each.match.player_count == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_TEST(each.players[i].name.view() == "player " + std::to_string(i));
      BOOST_TEST(each.players[i].userid == 100 + i);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_full_tape_is_followed_by_another_file) {
  const scratch_folder folder;
  made_ticks source(changing_slots);
  const auto report = files::convert(source, folder.path() / "match.tape");
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(report->full_captures == 2u);
  BOOST_REQUIRE(report->files.size() == 3u);
  std::int32_t slot = 0;
  for (const file_path& each : report->files) {
    for (const echo::state& tick : all_ticks(filesystem_path(each))) {
      BOOST_REQUIRE(tick.match.player_count == 3);
      for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(tick.players[i].playerid == slot++);
    }
  }
  BOOST_TEST(slot == 1200);
}

BOOST_AUTO_TEST_CASE(the_content_decides_about_the_format) {
  const scratch_folder folder;
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = written(folder, (std::string("m.") + format).c_str(), false);
    const auto renamed = folder.path() / (std::string(format) + ".txt");
    std::filesystem::copy_file(path, renamed);
    const auto found = files::detect(renamed);
    BOOST_REQUIRE(found);
    BOOST_TEST((*found)->name == format);
  }
}

namespace {

// The records of a capture without compression.
byte_vector plain_records(byte_span file) {
  auto reader = tape::record_reader::open(
      [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
        if (offset >= file.size()) return byte_span{};
        const byte_span rest = file.subspan(static_cast<std::size_t>(offset));
        return rest.first(std::min(count, rest.size()));
      },
      file.size());
  BOOST_REQUIRE(reader);
  byte_vector out;
  tape::message_writer to(out);
  byte_span record;
  for (auto more = reader->next(record); more && *more; more = reader->next(record)) {
    to.varint(record.size());
    out.insert(out.end(), record.begin(), record.end());
  }
  return out;
}

class counted_bytes final : public distant_bytes {
 public:
  explicit counted_bytes(byte_span from) : from_(from) {}
  std::uint64_t size() const noexcept override { return from_.size(); }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    const byte_span rest = from_.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(offset, size())));
    const std::size_t count = std::min(into.size(), rest.size());
    std::copy_n(rest.begin(), count, into.begin());
    bytes_read += count;
    return count;
  }

  std::uint64_t bytes_read = 0;

 private:
  byte_span from_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_seek_gives_the_tick_that_reading_gives) {
  auto random = seeded_random("seeks in captures");
  const scratch_folder folder;
  echo_vr::simulation_options longer = short_match();
  longer.match_seconds = 40;
  files::convert_options options;
  options.keyframe_interval_ticks = 30;
  write_match(folder.path() / "blocks.tape", options, longer);
  write_match(folder.path() / "frames.nevrcap", options, longer);
  write_file(folder.path() / "plain.tape", plain_records(read_file(folder.path() / "blocks.tape")));
  for (const char* name : {"blocks.tape", "frames.nevrcap", "plain.tape"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto path = folder.path() / name;
      const std::vector<std::string> want = all_states(path);
      BOOST_REQUIRE(want.size() > 1000u);
      const auto recording = open_recording(path);
      for (int round = 0; round < 40; ++round) {
        const std::uint64_t tick = random() % want.size();
        const bool by_time = random() % 4 == 0;
        const auto where = by_time ? files::moment::at_time(static_cast<double>(tick) / longer.rate_hz)
                                   : files::moment::at_tick(tick);
        BOOST_REQUIRE(recording->seek(where));
        for (std::uint64_t i = 0; i < 3; ++i) {
          const auto more = recording->next();
          BOOST_REQUIRE(more);
          if (!*more) break;
          const std::uint64_t number = recording->position().tick;
          if (!by_time) BOOST_REQUIRE(number == tick + i);
          if (by_time && i == 0) {
            const double ms = static_cast<double>(recording->position().time_ms);
            BOOST_TEST(ms >= where.seconds * 1000 - 0.5);
          }
          std::string state;
          recording->append_state(state);
          BOOST_REQUIRE(state == want[static_cast<std::size_t>(number)]);
        }
        // Once everything was read, there are snapshots of all of it.
        if (round == 20) BOOST_REQUIRE(recording->summarise());
      }
      const auto checked = recording->verify();
      BOOST_REQUIRE(checked);
      BOOST_TEST(!has_errors(*checked));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_seek_to_a_tick_that_was_read_reads_few_bytes) {
  const scratch_folder folder;
  echo_vr::simulation_options longer = short_match(true);
  longer.match_seconds = 40;
  write_match(folder.path() / "match.tape", {}, longer);
  const byte_vector bytes = read_file(folder.path() / "match.tape");
  const auto source = std::make_shared<counted_bytes>(bytes);
  auto opened = files::open(byte_source(source, "match.tape"));
  BOOST_REQUIRE(opened);
  const auto summary = (*opened)->summarise();
  BOOST_REQUIRE(summary);
  for (const std::uint64_t tick : {summary->ticks - 1, summary->ticks / 2, std::uint64_t{200}}) {
    const std::uint64_t before = source->bytes_read;
    BOOST_REQUIRE((*opened)->seek(files::moment::at_tick(tick)));
    BOOST_REQUIRE((*opened)->next().value());
    BOOST_TEST((*opened)->position().tick == tick);
    BOOST_TEST((source->bytes_read - before) * 2 < bytes.size());
  }
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(an_output_may_have_any_name) {
  const scratch_folder folder;
  const auto source = written(folder, "match.tape", false);
  for (const char* name :
       {"a\xFF.echoreplay", "a\xFF.tape", "-x.nevrcap", "\x1B[31m.tape", "\x1B[31m.echoreplay"}) {
    const auto report = files::convert(source, folder.path() / name);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    BOOST_TEST(all_ticks(folder.path() / name).size() == report->ticks);
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
