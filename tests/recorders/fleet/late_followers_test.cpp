// Followers that begin late, and those that end before the match does.
#include <boost/test/unit_test.hpp>

#include "program_runs.hpp"

BOOST_AUTO_TEST_SUITE(fleet_program_tests)
BOOST_AUTO_TEST_SUITE(late_followers_test)

using namespace tickreel;
using namespace tickreel::test;

// The shape of a match's lines was stored when it began, and late followers receive it.
BOOST_FIXTURE_TEST_CASE(a_late_subscriber_has_the_lines_of_the_match, published_game, *with_broker) {
  // After the match, everything except the last keyframe's chunk is older.
  const std::string kept = folder / "kept.reel";
  running watcher("follow " + address + "/match --from-start -o '" + kept + "'");
  BOOST_TEST(end_with_the_match(watcher) == 0, watcher.said());
  (void)recorder.ended(SIGTERM);
  // Times count from the first available tick.
  const auto without_times = [](const std::string& text) {
    std::string states;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      const std::size_t state = std::min(text.find("\"recorded_time\"", at), end);
      states += text.substr(state, end - state);
      at = end;
    }
    return states;
  };
  const std::string all = without_times(run("cat '" + kept + "'").printed);
  const std::string late = folder / "late.reel";
  const ran followed = run("follow " + address + "/match -o '" + late + "'");
  BOOST_TEST(followed.code == 0, followed.out);
  const ran printed = run("follow " + address + "/match");
  // A busy machine may have lost a poll of the part that it receives.
  const bool lost_polls =
      printed.out.find("lost while recording", printed.printed.size()) != std::string::npos;
  BOOST_TEST(printed.code == (lost_polls ? 3 : 0), printed.out);
  const std::string ticks = without_times(printed.printed);
  BOOST_TEST(!ticks.empty());
  BOOST_TEST(ticks.size() < all.size());
  BOOST_TEST(all.ends_with(ticks));
  const ran verified = run("verify '" + late + "'");
  // The ticks before it joined are missing, and nothing is damaged.
  BOOST_TEST(verified.code == 3, verified.out);
  BOOST_TEST(verified.out.find(": ok,") != std::string::npos, verified.out);
  BOOST_TEST(verified.out.find("ticks are lost, and those") == std::string::npos, verified.out);
  BOOST_TEST(run("info '" + late + "'").out.find("incomplete") != std::string::npos);
}

// A late watcher has a reel that begins late, and is not damaged.
BOOST_AUTO_TEST_CASE(a_late_reel_reports_where_it_begins, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league";
  record_points(folder / "match.reel");
  // As during the match.
  std::filesystem::resize_file(folder / "match.reel", std::filesystem::file_size(folder / "match.reel") / 2);
  (void)run("publish '" + (folder / "match.reel") + "' " + address);
  const std::string late = folder / "late.reel";
  running watcher("follow " + address + "/match -o '" + late + "'");
  BOOST_TEST(
      eventually([&] { return run("info '" + late + "'").out.find("incomplete") != std::string::npos; }),
      watcher.said());
  (void)watcher.ended(SIGINT);
  const ran verified = run("verify '" + late + "'");
  BOOST_TEST(verified.out.find("begins at tick ") != std::string::npos, verified.out);
}

// With its end, whose index names the earlier records, too.
BOOST_AUTO_TEST_CASE(a_late_reel_with_its_end_is_not_damaged, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league";
  record_points(folder / "match.reel");
  (void)run("publish '" + (folder / "match.reel") + "' " + address);
  const std::string late = "'" + (folder / "late.reel") + "'";
  const ran kept = run("follow " + address + "/match -o " + late);
  BOOST_TEST(kept.code == 0, kept.out);
  const ran run_result = run("info " + late);
  BOOST_TEST(run_result.out.find("incomplete") != std::string::npos, run_result.out);
  const ran verified = run("verify " + late);
  BOOST_TEST(verified.out.find("begins at tick ") != std::string::npos, verified.out);
  BOOST_TEST(verified.out.find("error") == std::string::npos, verified.out);
  const ran ticks = run("cat " + late);
  BOOST_TEST(ticks.code == 3, ticks.out);
  BOOST_TEST(ticks.out.find("begins at tick ") != std::string::npos, ticks.out);
  const ran again = run("publish " + late + " " + address + "/another");
  BOOST_TEST(again.code == 3, again.out);
  BOOST_TEST(again.out.find("from before its beginning are missing") != std::string::npos, again.out);
}

// Ticks that are missing when a user stops following.
BOOST_AUTO_TEST_CASE(an_interrupted_follower_reports_lost_ticks, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league";
  for (const bool loses : {false, true}) {
    const std::string name = loses ? "lossy" : "whole";
    const std::string path = folder / (name + ".reel");
    {
      auto out = record<fleet_program::point>(path, {.mode = threading::pumped,
                                                     .seal_interval_ms = 1'000'000,
                                                     .seal_frames = 50,
                                                     .ring_ticks = 64,
                                                     .ticks_per_second = 60});
      BOOST_REQUIRE(out);
      for (int tick = 0; tick < 300; ++tick) {
        // A writer that stands still for 100 ticks.
        (void)out->push({.x = static_cast<float>(tick), .y = 1});
        if (!loses || tick < 100 || tick >= 200) out->pump();
      }
      BOOST_REQUIRE(out->close());
    }
    // As during the match.
    const auto bytes = std::filesystem::file_size(path);
    std::filesystem::resize_file(path, bytes - bytes / 8);
    (void)run("publish '" + path + "' " + address);
    running follower("follow " + address + "/" + name + " --from-start");
    BOOST_TEST(eventually([&] { return follower.said().find("\"x\":240") != std::string::npos; }),
               follower.said());
    const int code = follower.ended(SIGINT);
    BOOST_TEST(code == (loses ? 3 : 0), follower.said());
    BOOST_TEST((follower.said().find("lost") != std::string::npos) == loses);
  }
}

BOOST_AUTO_TEST_CASE(an_interrupted_follower_reports_records_that_wait, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league";
  const std::string path = folder / "match.reel";
  record_points(path);
  byte_vector bytes = read_file(path);
  bytes[bytes.size() / 2] ^= std::byte{0xFF};
  write_file(path, bytes);
  const ran published = run("publish '" + path + "' " + address);
  BOOST_TEST(published.out.find("1 record is damaged or missing in it") != std::string::npos, published.out);
  // The records after the missing one may arrive after the signal; then another follower is stopped.
  BOOST_TEST(eventually([&] {
    running follower("follow " + address + "/match --from-start");
    (void)eventually([&] { return follower.said().find("\"x\":0") != std::string::npos; });
    const int code = follower.ended(SIGINT);
    BOOST_TEST((code == 3) == (follower.said().find("does not arrive, and ") != std::string::npos));
    return code == 3;
  }));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
