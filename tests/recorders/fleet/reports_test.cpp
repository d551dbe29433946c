// Messages of the program's verbs about incomplete matches at the broker, and about invalid addresses.
#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/test/unit_test.hpp>
#include <thread>

#include "../cli/run_program.hpp"
#include "administrator.hpp"
#include "file_bytes.hpp"
#include "nats_server.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(fleet_reports_tests)
BOOST_AUTO_TEST_SUITE(reports_test)

namespace fleet_reports {
struct noise {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
  std::uint64_t d = 0;
};
TICKREEL_DESCRIBE(noise, a, b, c, d);
}  // namespace fleet_reports

using namespace tickreel;
using namespace tickreel::test;

namespace {

bool has(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

outcome run(const std::vector<std::string>& words) {
  outcome said;
  (void)eventually([&] {
    said = test::run(words);
    return said.code != 1 || !tells_of_a_standstill(said.err);
  });
  return said;
}

// Incompressible: one chunk of 8 KB.
void write_noise(const std::string& path, int ticks = 256) {
  auto random = seeded_random("noise");
  auto out = record<fleet_reports::noise>(path, {.mode = threading::pumped,
                                                 .seal_interval_ms = 1'000'000,
                                                 .seal_frames = 1024,
                                                 .ring_ticks = 512,
                                                 .ticks_per_second = 60});
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < ticks; ++tick) {
    (void)out->push({.a = random(), .b = random(), .c = random(), .d = random()});
  }
  BOOST_REQUIRE(out->close());
}

std::string address_of(const nats_server& server) {
  return "nats://127.0.0.1:" + std::to_string(server.port());
}

}  // namespace

// The header, the index and the end fit, the ticks do not.
BOOST_AUTO_TEST_CASE(an_archive_of_a_match_without_its_ticks_reports_them_lost, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = address_of(server);
  write_noise(folder / "full.reel");
  outcome archived;
  const auto archive = [&] {
    archived = run({"archive", address, "--to", folder / "archive", "--spool", folder / "spool", "--once",
                    "--idle", "1s", "--json"});
    return has(archived.out, "\"index\":");
  };
  // A busy machine may not deliver the end within the second: then it is published again.
  BOOST_TEST(eventually([&] {
               const auto published =
                   run({"publish", folder / "full.reel", address, "--keep-bytes", "6k", "--wait", "1s"});
               BOOST_TEST(published.code == 1, published.err);
               return eventually(archive, std::chrono::seconds(20)) &&
                      has(archived.out, "\"ticks\":0,\"lost_ticks\":256");
             }),
             archived.out);
  BOOST_TEST(archived.code == 3, archived.err);
  BOOST_TEST(!has(archived.out, "\"lost_records\":0,"), archived.out);
  const auto printed = run({"fleet", "status", address});
  BOOST_TEST(!has(printed.out, "yes"), printed.out);
  BOOST_TEST(has(printed.out, "the archived match lacks records"), printed.out);
}

