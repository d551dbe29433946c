// A real nats-server with its store in a folder of the test. It is killed with the object. The server chooses its port and
// reports it in a file: a port chosen here could be taken by the server of another test before this one listens, and that server
// would answer "permission denied".
#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "eventually.hpp"
#include "file_bytes.hpp"
#include "preconditions.hpp"
#include "tickreel/fleet/broker.hpp"

extern char** environ;

namespace tickreel::test {

inline std::string nats_server_program() {
  for (const char* const place :
       {"/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"}) {
    if (::access(place, X_OK) == 0) return place;
  }
  return {};
}

inline const auto with_broker = needed(
    [] {
      if (!fleet::has_broker()) return "built without libnats; scripts/bootstrap --fleet installs it";
      return nats_server_program().empty() ? "no nats-server; scripts/bootstrap --fleet installs it"
                                           : nullptr;
    },
    "TICKREEL_REQUIRE_FLEET");
inline const auto with_broker_client = needed(
    [] {
      return fleet::has_broker() ? nullptr : "built without libnats; scripts/bootstrap --fleet installs it";
    },
    "TICKREEL_REQUIRE_FLEET");

// The program or the broker stood still for longer than the program waits for an answer. Run it again.
inline bool tells_of_a_standstill(std::string_view said) {
  for (const std::string_view text : {"the broker does not answer", "the login at the broker timed out",
                                      "the broker was silent for too long"}) {
    if (said.find(text) != std::string_view::npos) return true;
  }
  return false;
}

// A connection without short limits. A broker ends a login of more than two seconds: that proves only that a process stood still.
// The client certificate that a broker refuses is reported like that, too, but by its variable.
inline result<fleet::broker> connected_to(const fleet::nats_url& url, fleet::broker_options options = {}) {
  using namespace std::chrono_literals;
  options.connect = options.wait = 60s;
  const auto stood_still = [](const error& why) {
    const bool is_short = why.code == error_code::timed_out || why.code == error_code::connection_lost;
    return is_short && describe(why).find("TICKREEL_NATS_CERT") == std::string::npos;
  };
  auto out = fleet::broker::connect(url, options);
  const auto end = std::chrono::steady_clock::now() + 120s;
  while (!out && stood_still(out.error()) && std::chrono::steady_clock::now() < end) {
    out = fleet::broker::connect(url, options);
  }
  return out;
}

// A port without a server that no other process can take meanwhile: bound, never listened on.
class refusing_port {
 public:
  refusing_port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    BOOST_REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    BOOST_REQUIRE(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    number_ = ntohs(address.sin_port);
  }
  refusing_port(const refusing_port&) = delete;
  refusing_port& operator=(const refusing_port&) = delete;
  ~refusing_port() { ::close(socket_); }

  [[nodiscard]] std::uint16_t number() const { return number_; }

 private:
  int socket_;
  std::uint16_t number_ = 0;
};

class nats_server {
 public:
  explicit nats_server(const std::filesystem::path& folder, std::vector<std::string> more = {},
                       bool with_jetstream = true)
      : folder_(folder), more_(std::move(more)), with_jetstream_(with_jetstream) {
    start();
  }
  nats_server(const nats_server&) = delete;
  nats_server& operator=(const nats_server&) = delete;
  ~nats_server() { kill(); }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] fleet::nats_url url(const std::string& league = "", const std::string& match = "") const {
    auto out = fleet::read_nats_url("nats://127.0.0.1:" + std::to_string(port_));
    out->league = league;
    out->match = match;
    return *out;
  }

  // SIGKILL: no time to react.
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  // Whether it crashed, or lost the files of a stream, until it starts again: nats-server 2.9 does if a stream is deleted while
  // one of its messages is read or stored.
  [[nodiscard]] bool is_broken() {
    if (process_ <= 0) return false;
    if (has_ended()) {
      process_ = -1;
      return true;
    }
    std::ifstream log(folder_ / "nats.log");
    log.seekg(log_read_);
    const std::string text((std::istreambuf_iterator<char>(log)), std::istreambuf_iterator<char>());
    log_read_ += static_cast<std::streamoff>(text.size());
    return text.find("error opening msg block file") != std::string::npos;
  }
  // Arguments from its next start on.
  void set_more(std::vector<std::string> more) { more_ = std::move(more); }
  // Starts again on the same port, with the same store.
  void start() {
    BOOST_REQUIRE(eventually([&] {
      if (process_ <= 0) spawn();
      if (has_ended()) {
        process_ = -1;
        // Its port may be in use for a moment by an old connection; only a restart retries.
        BOOST_REQUIRE_MESSAGE(port_ != 0, "nats-server did not start: " << (folder_ / "nats.log"));
        return false;
      }
      const std::uint16_t reported = reported_port();
      if (reported != 0) port_ = reported;
      return reported != 0;
    }));
  }

 private:
  void spawn() {
    std::vector<std::string> words = {nats_server_program(),
                                      "-a",
                                      "127.0.0.1",
                                      "-p",
                                      port_ == 0 ? "-1" : std::to_string(port_),
                                      "--ports_file_dir",
                                      folder_.string(),
                                      "-l",
                                      (folder_ / "nats.log").string()};
    if (with_jetstream_) words.insert(words.end(), {"-js", "-sd", (folder_ / "store").string()});
    words.insert(words.end(), more_.begin(), more_.end());
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    // With the output of a test that crashed, it would keep ctest waiting.
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, (folder_ / "nats.out").c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (::posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0)
      process_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    BOOST_REQUIRE(process_ > 0);
  }
  [[nodiscard]] bool has_ended() const { return ::waitpid(process_, nullptr, WNOHANG) == process_; }

  // {"nats":["nats://127.0.0.1:36397"]}, written once the server listens; 0 until then.
  [[nodiscard]] std::uint16_t reported_port() const {
    const std::string text = read_text(folder_ / ("nats-server_" + std::to_string(process_) + ".ports"));
    const auto end = text.find("\"]");
    if (end == std::string::npos) return 0;
    return static_cast<std::uint16_t>(std::stoul(text.substr(text.rfind(':', end) + 1)));
  }

  std::filesystem::path folder_;
  std::vector<std::string> more_;
  bool with_jetstream_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
  std::streamoff log_read_ = 0;
};

}  // namespace tickreel::test
