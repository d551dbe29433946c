// A game API that fails on request.
#pragma once

#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tickreel::test {

// A port that refuses connections, and that no other process can take: bound, without a listener.
inline std::uint16_t refusing_port() {
  using boost::asio::ip::tcp;
  static boost::asio::io_context context;
  static const tcp::acceptor bound = [] {
    tcp::acceptor made(context, tcp::v4());
    made.bind({boost::asio::ip::address_v4::loopback(), 0});
    return made;
  }();
  return bound.local_endpoint().port();
}

enum class fault {
  none,         // answers `bodies`
  drop,         // closes as soon as a request arrives
  half,         // announces a body and sends half of it, then closes
  html,         // 200 with a web page
  text_500,     // 500 with a line of text
  api_off,      // 500, err_code -2
  lobby,        // 500, err_code -6
  menu,         // 404 with an empty body
  cut_json,     // 200, a complete response with truncated JSON
  not_http,     // bytes that are not HTTP
  huge,         // 200 with more than a recorder accepts
  hang,         // never answers
  close_after,  // answers `bodies`, then closes without an announcement
  late,         // answers `bodies`, later than a poll waits for bones by default
};

// One blocking thread per connection; sufficient for tests. Listens on a free port of the loopback.
class fault_server {
 public:
  explicit fault_server(std::map<std::string, std::string> bodies, std::uint16_t port = 0)
      : bodies_(std::move(bodies)),
        acceptor_(context_, {boost::asio::ip::address_v4::loopback(), port}),
        port_(acceptor_.local_endpoint().port()),
        accepting_([this] { accept(); }) {}

  ~fault_server() {
    ending_ = true;
    wake_up();
    accepting_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const auto& socket : sockets_) {
        boost::system::error_code ignored;
        socket->shutdown(tcp::socket::shutdown_both, ignored);
      }
    }
    for (std::thread& each : serving_) each.join();
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::uint64_t requests(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = requests_.find(path);
    return found == requests_.end() ? 0 : found->second;
  }
  [[nodiscard]] std::uint64_t connections() const { return connections_; }

  // For every path, or for one path only.
  void set(fault now) {
    const std::lock_guard lock(mutex_);
    fault_ = now;
    faults_.clear();
  }
  void set(const std::string& path, fault now) {
    const std::lock_guard lock(mutex_);
    faults_[path] = now;
  }
  void set_delay(std::chrono::milliseconds delay) { delay_ms_ = delay.count(); }

 private:
  using tcp = boost::asio::ip::tcp;
  static constexpr std::int64_t late_ms = 400;

  void wake_up() {
    tcp::socket socket(context_);
    boost::system::error_code ignored;
    socket.connect({boost::asio::ip::address_v4::loopback(), port_}, ignored);
  }

  void accept() {
    while (true) {
      auto socket = std::make_shared<tcp::socket>(context_);
      boost::system::error_code failed;
      acceptor_.accept(*socket, failed);
      if (ending_ || failed) return;
      ++connections_;
      const std::lock_guard lock(mutex_);
      sockets_.push_back(socket);
      serving_.emplace_back([this, socket] { serve(*socket); });
    }
  }

  void serve(tcp::socket& socket) {
    boost::asio::streambuf buffer;
    boost::system::error_code failed;
    while (!failed) {
      const std::size_t length = boost::asio::read_until(socket, buffer, "\r\n\r\n", failed);
      if (failed) break;
      const auto begin = boost::asio::buffers_begin(buffer.data());
      const std::string head(begin, begin + static_cast<std::ptrdiff_t>(length));
      buffer.consume(length);
      const std::size_t path_begin = head.find(' ') + 1;
      const std::string path = head.substr(path_begin, head.find(' ', path_begin) - path_begin);
      if (!answer(socket, path)) break;
    }
    // Half-closed first, so that the client sees an end and not a reset.
    socket.shutdown(tcp::socket::shutdown_both, failed);
    const std::lock_guard lock(mutex_);
    socket.close(failed);
  }

  static std::string message(const std::string& status, const std::string& body, std::size_t claimed) {
    return "HTTP/1.1 " + status +
           "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(claimed) + "\r\n\r\n" +
           body;
  }
  static std::string message(const std::string& status, const std::string& body) {
    return message(status, body, body.size());
  }

  // Returns false if the connection ends with this response.
  bool answer(tcp::socket& socket, const std::string& path) {
    fault now = fault::none;
    std::string body;
    {
      const std::lock_guard lock(mutex_);
      ++requests_[path];
      const auto own = faults_.find(path);
      now = own == faults_.end() ? fault_ : own->second;
      const auto found = bodies_.find(path);
      if (found != bodies_.end()) body = found->second;
    }
    const std::int64_t delay_ms = now == fault::late ? late_ms : delay_ms_.load();
    for (std::int64_t waited = 0; waited < delay_ms && !ending_; waited += 5) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    boost::system::error_code failed;
    const auto send = [&](const std::string& text) {
      boost::asio::write(socket, boost::asio::buffer(text), failed);
      return !failed;
    };
    switch (now) {
      case fault::none:
      case fault::late:
        return send(body.empty() ? message("404 Not Found", "") : message("200 OK", body));
      case fault::close_after:
        (void)send(message("200 OK", body));
        return false;
      case fault::drop:
        return false;
      case fault::half:
        (void)send(message("200 OK", body.substr(0, body.size() / 2), body.size()));
        return false;
      case fault::html:
        return send(message("200 OK", "<html><body>It works!</body></html>"));
      case fault::text_500:
        return send(message("500 Internal Server Error", "out of order"));
      case fault::api_off:
        return send(message("500 Internal Server Error", R"({"err_description":"off","err_code":-2})"));
      case fault::lobby:
        return send(message("500 Internal Server Error", R"({"err_description":"no","err_code":-6})"));
      case fault::menu:
        return send(message("404 Not Found", ""));
      case fault::cut_json:
        return send(message("200 OK", body.substr(0, body.size() - 5)));
      case fault::not_http:
        (void)send("SSH-2.0-OpenSSH_9.2\r\n\r\n");
        return false;
      case fault::huge:
        return send(message("200 OK", "{" + std::string(3u << 20, ' ') + "}"));
      case fault::hang:
        while (!ending_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return false;
    }
    return false;
  }

  std::map<std::string, std::string> bodies_;
  boost::asio::io_context context_;
  tcp::acceptor acceptor_;
  std::uint16_t port_;
  std::atomic<bool> ending_{false};
  std::atomic<std::int64_t> delay_ms_{0};
  std::atomic<std::uint64_t> connections_{0};
  mutable std::mutex mutex_;
  fault fault_ = fault::none;
  std::map<std::string, fault> faults_;
  std::map<std::string, std::uint64_t> requests_;
  std::vector<std::shared_ptr<tcp::socket>> sockets_;
  std::vector<std::thread> serving_;
  std::thread accepting_;
};

}  // namespace tickreel::test
