// A server that accepts connections, sends a text, and then neither reads nor writes.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "loopback_listener.hpp"

namespace tickreel::test {

// The first line of a broker.
inline const std::string broker_info =
    R"(INFO {"server_id":"S","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576,"jetstream":true})"
    "\r\n";

class silent_server {
 public:
  explicit silent_server(std::string text) : text_(std::move(text)), thread_([this] { run(); }) {}
  silent_server(const silent_server&) = delete;
  silent_server& operator=(const silent_server&) = delete;
  ~silent_server() {
    stop_ = true;
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  // Accepted connections, and those that their client has not closed.
  [[nodiscard]] std::size_t accepted() const { return accepted_; }
  [[nodiscard]] std::size_t open() const { return open_; }

 private:
  void run() {
    std::vector<pollfd> all = {{listener_.socket(), POLLIN, 0}};
    while (!stop_) {
      ::poll(all.data(), all.size(), 10);
      for (std::size_t each = all.size(); --each > 0;) {
        if ((all[each].revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) continue;
        ::close(all[each].fd);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(each));
      }
      if (all[0].revents != 0) {
        const int client = listener_.accept();
        if (client >= 0) {
          (void)::send(client, text_.data(), text_.size(), MSG_NOSIGNAL);
          all.push_back({client, POLLRDHUP, 0});
          ++accepted_;
        }
      }
      open_ = all.size() - 1;
    }
    for (std::size_t each = 1; each < all.size(); ++each) ::close(all[each].fd);
  }

  std::string text_;
  loopback_listener listener_;
  std::atomic<std::size_t> accepted_ = 0;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace tickreel::test
