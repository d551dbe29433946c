// The HTTP server of all services: the game's API, the overlay, the viewer's page.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::net {

// Valid during the handler's call. A request's body is never read: it is discarded, and the connection
// closed.
struct http_request {
  std::string_view method;  // "GET"
  std::string_view target;  // path and query
  std::string_view path;    // the target up to its '?'
  std::string_view range;   // header fields: empty where absent
  std::string_view if_range;
  bool wants_web_socket = false;
};

struct file_part {
  file from;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // exclusive
};

struct http_response {
  int status = 404;
  std::string type = "text/plain; charset=utf-8";  // empty: no Content-Type
  std::string body = {};
  std::string_view static_body = {};      // sent instead of `body`; must outlive the server
  std::optional<file_part> part = {};     // sent instead of both, in pieces: one piece is in memory at a time
  std::string content_range = {};         // header fields: left out where empty
  std::string_view allowed_methods = {};  // of a response 405
  std::string_view retry_after_s = {};
};

[[nodiscard]] http_response text_response(int status, std::string_view sentence);

// A connection that is kept after the request: server-sent events or a WebSocket. On the server's thread;
// release it before the server is destroyed.
class open_stream {
 public:
  open_stream(const open_stream&) = delete;
  open_stream& operator=(const open_stream&) = delete;
  virtual ~open_stream() = default;

  // Sends one message; `bytes` stays valid until `done`, which says whether it was sent. One at a time.
  // `is_text` is the kind of a WebSocket's message.
  virtual void write(byte_span bytes, bool is_text, std::function<void(bool)> done) = 0;
  // Ends a WebSocket with this close code, a stream of events without one. `on_closed` is called.
  virtual void close(std::uint16_t code) = 0;
  // Ends the connection immediately, without `on_closed`.
  virtual void drop() noexcept = 0;

 protected:
  open_stream() = default;
};

// A response that is sent later, from any thread. Does nothing after the connection or the server has closed.
using deferred_response = std::function<void(http_response)>;

// The actions of a request's handler: it calls exactly one of these before it returns.
class http_exchange {
 public:
  http_exchange(const http_exchange&) = delete;
  http_exchange& operator=(const http_exchange&) = delete;

  virtual void respond(http_response with) = 0;
  [[nodiscard]] virtual deferred_response respond_later() = 0;
  // 200 text/event-stream; a failing write reports its end.
  [[nodiscard]] virtual std::shared_ptr<open_stream> stream_events() = 0;
  // `opened` is called after the handshake, `on_closed` after the peer or close() ended it. Incoming messages
  // are discarded; one of more than 1 KiB ends the connection. A stream that is released is closed.
  virtual void open_web_socket(std::function<void(std::shared_ptr<open_stream>)> opened,
                               std::function<void()> on_closed) = 0;

 protected:
  http_exchange() = default;
  ~http_exchange() = default;
};

struct http_server_options {
  std::string address = "127.0.0.1";  // an IP address of this machine
  std::uint16_t port = 0;             // 0: any free port
  // Connections. When there are as many, a new one replaces the oldest that never sent a whole request, or
  // the one that has been idle longest, for at least `replaceable_after_ms`; else it is closed. Fewer where
  // the process may not open as many files: listen() raises the soft limit where it can.
  std::size_t max_clients = 64;
  std::uint32_t replaceable_after_ms = 5'000;
  std::uint32_t idle_timeout_ms = 60'000;  // of a client that neither sends nor receives
  // Requests with a foreign Host or Origin get 403, so that no web page reaches the server through a
  // visitor's browser. Accepted are 127.0.0.1, localhost and these names; with another address also numeric
  // addresses.
  std::vector<std::string> names = {};
  std::string_view content_security_policy = {};  // of pages; empty: no header
  const char* purpose = "listening for HTTP";     // in errors; a literal
};

// HTTP/1.1 with kept-alive connections, on one thread of its own. The handler is called on that thread.
class http_server {
 public:
  using handler = std::function<void(const http_request&, http_exchange&)>;

  // Opens the port. address_in_use, permission_denied, or invalid_argument for an address that is none.
  static result<std::unique_ptr<http_server>> listen(const http_server_options& options, handler handle);
  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;
  ~http_server();  // stops

  // Calls `call` on the server's thread every `interval`. Call it before start().
  void repeat(std::chrono::milliseconds interval, std::function<void()> call);
  // Accepts connections from now on. io_failed if no thread can be started.
  result<void> start();
  // Calls `call` on the server's thread. Any thread.
  void post(std::function<void()> call);
  // Closes all connections and ends the thread; no callback runs afterwards. May be called twice.
  void stop() noexcept;

  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::size_t clients() const noexcept;  // connected now; on the server's thread

 private:
  struct internals;
  explicit http_server(std::shared_ptr<internals> owned) noexcept;
  std::shared_ptr<internals> internals_;
};

}  // namespace tickreel::net
