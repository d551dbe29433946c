// A server that accepts connections, sends a text, and then neither reads nor writes.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace tickreel::test {

// The first line of a broker.
inline const std::string broker_info =
    R"(INFO {"server_id":"S","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576,"jetstream":true})"
    "\r\n";

class silent_server {
 public:
  explicit silent_server(std::string text) : text_(std::move(text)) {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listening_, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
    ::listen(listening_, 64);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  silent_server(const silent_server&) = delete;
  silent_server& operator=(const silent_server&) = delete;
  ~silent_server() {
    stop_ = true;
    thread_.join();
    ::close(listening_);
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  // Accepted connections, and those that their client has not closed.
  [[nodiscard]] std::size_t accepted() const { return accepted_; }
  [[nodiscard]] std::size_t open() const { return open_; }

 private:
  void run() {
    std::vector<pollfd> all = {{listening_, POLLIN, 0}};
    while (!stop_) {
      ::poll(all.data(), all.size(), 10);
      for (std::size_t each = all.size(); --each > 0;) {
        if ((all[each].revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) continue;
        ::close(all[each].fd);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(each));
      }
      if (all[0].revents != 0) {
        const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
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
  int listening_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<std::size_t> accepted_ = 0;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace tickreel::test
