// A real nats-server on a free port, with its store in a folder of the test. Killed with it.
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
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tickreel/fleet/broker.hpp"

extern char** environ;

namespace tickreel::test {

// Waits for a condition, never for a time; the deadline is for what never comes.
inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::seconds deadline = std::chrono::seconds(120)) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

inline std::string nats_server_program() {
  for (const char* const place :
       {"/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"}) {
    if (::access(place, X_OK) == 0) return place;
  }
  return {};
}

// Whether what needs a broker can be tested here; said where it cannot, and a failure where it has to be.
inline bool can_start_broker() {
  if (fleet::has_broker() && !nats_server_program().empty()) return true;
  const char* const why = fleet::has_broker() ? "no nats-server" : "built without libnats";
  std::cout << "LEFT OUT: " << why << "; scripts/bootstrap --fleet installs it\n";
  BOOST_TEST(std::getenv("TICKREEL_REQUIRE_FLEET") == nullptr, why);
  return false;
}

inline std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

class nats_server {
 public:
  explicit nats_server(const std::filesystem::path& folder, std::vector<std::string> more = {},
                       bool with_jetstream = true)
      : folder_(folder), more_(std::move(more)), with_jetstream_(with_jetstream), port_(free_port()) {
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

  // -9: it has no time for anything.
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  // What it is told from its next start on.
  void set_more(std::vector<std::string> more) { more_ = std::move(more); }
  // On the same port, with the same store.
  void start() {
    std::vector<std::string> words = {
        nats_server_program(),          "-a", "127.0.0.1", "-p", std::to_string(port_), "-l",
        (folder_ / "nats.log").string()};
    if (with_jetstream_) words.insert(words.end(), {"-js", "-sd", (folder_ / "store").string()});
    words.insert(words.end(), more_.begin(), more_.end());
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    if (::posix_spawn(&process_, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
      process_ = -1;
    BOOST_REQUIRE(process_ > 0);
    BOOST_REQUIRE(eventually([&] { return listens(); }));
  }

 private:
  [[nodiscard]] bool listens() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool open = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return open;
  }

  std::filesystem::path folder_;
  std::vector<std::string> more_;
  bool with_jetstream_;
  std::uint16_t port_;
  pid_t process_ = -1;
};

}  // namespace tickreel::test
