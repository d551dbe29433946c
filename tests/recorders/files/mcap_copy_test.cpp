// Copies of .mcap files: conversions, parts, and files that were recovered.
#include <algorithm>

#include "every_format.hpp"
#include "mcap_files.hpp"
#include "tickreel/files/recover.hpp"

BOOST_AUTO_TEST_SUITE(files_mcap_tests)
BOOST_AUTO_TEST_SUITE(mcap_copy_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(recordings_come_back_from_mcap_and_from_its_reel) {
  const scratch_folder folder;
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const printed source = print(path);
      const auto messages = folder.path() / "out.mcap";
      const auto reel = folder.path() / "out.reel";
      (void)run_conversion(path, messages, "mcap");
      const auto report = run_conversion(messages, reel, "reel");
      BOOST_TEST(report.ticks == source.ticks.size());
      BOOST_TEST((report.lost == source.losses));
      for (const auto& copy : {messages, reel}) {
        const printed back = print(copy);
        BOOST_TEST((back.ticks == source.ticks));
        BOOST_TEST((back.events == source.events));
        const auto verified = open_recording(copy)->verify();
        BOOST_TEST((verified && verified->ok() && verified->ticks == source.ticks.size()));
      }
      const auto about = open_recording(path)->summarise();
      const auto again = open_recording(messages)->summarise();
      BOOST_REQUIRE((about && again));
      BOOST_TEST(again->ticks == source.ticks.size());
      if (about->ticks == again->ticks) BOOST_TEST(again->duration_ms == about->duration_ms);
      BOOST_TEST(again->players.size() == about->players.size());
      BOOST_TEST((again->health == files::health::whole));
      BOOST_TEST(fact_of(*again, "recorded_format") == about->format);
      BOOST_TEST(open_recording(messages)->lines_before() == open_recording(path)->lines_before());
      BOOST_TEST(open_recording(messages)->lines_after().value() ==
                 open_recording(path)->lines_after().value());
    }
  }
}

BOOST_AUTO_TEST_CASE(losses_of_the_source_stay_known) {
  const scratch_folder folder;
  write_match(folder.path() / "match.reel");
  const byte_vector whole = read_file(folder.path() / "match.reel");
  write_file(folder.path() / "cut.reel", byte_span(whole).first(whole.size() * 2 / 3));
  (void)run_conversion(folder.path() / "cut.reel", folder.path() / "cut.mcap", "mcap");
  const auto from = open_recording(folder.path() / "cut.mcap");
  BOOST_TEST(!from->losses().empty());
  const auto about = from->summarise();
  BOOST_REQUIRE(about);
  BOOST_TEST((about->health != files::health::whole));
  const auto report = run_conversion(folder.path() / "cut.mcap", folder.path() / "again.reel", "reel");
  BOOST_TEST((report.lost == from->losses()));
  const auto reel = open_recording(folder.path() / "again.reel")->summarise();
  BOOST_TEST((reel && reel->health == files::health::recovered));
}

BOOST_AUTO_TEST_CASE(ticks_that_a_reel_cannot_hold_are_counted) {
  const scratch_folder folder;
  mcap_bytes own;
  own.add(tick_channel());
  for (const char* tick :
       {"{\"tick\":4,\"time_ms\":7,\"a\":1}", "{\"tick\":4,\"time_ms\":8,\"a\":2}",
        "{\"tick\":5,\"time_ms\":-9223372036854775808,\"a\":3}", "{\"tick\":6,\"time_ms\":-3,\"a\":4}"}) {
    own.add(mcap_bytes::message(1, 1, tick));
  }
  write_file(folder.path() / "own.mcap", as_bytes(own.finish()));
  const auto report = run_conversion(folder.path() / "own.mcap", folder.path() / "own.reel", "reel");
  BOOST_REQUIRE(report.lost.size() == 1u);
  BOOST_TEST(report.lost[0].find("2 ticks left out") == 0u);
  const printed out = print(folder.path() / "own.reel");
  BOOST_REQUIRE(out.ticks.size() == 2u);
  BOOST_TEST(out.ticks[1] == "{\"tick\":6,\"time_ms\":-3,\"a\":4}");
}

BOOST_AUTO_TEST_CASE(a_cut_file_keeps_its_ticks_and_is_recovered) {
  const scratch_folder folder;
  const std::string file = messages_of_others();
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string_view part = std::string_view(file).substr(0, size);
    const auto opened = files::open(as_bytes(part));
    if (!opened) continue;
    BOOST_TEST_CONTEXT(size << " of " << file.size()) {
      const printed out = print(**opened);
      BOOST_TEST(!out.losses.empty());
      BOOST_REQUIRE(out.ticks.size() <= ticks_of_others.size());
      for (std::size_t at = 0; at + 1 < out.ticks.size(); ++at)
        BOOST_TEST(out.ticks[at] == ticks_of_others[at]);
      const auto about = (*opened)->summarise();
      BOOST_TEST((about && about->health == files::health::incomplete));
      const auto verified = (*opened)->verify();
      BOOST_TEST((verified && !verified->ok()));
      if (size % 16 != 0) continue;
      write_file(folder.path() / "cut.mcap", as_bytes(part));
      const auto report = files::recover(folder.path() / "cut.mcap", {}, {.overwrite = true});
      if (!report) continue;
      BOOST_TEST(!report->lost.empty());
      BOOST_TEST(report->ticks == out.ticks.size());
      BOOST_TEST((print(folder.path() / "cut.recovered.mcap").ticks == out.ticks));
      BOOST_TEST(open_recording(folder.path() / "cut.recovered.mcap")->verify()->ok());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_whole_file_without_messages_is_recovered) {
  const scratch_folder folder;
  mcap_bytes file;
  file.add(mcap_bytes::channel(1, "/a"));
  const std::string whole = file.finish();
  write_file(folder.path() / "a.mcap", as_bytes(whole));
  const auto report = files::recover(folder.path() / "a.mcap", folder.path() / "b.mcap", {});
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(report->ticks == 0u);
  BOOST_TEST(report->lost.empty());
  const auto verified = open_recording(folder.path() / "b.mcap")->verify();
  BOOST_REQUIRE(verified);
  BOOST_TEST(verified->ok());
  // A file that was cut may have had some.
  write_file(folder.path() / "cut.mcap", as_bytes(std::string_view(whole).substr(0, whole.size() - 9)));
  BOOST_TEST(!files::recover(folder.path() / "cut.mcap", folder.path() / "c.mcap", {}));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "c.mcap"));
}

