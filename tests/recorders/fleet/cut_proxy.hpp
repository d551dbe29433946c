// A proxy between a client and a server that closes connections or stops forwarding.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <list>
#include <thread>

#include "loopback_listener.hpp"

namespace tickreel::test {

class cut_proxy {
 public:
  enum class mode { pass, refuse, swallow };

  explicit cut_proxy(std::uint16_t to) : to_(to), thread_([this] { run(); }) {}
  cut_proxy(const cut_proxy&) = delete;
  cut_proxy& operator=(const cut_proxy&) = delete;
  ~cut_proxy() {
    stop_ = true;
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  // refuse: closes open and new connections. swallow: nothing is forwarded, and neither side is notified.
  void set(mode now) { mode_ = now; }

 private:
  struct pair {
    int client = -1;
    int server = -1;
  };

  static sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_port = htons(port);
    out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return out;
  }
  static void close(const pair& both) {
    ::close(both.client);
    ::close(both.server);
  }
  static bool carry(int from, int to) {
    std::array<char, 65536> bytes{};
    const ssize_t count = ::recv(from, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count == 0) return false;
    ssize_t done = 0;
    while (count > 0 && done < count) {
      const ssize_t sent =
          ::send(to, bytes.data() + done, static_cast<std::size_t>(count - done), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      done += sent;
    }
    return true;
  }

  void accept_one() {
    const int client = listener_.accept();
    if (client < 0) return;
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(to_);
    if (mode_ == mode::refuse ||
        ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      close({client, server});
      return;
    }
    open_.push_back({client, server});
  }

  void run() {
    while (!stop_) {
      if (mode_ == mode::refuse) {
        for (const pair& each : open_) close(each);
        open_.clear();
      }
      std::vector<pollfd> waiting = {{listener_.socket(), POLLIN, 0}};
      if (mode_ == mode::pass) {
        for (const pair& each : open_) {
          waiting.push_back({each.client, POLLIN, 0});
          waiting.push_back({each.server, POLLIN, 0});
        }
      }
      ::poll(waiting.data(), waiting.size(), 10);
      if (mode_ == mode::pass) {
        std::size_t at = 1;
        for (auto each = open_.begin(); each != open_.end() && at + 1 < waiting.size(); at += 2) {
          const bool ok = (waiting[at].revents == 0 || carry(each->client, each->server)) &&
                          (waiting[at + 1].revents == 0 || carry(each->server, each->client));
          if (ok) {
            ++each;
            continue;
          }
          close(*each);
          each = open_.erase(each);
        }
      }
      if (waiting[0].revents != 0) accept_one();
    }
    for (const pair& each : open_) close(each);
  }

  std::uint16_t to_;
  loopback_listener listener_;
  std::atomic<mode> mode_ = mode::pass;
  std::atomic<bool> stop_ = false;
  std::list<pair> open_;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace tickreel::test
