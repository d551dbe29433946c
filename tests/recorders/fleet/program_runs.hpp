// The program and a broker for the tests of its fleet verbs.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <fstream>
#include <string>

#include "eventually.hpp"
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

namespace tickreel::test {

struct ran {
  int code = -1;
  std::string printed;  // the standard output only
  std::string out;      // followed by the standard error
};

inline ran run_once(const std::string& words) {
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

inline ran run(const std::string& words) {
  ran out;
  (void)eventually([&] {
    out = run_once(words);
    return out.code != 1 || !tells_of_a_standstill(out.out);
  });
  return out;
}

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
  // By itself, or by a signal.
  bool has_ended() {
    if (!has_ended_ && process_ > 0) has_ended_ = ::waitpid(process_, &status_, WNOHANG) != 0;
    return has_ended_;
  }
  // Sends the signal and returns the exit code; 0: sends none and waits.
  int ended(int signal = 0) {
    if (process_ <= 0) return -1;
    if (signal != 0 && !has_ended()) ::kill(process_, signal);
    const bool in_time = eventually([&] { return has_ended(); });
    if (!in_time) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, &status_, 0);
    }
    process_ = -1;
    BOOST_TEST(in_time, said());
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }

 private:
  scratch_folder folder_;
  std::string log_ = folder_ / "log";
  pid_t process_ = -1;
  int status_ = 0;
  bool has_ended_ = false;
};

// One complete response of a server on this machine; empty if there is none.
inline std::string got_from(std::uint16_t port, const std::string& target) {
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

inline void write_page(const std::filesystem::path& folder) {
  std::filesystem::create_directory(folder);
  for (const char* const name : {"index.html", "app.js", "worker.js", "app.css", "reader.wasm", "others.wasm",
                                 "captures.wasm", "query.wasm"}) {
    std::ofstream(folder / name) << name;
  }
}

// In chunks of 50 ticks.
inline void record_points(const std::string& path, int ticks = 500) {
  auto out = record<fleet_program::point>(
      path,
      {.mode = threading::pumped, .seal_interval_ms = 1'000'000, .seal_frames = 50, .ticks_per_second = 60});
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < ticks; ++tick) {
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
                   " --no-config --no-bones --format reel --name match --out '" + out +
                   "' --prometheus 0 --publish " + address};

  // Waits for a watcher that ends with the match, and returns its exit code. A recorder waits five seconds for a broker after a
  // match, and reports that it gave up; then the reel is published, as its report advises.
  int end_with_the_match(running& watcher) {
    const std::uint16_t metrics = recorder.port_after("metrics are at http://127.0.0.1:");
    bool given_up = false;
    (void)eventually([&] {
      if (watcher.has_ended()) return true;
      given_up = got_from(metrics, "/metrics").find("\ntickreel_recorder_undelivered_reels 1\n") !=
                 std::string::npos;
      return given_up;
    });
    if (given_up && !watcher.has_ended()) {
      const ran later = run("publish '" + out + "/match.reel' " + address);
      BOOST_TEST(later.code == 0, later.out);
    }
    return watcher.ended();
  }
};

}  // namespace tickreel::test
