// The program's fleet verbs at a real broker.
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <future>
#include <set>

#include "program_runs.hpp"
#include "silent_server.hpp"

BOOST_AUTO_TEST_SUITE(fleet_program_tests)
BOOST_AUTO_TEST_SUITE(program_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(published_matches_are_followed_and_listed, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port());
  std::filesystem::create_directory(folder.path() / "left");
  record_points(folder / "left/first match.reel", 500);
  record_points(folder / "left/second.reel", 100);
  const ran published = run("publish '" + (folder / "left") + "' " + address + "/a%20league");
  BOOST_TEST(published.code == 0, published.out);
  const ran again = run("publish '" + (folder / "left") + "' " + address + "/a%20league");
  BOOST_TEST(again.code == 0, again.out);
  const ran listed = run("follow " + address);
  BOOST_TEST(listed.code == 0);
  BOOST_TEST(listed.out.find("a league/first match") != std::string::npos, listed.out);
  const ran ticks = run("follow '" + address + "/a%20league/first%20match' --from-start --idle 60s");
  BOOST_TEST(ticks.code == 0);
  BOOST_TEST((ticks.printed == run("cat '" + (folder / "left/first match.reel") + "'").printed),
             ticks.out.substr(0, 500));
  const ran kept = run("follow " + address + "/a%20league/second --from-start --idle 60s -o '" +
                       (folder / "kept.reel") + "'");
  BOOST_TEST(kept.code == 0, kept.out);
  BOOST_TEST((read_file(folder / "kept.reel") == read_file(folder / "left/second.reel")));
  // Existing files are not overwritten.
  BOOST_TEST(run("follow " + address + "/a%20league/second -o '" + (folder / "kept.reel") + "'").code == 1);
  const ran run_result = run("fleet status --json " + address);
  BOOST_TEST(run_result.code == 0);
  BOOST_TEST(run_result.out.find("\"match\":\"second\"") != std::string::npos, run_result.out);
  BOOST_TEST(run_result.out.find("\"ticks\":500") != std::string::npos, run_result.out);
}

BOOST_FIXTURE_TEST_CASE(a_recorded_match_is_the_same_in_the_stream_and_in_its_reel, published_game,
                        *with_broker) {
  const std::string kept = folder / "kept.reel";
  running watcher("follow " + address + "/match --from-start -o '" + kept + "'");
  // With the match, not with the recorder.
  BOOST_TEST(end_with_the_match(watcher) == 0, watcher.said());
  const int code = recorder.ended(SIGTERM);
  BOOST_TEST((code == 0 || code == 3), recorder.said());
  const byte_vector reel = read_file(out + "/match.reel");
  BOOST_TEST(reel.size() > 1000u);
  BOOST_TEST((read_file(kept) == reel));
  // Polls lost on a busy machine are included.
  const int verified = run("verify '" + kept + "'").code;
  BOOST_TEST((verified == 0 || (verified == 3 && code == 3)));
}

// If the broker disconnects during a match, this is reported once, and so is its return; recording continues.
BOOST_AUTO_TEST_CASE(a_lost_broker_is_reported_while_recording, *with_broker) {
  const scratch_folder folder;
  nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league";
  running game("serve --simulate --seed 5 --match-seconds 600 --no-bones --port 0 --wait --stay");
  const std::uint16_t port = game.port_after("http://127.0.0.1:");
  const std::string out = folder / "out";
  running recorder("record echo 127.0.0.1:" + std::to_string(port) +
                   " --no-config --json --no-bones --format reel --name match --out '" + out +
                   "' --publish " + address);
  const auto count = [&](const std::string& mark) {
    const std::string all = recorder.said();
    std::size_t times = 0;
    for (std::size_t at = 0; (at = all.find(mark, at)) != std::string::npos; at += mark.size()) ++times;
    return times;
  };
  const std::string failed = "\"event\":\"delivery_failed\"";
  const std::string back = "\"event\":\"delivery_back\"";
  BOOST_TEST(eventually(
      [&] { return run("fleet status --json " + address).out.find("\"ticks\":") != std::string::npos; }));
  // None, except that the broker or the recorder stood still for longer than an answer may take.
  const std::size_t before = count(failed);
  const std::string said_before = recorder.said();
  for (std::size_t at = 0; (at = said_before.find(failed, at)) != std::string::npos; at += failed.size()) {
    BOOST_TEST(said_before.substr(at, said_before.find('\n', at) - at).find("no answer in time") !=
                   std::string::npos,
               said_before);
  }
  server.kill();
  BOOST_TEST(eventually([&] { return count(failed) > before; }), recorder.said());
  BOOST_TEST(recorder.said().find("the recording continues") != std::string::npos, recorder.said());
  const std::size_t backs = count(back);
  server.start();
  BOOST_TEST(eventually([&] { return count(back) == backs + 1; }), recorder.said());
  const std::size_t failures = count(failed);
  server.kill();
  BOOST_TEST(eventually([&] { return count(failed) > failures; }), recorder.said());
  const std::size_t run_result = count(failed);
  const int code = recorder.ended(SIGINT);
  BOOST_TEST((code == 0 || code == 3), recorder.said());
  // Not with each attempt: refused and lost, nothing else.
  BOOST_TEST(count(failed) <= run_result + 2, recorder.said());
  BOOST_TEST(recorder.said().find("delivers the missing records") != std::string::npos, recorder.said());
  server.start();
  const ran later = run("publish '" + out + "/match.reel' " + address);
  BOOST_TEST(later.code == 0, later.out);
}