BOOST_AUTO_TEST_CASE(records_that_a_stream_discarded_are_reported, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = address_of(server) + "/league";
  write_noise(folder / "gone.reel");
  for (int again = 0; again < 2; ++again) {
    const auto published = run(
        {"publish", folder / "gone.reel", address, "--keep-bytes", "6k", "--drop-oldest", "--wait", "20s"});
    BOOST_TEST(published.code == 3, published.out + published.err);
    BOOST_TEST(published.says("no longer in the broker's stream"), published.err);
  }
  const auto printed = run({"fleet", "status", address});
  BOOST_TEST(has(printed.out, " dropped "), printed.out);
  BOOST_TEST(has(printed.out, "the stream discarded "), printed.out);
  BOOST_TEST(has(run({"fleet", "status", "--json", address}).out, "\"state\":\"dropped\""));
  // A match that was archived in time is not lost when the stream discards it.
  write_noise(folder / "small.reel", 16);
  write_noise(folder / "other.reel", 256);
  BOOST_TEST(run({"publish", folder / "small.reel", address}).code == 0);
  const auto archived = run({"archive", address + "/small", "--to", folder / "archive", "--spool",
                             folder / "spool", "--once", "--json"});
  BOOST_TEST(has(archived.out, "\"archived\""), archived.out + archived.err);
  BOOST_TEST(run({"publish", folder / "other.reel", address}).code == 3);
  const std::string small = run({"fleet", "status", "--json", address}).out;
  BOOST_TEST(has(small.substr(small.find("\"match\":\"small\"")), "\"state\":\"ended\""), small);
  BOOST_TEST(run({"publish", folder / "small.reel", address}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_check_finds_removed_records_and_repairs_them, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  std::filesystem::create_directory(folder.path() / "reels");
  write_noise(folder / "reels/match.reel", 64);
  write_noise(folder / "reels/other.reel", 64);
  const std::string address = address_of(server) + "/league";
  BOOST_TEST(run({"publish", folder / "reels", address}).code == 0);
  BOOST_TEST(run({"fleet", "check", address}).code == 0);
  administrator admin(server.port());
  BOOST_TEST(admin.remove("TICKREEL_L_league", 2));
  BOOST_TEST(admin.remove("TICKREEL_L_league", 3));
  const auto printed = run({"fleet", "check", address});
  BOOST_TEST(printed.code == 3, printed.err);
  BOOST_TEST(has(printed.out, "league/match"), printed.out);
  BOOST_TEST(!has(printed.out, "league/other"), printed.out);
  BOOST_TEST(has(printed.out, "2 records were removed"), printed.out);
  const auto repaired = run({"fleet", "check", address, "--repair", folder / "reels"});
  BOOST_TEST(repaired.code == 0, repaired.out + repaired.err);
  BOOST_TEST(run({"fleet", "check", address}).code == 0);
}

BOOST_AUTO_TEST_CASE(the_status_has_as_many_ticks_as_the_reel, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  write_noise(folder / "lossy.reel", 700);
  const auto opened = reel::reader::open(folder / "lossy.reel");
  BOOST_REQUIRE(opened.has_value());
  BOOST_TEST(opened->contents().lost_ticks > 0u);
  BOOST_TEST(run({"publish", folder / "lossy.reel", address_of(server)}).code == 0);
  const std::string printed = run({"fleet", "status", "--json", address_of(server)}).out;
  BOOST_TEST(has(printed, "\"ticks\":" + std::to_string(opened->contents().frames) +
                              ",\"lost_ticks\":" + std::to_string(opened->contents().lost_ticks) + ","),
             printed);
}

BOOST_AUTO_TEST_CASE(a_recovered_copy_is_not_a_second_match, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  std::filesystem::create_directory(folder.path() / "left");
  write_noise(folder / "left/killed.reel");
  std::filesystem::resize_file(folder.path() / "left/killed.reel",
                               std::filesystem::file_size(folder.path() / "left/killed.reel") - 40);
  (void)run({"recover", folder / "left/killed.reel"});
  BOOST_REQUIRE(std::filesystem::exists(folder.path() / "left/killed.recovered.reel"));
  const auto both = run({"publish", folder / "left", address_of(server)});
  BOOST_TEST(both.says("killed.recovered.reel: skipped"), both.err);
  BOOST_TEST(!has(run({"fleet", "status", address_of(server)}).out, "killed.recovered"));
  // Without the other one, and if it is named, it is a match.
  const auto named = run({"publish", folder / "left/killed.recovered.reel", address_of(server)});
  BOOST_TEST(named.code == 0, named.err);
  std::filesystem::remove(folder.path() / "left/killed.reel");
  BOOST_TEST(!run({"publish", folder / "left", address_of(server)}).says("skipped"));
}

BOOST_AUTO_TEST_CASE(an_archive_in_another_place_is_named, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = address_of(server);
  write_noise(folder / "home.reel");
  BOOST_TEST(run({"publish", folder / "home.reel", address}).code == 0);
  const auto into = [&](const std::string& place) {
    return run({"archive", address, "--to", folder / place, "--spool", folder / "spool", "--once"});
  };
  BOOST_TEST(!into("first").says("already"));
  const auto second = into("second");
  BOOST_TEST(second.says("1 match is already in an archive"), second.err);
  BOOST_TEST(second.says("first/main/home."), second.err);
  BOOST_TEST(!into("first").says("already"));
}

BOOST_AUTO_TEST_CASE(an_invalid_address_is_wrong_usage_everywhere, *with_broker_client) {
  const scratch_folder folder;
  write_noise(folder / "a.reel", 16);
  const std::string long_name(200, 'x');
  for (const std::string& address :
       std::vector<std::string>{"nats://127.0.0.1:99999/l", "nats://127.0.0.1:0/l", "nats://127.0.0.1:port/l",
                                "nats://127.0.0.1:/l", "nats://::1:4222/l", "nats://:4222/l",
                                ("nats://127.0.0.1:1/" + long_name)}) {
    BOOST_TEST_CONTEXT(address) {
      BOOST_TEST(run({"publish", folder / "a.reel", address}).code == 2);
      BOOST_TEST(run({"follow", address + "/m"}).code == 2);
      BOOST_TEST(run({"relay", address + "/m"}).code == 2);
      BOOST_TEST(run({"fleet", "status", address}).code == 2);
      BOOST_TEST(run({"archive", address, "--to", folder / "archive", "--once"}).code == 2);
      BOOST_TEST(run({"record", "echo", "--publish", address, "--out", folder / "out"}).code == 2);
    }
  }
  BOOST_TEST(run({"follow", "nats://127.0.0.1:1/l/" + long_name}).code == 2);
}

BOOST_AUTO_TEST_CASE(an_unreachable_broker_is_reported_in_a_sentence, *with_broker_client) {
  const auto unknown = run({"fleet", "status", "nats://no-such-host.invalid:4222"});
  BOOST_TEST(unknown.code == 1);
  BOOST_TEST(unknown.says("the host name is not known"), unknown.err);
  BOOST_TEST(unknown.says("\n  check the spelling of the host name"), unknown.err);
  const refusing_port closed;
  const auto nobody = run({"fleet", "status", "nats://127.0.0.1:" + std::to_string(closed.number())});
  BOOST_TEST(nobody.says("no broker answers at this address"), nobody.err);
  BOOST_TEST(nobody.says("\n  check the host and the port"), nobody.err);
  // A server that closes the connection.
  const int listens = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  BOOST_REQUIRE(::bind(listens, reinterpret_cast<sockaddr*>(&address), size) == 0);
  BOOST_REQUIRE(::listen(listens, 4) == 0);
  ::getsockname(listens, reinterpret_cast<sockaddr*>(&address), &size);
  std::thread hangs_up([&] {
    for (int one = ::accept(listens, nullptr, nullptr); one >= 0; one = ::accept(listens, nullptr, nullptr)) {
      ::close(one);
    }
  });
  const auto cut = run({"fleet", "status", "nats://127.0.0.1:" + std::to_string(ntohs(address.sin_port))});
  ::shutdown(listens, SHUT_RDWR);
  hangs_up.join();
  ::close(listens);
  BOOST_TEST(cut.code == 1);
  BOOST_TEST(cut.says("the connection to the broker broke"), cut.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