BOOST_AUTO_TEST_CASE(copies_of_damaged_files_know_what_they_lack) {
  const scratch_folder folder;
  const std::string whole = messages_of_others();
  write_file(folder.path() / "cut.mcap", as_bytes(std::string_view(whole).substr(0, whole.size() - 40)));
  BOOST_REQUIRE(files::recover(folder.path() / "cut.mcap", folder.path() / "once.mcap", {}));
  BOOST_REQUIRE(files::recover(folder.path() / "once.mcap", folder.path() / "twice.mcap", {}));
  (void)run_conversion(folder.path() / "cut.mcap", folder.path() / "cut.reel", "reel");
  for (const char* name : {"once.mcap", "twice.mcap", "cut.reel"}) {
    const auto copy = open_recording(folder.path() / name);
    const auto about = copy->summarise();
    BOOST_TEST((about && about->health == files::health::recovered), name);
    BOOST_TEST(copy->verify()->ok(), name);
  }
  files::conversion_options part;
  part.range = {files::moment::at_tick(1), files::moment::at_tick(3)};
  const auto first = run_conversion(folder.path() / "once.mcap", folder.path() / "clip.mcap", "mcap", part);
  BOOST_TEST(first.ticks == 3u);
  part.range = {files::moment::at_tick(1), files::moment::at_tick(1)};
  (void)run_conversion(folder.path() / "clip.mcap", folder.path() / "clip2.mcap", "mcap", part);
  const auto about = open_recording(folder.path() / "clip2.mcap")->summarise();
  BOOST_REQUIRE(about);
  BOOST_TEST(fact_of(*about, "cut_from").find("clip.mcap") != std::string::npos, fact_of(*about, "cut_from"));
}

BOOST_AUTO_TEST_CASE(a_part_keeps_every_encoding) {
  const scratch_folder folder;
  write_file(folder.path() / "others.mcap", as_bytes(messages_of_others()));
  files::conversion_options part;
  part.range = {files::moment::at_tick(0), files::moment::at_tick(1)};
  const auto report =
      run_conversion(folder.path() / "others.mcap", folder.path() / "part.mcap", "mcap", part);
  BOOST_TEST((report.cut && report.cut->last_tick == 1u));
  const printed out = print(folder.path() / "part.mcap");
  // A tick of the same log_time is part of it, and counted.
  BOOST_REQUIRE(out.ticks.size() == 4u);
  BOOST_TEST(report.ticks == 4u);
  BOOST_TEST((out.ticks == ticks_of_others));
  BOOST_TEST(out.losses.size() == 1u);
  part.range = {files::moment::at_tick(9), std::nullopt};
  const auto how = files::find_conversion(folder.path() / "others.mcap", "mcap", true);
  const auto refused = (*how)->run(folder.path() / "others.mcap", folder.path() / "none.mcap", part);
  BOOST_TEST((!refused && refused.error().code == error_code::out_of_range));
  // Of a file that Tickreel wrote: ticks and events keep their numbers.
  write_match(folder.path() / "match.butter");
  (void)run_conversion(folder.path() / "match.butter", folder.path() / "match.mcap", "mcap");
  part.range = {files::moment::at_tick(10), files::moment::at_tick(20)};
  (void)run_conversion(folder.path() / "match.mcap", folder.path() / "clip.mcap", "mcap", part);
  const printed whole = print(folder.path() / "match.mcap");
  const printed clip = print(folder.path() / "clip.mcap");
  BOOST_REQUIRE(clip.ticks.size() == 11u);
  BOOST_TEST(std::equal(clip.ticks.begin(), clip.ticks.end(), whole.ticks.begin() + 10));
  const auto about = open_recording(folder.path() / "clip.mcap")->summarise();
  BOOST_TEST(fact_of(*about, "cut_from").find("cut from match.mcap, ticks 10 to 20") == 0u);
}

BOOST_AUTO_TEST_CASE(bytes_after_the_end_are_another_file) {
  const scratch_folder folder;
  const std::string file = messages_of_others();
  write_file(folder.path() / "two.mcap", as_bytes(file + "trailing"));
  const auto report = files::recover(folder.path() / "two.mcap");
  BOOST_REQUIRE(report);
  BOOST_REQUIRE(!report->lost.empty());
  BOOST_TEST(report->lost.back().find("8 bytes after the end") == 0u, report->lost.back());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
