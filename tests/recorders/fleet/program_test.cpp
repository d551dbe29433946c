// The program's own verbs at a real broker.
#define BOOST_TEST_MODULE fleet_program
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "file_bytes.hpp"
#include "nats_server.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

namespace fleet_program {
struct point {
  float x = 0;
  float y = 0;
};
TICKREEL_DESCRIBE(point, x, y);
}  // namespace fleet_program

using namespace tickreel;
using namespace tickreel::test;

namespace {

struct ran {
  int code = -1;
  std::string out;
};

ran run(const std::string& words) {
  ran out;
  FILE* const pipe = ::popen((std::string("'") + TICKREEL_PROGRAM + "' " + words + " 2>&1").c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  std::array<char, 65536> bytes{};
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe)) {
    out.out.append(bytes.data(), count);
  }
  const int status = ::pclose(pipe);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

void write_match(const std::string& path, int ticks) {
  auto out = record<fleet_program::point>(path, {.mode = threading::pumped, .ticks_per_second = 60});
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < ticks; ++tick) {
    BOOST_REQUIRE(out->push({.x = static_cast<float>(tick), .y = 1}));
    if (tick % 50 == 0) out->pump();
  }
  BOOST_REQUIRE(out->close());
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_published_is_followed_and_listed) {
  if (!can_start_broker()) return;
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port());
  std::filesystem::create_directory(folder.path() / "left");
  write_match(folder / "left/first match.reel", 500);
  write_match(folder / "left/second.reel", 100);
  const ran published = run("publish '" + (folder / "left") + "' " + address + "/a%20league");
  BOOST_TEST(published.code == 0, published.out);
  const ran again = run("publish '" + (folder / "left") + "' " + address + "/a%20league");
  BOOST_TEST(again.code == 0, again.out);
  const ran listed = run("follow " + address);
  BOOST_TEST(listed.code == 0);
  BOOST_TEST(listed.out.find("a league/first match") != std::string::npos, listed.out);
  const ran ticks = run("follow '" + address + "/a%20league/first%20match' --from-start --idle 60s");
  BOOST_TEST(ticks.code == 0);
  BOOST_TEST((ticks.out == run("cat '" + (folder / "left/first match.reel") + "'").out),
             ticks.out.substr(0, 500));
  const ran kept = run("follow " + address + "/a%20league/second --from-start --idle 60s -o '" +
                       (folder / "kept.reel") + "'");
  BOOST_TEST(kept.code == 0, kept.out);
  BOOST_TEST((read_file(folder / "kept.reel") == read_file(folder / "left/second.reel")));
  // Nothing is overwritten.
  BOOST_TEST(run("follow " + address + "/a%20league/second -o '" + (folder / "kept.reel") + "'").code == 1);
  const ran told = run("fleet status --json " + address);
  BOOST_TEST(told.code == 0);
  BOOST_TEST(told.out.find("\"match\":\"second\"") != std::string::npos, told.out);
  BOOST_TEST(told.out.find("\"ticks\":500") != std::string::npos, told.out);
}

BOOST_AUTO_TEST_CASE(mistakes_are_told) {
  if (!can_start_broker()) return;
  const scratch_folder folder;
  write_match(folder / "match.reel", 10);
  const std::string reel = "'" + (folder / "match.reel") + "'";
  BOOST_TEST(run("follow http://somewhere").code == 2);
  BOOST_TEST(run("follow nats://user:secret@host/l/m").code == 2);
  BOOST_TEST(run("follow nats://user:secret@host/l/m").out.find("secret") == std::string::npos);
  BOOST_TEST(run("publish " + reel).code == 2);
  BOOST_TEST(run("relay nats://127.0.0.1:1/league").code == 2);
  const ran nobody = run("publish --wait 1s " + reel + " nats://127.0.0.1:1");
  BOOST_TEST(nobody.code == 1);
  BOOST_TEST(nobody.out.find("no broker answers there") != std::string::npos, nobody.out);
  BOOST_TEST(run("fleet status nats://127.0.0.1:1").code == 1);
  BOOST_TEST(run("record echo --publish nats://127.0.0.1:1/league/match --duration 1").code == 2);
}
