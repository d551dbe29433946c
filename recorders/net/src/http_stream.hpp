// One TCP connection that speaks HTTP/1.1, and WebSocket after an upgrade. Only its source file includes Boost.Beast.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/net/http_server.hpp"
#include "tickreel/result.hpp"

namespace tickreel::net {

using io_error = boost::system::error_code;
using io_handler = std::function<void(io_error)>;
using endpoint_list = std::vector<boost::asio::ip::tcp::endpoint>;

[[nodiscard]] error http_failure(io_error from) noexcept;
[[nodiscard]] error web_socket_failure(io_error from) noexcept;

struct header_field {
  std::string_view name;
  std::string_view value;  // empty: left out
};

struct request_head {
  http_request request;
  std::string_view host;
  std::string_view origin;
  bool has_body = false;
  bool keeps_alive = false;
};

// On the thread of its context; at most one operation in each direction. The stream must exist until the
// operation's handler was called or destroyed, so handlers own it.
class http_stream {
 public:
  explicit http_stream(boost::asio::ip::tcp::socket socket);
  http_stream(const http_stream&) = delete;
  http_stream& operator=(const http_stream&) = delete;
  ~http_stream();

  [[nodiscard]] boost::asio::ip::tcp::socket& socket() noexcept;  // before an upgrade
  // Limits the operations that begin from now on. Not after an upgrade.
  void limit_time(std::optional<std::chrono::milliseconds> timeout);
  void close() noexcept;

  // A server's side. The head is valid until the next read_head().
  void read_head(io_handler done);
  [[nodiscard]] request_head head() const;
  // Without Content-Length if `size` is not set. Nothing is sent yet.
  void begin_response(int status, std::span<const header_field> fields, std::optional<std::uint64_t> size,
                      bool keeps_alive);
  void write_head(io_handler done);  // for HEAD
  // The first piece follows the head. `piece` stays valid until `done`.
  void write_piece(std::string_view piece, bool is_last, io_handler done);
  void write_unframed(std::string_view head, byte_span bytes, io_handler done);
  void discard_some(std::function<void(io_error, std::size_t)> done);

  // A client's side. The body is valid until the next get().
  void connect(const endpoint_list& places, io_handler done);
  void get(const std::string& host, std::string_view target, std::size_t max_body_bytes, io_handler done);
  [[nodiscard]] bool has_received() const noexcept;  // any byte of the last response
  [[nodiscard]] bool peer_keeps_alive() const noexcept;
  [[nodiscard]] int status() const noexcept;
  [[nodiscard]] std::string_view body() const noexcept;

  // WebSocket, without compression. A server accepts the request in head(), a client asks after connect().
  // Before both, operations fail.
  void accept_web_socket(std::size_t max_message_bytes, std::chrono::milliseconds idle_timeout,
                         io_handler done);
  void ask_for_web_socket(std::size_t max_message_bytes, const std::string& host, io_handler done);
  void read_message(io_handler done);  // replaces the message before
  [[nodiscard]] std::string message() const;
  void write_message(byte_span bytes, bool is_text, io_handler done);
  void close_web_socket(std::uint16_t code, io_handler done);
  [[nodiscard]] std::uint16_t close_code() const noexcept;  // of the peer; 0 if it sent none

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::net
