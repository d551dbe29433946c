// The program's fleet verbs at a real broker.
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <fstream>
#include <future>
#include <set>

#include "eventually.hpp"
#include "file_bytes.hpp"
#include "nats_server.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(fleet_program_tests)
BOOST_AUTO_TEST_SUITE(program_test)

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
  std::string printed;  // the standard output only
  std::string out;      // followed by the standard error
};

ran run(const std::string& words) {
  ran out;
  // Not through one pipe: a message about lost polls, which occurs on a busy machine, would split a tick.
  const scratch_folder folder;
  const std::string errors = folder / "errors";
  FILE* const pipe =
      ::popen((std::string("'") + TICKREEL_PROGRAM + "' " + words + " 2>'" + errors + "'").c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  std::array<char, 65536> bytes{};
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe)) {
    out.printed.append(bytes.data(), count);
  }
  const int status = ::pclose(pipe);
  out.out = out.printed + std::string(as_text(read_file(errors)));
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

BOOST_AUTO_TEST_CASE(published_matches_are_followed_and_listed, *with_broker) {
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

namespace {

// The program in the background, stopped with the object.
class running {
 public:
  // `before`: shell commands that run first, as "ulimit -n 128; ".
  explicit running(const std::string& words, const std::string& before = {}) {
    std::string line =
        before + "exec '" + std::string(TICKREEL_PROGRAM) + "' " + words + " > '" + log_ + "' 2>&1";
    std::array<char*, 4> arguments = {const_cast<char*>("sh"), const_cast<char*>("-c"), line.data(), nullptr};
    if (::posix_spawn(&process_, "/bin/sh", nullptr, nullptr, arguments.data(), environ) != 0) process_ = -1;
    BOOST_REQUIRE(process_ > 0);
  }
  running(const running&) = delete;
  running& operator=(const running&) = delete;
  ~running() { (void)ended(SIGTERM); }

  [[nodiscard]] std::string said() const { return std::string(as_text(read_file(log_))); }
  // The number after this text in the output, up to the first character that does not belong to it.
  [[nodiscard]] std::uint16_t port_after(const std::string& mark) const {
    BOOST_REQUIRE(eventually([&] {
      const std::string all = said();
      const std::size_t at = all.find(mark);
      return at != std::string::npos && all.find('\n', at) != std::string::npos;
    }));
    const std::string all = said();
    return static_cast<std::uint16_t>(std::stoi(all.substr(all.find(mark) + mark.size())));
  }
  // Sends the signal and returns the exit code; 0: sends none and waits.
  int ended(int signal = 0) {
    if (process_ <= 0) return -1;
    if (signal != 0) ::kill(process_, signal);
    int status = 0;
    const bool in_time = eventually([&] { return ::waitpid(process_, &status, WNOHANG) != 0; });
    if (!in_time) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, &status, 0);
    }
    process_ = -1;
    BOOST_TEST(in_time, said());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  scratch_folder folder_;
  std::string log_ = folder_ / "log";
  pid_t process_ = -1;
};

// One complete response of a server on this machine; empty if there is none.
std::string got_from(std::uint16_t port, const std::string& target) {
  namespace asio = boost::asio;
  asio::io_context context;
  asio::ip::tcp::socket socket(context);
  boost::system::error_code failed;
  socket.connect({asio::ip::address_v4::loopback(), port}, failed);
  if (failed) return {};
  asio::write(socket,
              asio::buffer("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                           "\r\nConnection: close\r\n\r\n"),
              failed);
  std::string all;
  asio::read(socket, asio::dynamic_buffer(all), failed);
  const std::size_t gap = all.find("\r\n\r\n");
  return gap == std::string::npos ? std::string() : all.substr(gap + 4);
}

void write_page(const std::filesystem::path& folder) {
  std::filesystem::create_directory(folder);
  for (const char* const name : {"index.html", "app.js", "worker.js", "app.css", "reader.wasm", "others.wasm",
                                 "captures.wasm", "query.wasm"}) {
    std::ofstream(folder / name) << name;
  }
}

// 500 ticks in chunks of 50.
void record_points(const std::string& path) {
  auto out = record<fleet_program::point>(
      path, {.mode = threading::pumped, .seal_frames = 50, .ticks_per_second = 60});
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 500; ++tick) {
    BOOST_REQUIRE(out->push({.x = static_cast<float>(tick), .y = 1}));
    if (tick % 50 == 0) out->pump();
  }
  BOOST_REQUIRE(out->close());
}

// A simulated match that is recorded and delivered to a broker.
struct published_game {
  scratch_folder folder;
  nats_server server{folder.path()};
  std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league";
  running program{"serve --simulate --seed 5 --match-seconds 5 --no-bones --port 0 --wait --stay"};
  std::string out = folder / "out";
  running recorder{"record echo 127.0.0.1:" + std::to_string(program.port_after("http://127.0.0.1:")) +
                   " --no-config --no-bones --format reel --name match --out '" + out + "' --publish " +
                   address};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_recorded_match_is_the_same_in_the_stream_and_in_its_reel, published_game,
                        *with_broker) {
  const std::string kept = folder / "kept.reel";
  running watcher("follow " + address + "/match --from-start -o '" + kept + "'");
  // With the match, not with the recorder.
  BOOST_TEST(watcher.ended() == 0, watcher.said());
  const int code = recorder.ended(SIGTERM);
  BOOST_TEST((code == 0 || code == 3), recorder.said());
  const byte_vector reel = read_file(out + "/match.reel");
  BOOST_TEST(reel.size() > 1000u);
  BOOST_TEST((read_file(kept) == reel));
  // Polls lost on a busy machine are included.
  const int verified = run("verify '" + kept + "'").code;
  BOOST_TEST((verified == 0 || (verified == 3 && code == 3)));
}

// The shape of a match's lines was stored when it began, and late followers receive it.
BOOST_FIXTURE_TEST_CASE(a_late_subscriber_has_the_lines_of_the_match, published_game, *with_broker) {
  // After the match, everything except the last keyframe's chunk is older.
  const std::string kept = folder / "kept.reel";
  running watcher("follow " + address + "/match --from-start -o '" + kept + "'");
  BOOST_TEST(watcher.ended() == 0, watcher.said());
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
  BOOST_TEST(printed.code == 0, printed.out);
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
  BOOST_TEST(count(failed) == 0u);
  server.kill();
  BOOST_TEST(eventually([&] { return count(failed) != 0; }), recorder.said());
  BOOST_TEST(recorder.said().find("the recording continues") != std::string::npos, recorder.said());
  server.start();
  BOOST_TEST(eventually([&] { return count(back) == 1; }), recorder.said());
  server.kill();
  BOOST_TEST(eventually([&] { return count(failed) > 1; }), recorder.said());
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

BOOST_AUTO_TEST_CASE(a_relay_serves_the_reel, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/league/match";
  write_match(folder / "match.reel", 500);
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
  write_match(folder / "match.reel", 100);
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
  write_match(folder / "match.reel", 500);
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
  write_match(folder / "match.reel", 10);
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
  write_match(folder / "match.reel", 10);
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