BOOST_AUTO_TEST_CASE(a_relay_serves_the_reel, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league/match";
  record_points(folder / "match.reel", 500);
  const ran published = run("publish '" + (folder / "match.reel") +
                            "' nats://127.0.0.1:" + std::to_string(server.port()) + "/league");
  BOOST_TEST(published.code == 0, published.out);
  write_page(folder.path() / "page");
  running relay("relay " + address + " --from-start --json --page '" + (folder / "page") + "'");
  const std::uint16_t port = relay.port_after("\"port\":");
  const std::string reel = std::string(as_text(read_file(folder / "match.reel")));
  BOOST_TEST(eventually([&] { return got_from(port, "/recording") == reel; }));
  const std::string list = got_from(port, "/recording.json");
  BOOST_TEST(list.find("\"name\":\"match.reel\",\"live\":true") != std::string::npos, list);
  BOOST_TEST(list.find("\"push\":\"live?of=") != std::string::npos, list);
  BOOST_TEST(relay.ended(SIGINT) == 0, relay.said());
  BOOST_TEST(relay.said().find("\"drops\":0,\"dropped_records\":0") != std::string::npos, relay.said());
}

namespace {

// The names of metrics in a text, as PromQL or as a page.
std::set<std::string> metric_names(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_";
  std::set<std::string> out;
  for (std::size_t at = 0; (at = text.find("tickreel_", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
    out.emplace(text.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(alerts_and_dashboards_name_existing_metrics, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string broker = "nats://127.0.0.1:" + std::to_string(server.port());
  record_points(folder / "match.reel", 100);
  const ran published = run("publish '" + (folder / "match.reel") + "' " + broker + "/league");
  BOOST_TEST(published.code == 0, published.out);
  write_page(folder.path() / "page");
  running game("serve --simulate --seed 5 --no-bones --port 0 --loop");
  const std::string target = "127.0.0.1:" + std::to_string(game.port_after("http://127.0.0.1:"));
  running recorder("record echo " + target + " --no-config --no-bones --format reel --out '" +
                   (folder / "out") + "' --publish " + broker + "/league --prometheus 0");
  running archiver("archive " + broker + " --to '" + (folder / "archive") + "' --spool '" +
                   (folder / "spool") + "' --prometheus 0 --listen 127.0.0.1");
  running status("fleet status " + broker + " --prometheus 0");
  running relay("relay " + broker + "/league/match --json --page '" + (folder / "page") + "'");
  const auto page_of = [](const running& from, const std::string& mark) {
    const std::uint16_t port = from.port_after(mark);
    std::string page;
    BOOST_TEST(eventually([&] { return (page = got_from(port, "/metrics")).starts_with("# HELP "); }));
    return page;
  };
  const std::string recorded = page_of(recorder, "metrics are at http://127.0.0.1:");
  BOOST_TEST(recorded.find("tickreel_recorder_target_up{target=\"" + target + "\"} ") != std::string::npos,
             recorded);
  BOOST_TEST(recorded.find("\ntickreel_recorder_disk_free_bytes ") != std::string::npos, recorded);
  std::set<std::string> reported;
  for (const std::string& page : {recorded, page_of(archiver, "metrics: http://127.0.0.1:"),
                                  page_of(status, "http://127.0.0.1:"), page_of(relay, "\"port\":")}) {
    reported.merge(metric_names(page));
  }
  for (const char* const name : {"alerts.yml", "dashboard.json"}) {
    const byte_vector text = read_file(std::string(TICKREEL_FLEET_DEPLOY "/") + name);
    const std::set<std::string> used = metric_names(as_text(text));
    BOOST_TEST(used.size() > 5u, name);
    for (const std::string& each : used) BOOST_TEST(reported.contains(each), each + " in " + name);
  }
}

// More connections than the process may open files. The relay closes one that is idle for a minute.
BOOST_AUTO_TEST_CASE(idle_connections_block_no_browser_from_a_relay, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league";
  record_points(folder / "match.reel", 500);
  const ran published = run("publish '" + (folder / "match.reel") + "' " + address);
  BOOST_TEST(published.code == 0, published.out);
  write_page(folder.path() / "page");
  running relay("relay " + address + "/match --from-start --json --page '" + (folder / "page") + "'",
                "ulimit -n 128; ");
  const std::uint16_t port = relay.port_after("\"port\":");
  const std::string reel = std::string(as_text(read_file(folder / "match.reel")));
  BOOST_TEST(eventually([&] { return got_from(port, "/recording") == reel; }));
  boost::asio::io_context context;
  std::vector<boost::asio::ip::tcp::socket> idle;
  for (int each = 0; each < 300; ++each) {
    idle.emplace_back(context).connect({boost::asio::ip::address_v4::loopback(), port});
  }
  auto answer = std::async(std::launch::async, [&] { return got_from(port, "/recording"); });
  BOOST_REQUIRE((answer.wait_for(std::chrono::seconds(45)) == std::future_status::ready));
  BOOST_TEST((answer.get() == reel));
}

BOOST_AUTO_TEST_CASE(mistakes_are_reported, *with_broker) {
  const scratch_folder folder;
  record_points(folder / "match.reel", 10);
  const std::string reel = "'" + (folder / "match.reel") + "'";
  BOOST_TEST(run("follow http://somewhere").code == 2);
  BOOST_TEST(run("follow nats://user:secret@host/l/m").code == 2);
  BOOST_TEST(run("follow nats://user:secret@host/l/m").out.find("secret") == std::string::npos);
  BOOST_TEST(run("publish " + reel).code == 2);
  BOOST_TEST(run("relay nats://127.0.0.1:1/league").code == 2);
  const ran nobody = run("publish --wait 1s " + reel + " nats://127.0.0.1:1");
  BOOST_TEST(nobody.code == 1);
  BOOST_TEST(nobody.out.find("no broker answers at this address") != std::string::npos, nobody.out);
  BOOST_TEST(run("fleet status nats://127.0.0.1:1").code == 1);
  BOOST_TEST(run("record echo --publish nats://127.0.0.1:1/league/match --duration 1").code == 2);
  // Names of missing objects, and options without effect.
  for (const char* const name : {"x.butter", "x.echoreplay", "x.icrep"}) {
    const ran said = run("follow nats://127.0.0.1:1/l/m -o '" + (folder / name) + "'");
    BOOST_TEST(said.code == 2, said.out);
    BOOST_TEST(said.out.find("follow writes a reel") != std::string::npos, said.out);
  }
  BOOST_TEST(run("follow nats://127.0.0.1:1/l --from-start").code == 2);
  BOOST_TEST(run("follow nats://127.0.0.1:1/l -o '" + (folder / "x.reel") + "'").code == 2);
  const ran taken = run("follow nats://127.0.0.1:1/l/m -o " + reel);
  BOOST_TEST(taken.code == 1);
  BOOST_TEST(taken.out.find("--force") == std::string::npos, taken.out);
  const ran unknown = run("follow nats://127.0.0.1:1/l/m --idle 1s");
  BOOST_TEST(unknown.out.find("create it first") == std::string::npos, unknown.out);
}

BOOST_AUTO_TEST_CASE(permanent_errors_end_with_a_remedy, *with_broker) {
  const scratch_folder folder;
  record_points(folder / "match.reel", 10);
  write_page(folder.path() / "page");
  const std::string reel = "'" + (folder / "match.reel") + "'";
  const auto all_end = [&](const nats_server& server, const std::string& with) {
    const std::string address = "nats://127.0.0.1:" + std::to_string(server.port());
    for (const std::string& words :
         {"follow " + address, "follow " + address + "/l/m",
          "follow " + address + "/l/m -o '" + (folder / "o") + "'",
          "relay " + address + "/l/m --page '" + (folder / "page") + "'", "fleet status " + address,
          "fleet status " + address + " --prometheus 0",
          "archive " + address + " --to '" + (folder / "archive") + "' --spool '" + (folder / "spool") + "'",
          "publish " + reel + " " + address + "/l"}) {
      const ran said = run(words);
      BOOST_TEST(said.code == 1, words + "\n" + said.out);
      BOOST_TEST(said.out.find(with) != std::string::npos, words + "\n" + said.out);
      BOOST_TEST(said.out.find("permissions of the file") == std::string::npos, words + "\n" + said.out);
      std::filesystem::remove(folder / "o");
    }
  };
  all_end(nats_server(folder.path(), {"--user", "me", "--pass", "right"}), "TICKREEL_NATS_USER");
  all_end(nats_server(folder.path(), {}, false), "nats-server -js");
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/l";
  const ran copies = run("publish --replicas 3 " + reel + " " + address);
  BOOST_TEST(copies.code == 1, copies.out);
  BOOST_TEST(copies.out.find("a single server") != std::string::npos, copies.out);
  write_file(folder / "a.echoreplay", as_bytes("2020/01/01 00:00:00.000\t{}\n"));
  write_file(folder / "none.reel", as_bytes("?"));
  for (const char* const name : {"a.echoreplay", "none.reel"}) {
    const ran other = run("publish '" + (folder / name) + "' " + address);
    BOOST_TEST(other.code == 1, other.out);
    BOOST_TEST(other.out.find("recover") == std::string::npos, other.out);
  }
  const ran store = run("archive " + address + " --to s3://x");
  BOOST_TEST(store.code == 2, store.out);
}

// The process ends although a connection of it still waits.
BOOST_AUTO_TEST_CASE(a_broker_that_stops_to_answer_ends_the_program, *with_broker_client) {
  const silent_server server(broker_info);
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port());
  for (const char* const verb : {"follow ", "fleet status "}) {
    const ran ended = run_once(verb + address);
    BOOST_TEST(ended.code == 1, verb);
    BOOST_TEST(ended.out.find("the broker does not answer") != std::string::npos, ended.out);
  }
  const scratch_folder folder;
  const std::string archive =
      "archive " + address + " --to '" + (folder / "archive") + "' --spool '" + (folder / "spool") + "'";
  running archiver(archive);
  BOOST_TEST(eventually([&] { return archiver.said().find("does not answer") != std::string::npos; }));
  BOOST_TEST(archiver.ended(SIGINT) == 0, archiver.said());
}

BOOST_AUTO_TEST_CASE(an_archiver_reports_an_absent_broker_once, *with_broker_client) {
  const refusing_port nobody;
  const std::string address = "nats://127.0.0.1:" + std::to_string(nobody.number());
  const scratch_folder folder;
  const ran ended = run_once("archive " + address + " --once --to '" + (folder / "archive") + "' --spool '" +
                             (folder / "spool") + "'");
  BOOST_TEST(ended.code == 1);
  const std::string line = "no broker answers at this address";
  const auto first = ended.out.find(line);
  BOOST_REQUIRE_MESSAGE(first != std::string::npos, ended.out);
  BOOST_TEST(ended.out.find(line, first + 1) == std::string::npos, ended.out);
  BOOST_TEST(ended.out.find("gave up after 5 attempts", first) != std::string::npos, ended.out);
}

BOOST_AUTO_TEST_CASE(a_wrong_token_is_reported_as_such, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path(), {"--auth", "right"});
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port());
  for (const std::string& words : {"follow " + address, "follow " + address + "/l/m --idle 1s"}) {
    const ran said = run(words);
    BOOST_TEST(said.code == 1, said.out);
    BOOST_TEST(said.out.find("TICKREEL_NATS_TOKEN_FILE") != std::string::npos, said.out);
    BOOST_TEST(said.out.find("permissions of the file") == std::string::npos, said.out);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
