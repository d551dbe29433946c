// A WebSocket connection to another program: text messages, one operation at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tickreel/result.hpp"

namespace tickreel::net {

struct websocket_options {
  std::string host;
  std::uint16_t port = 0;
  std::chrono::milliseconds timeout{3000};  // of each operation, which then fails with timed_out
  std::size_t max_message_bytes = 1u << 20;
};

// One thread. Each call blocks until it completes, fails or times out; after a failure the connection cannot
// be used. Throws only std::bad_alloc.
class websocket_client {
 public:
  explicit websocket_client(websocket_options options);
  websocket_client(const websocket_client&) = delete;
  websocket_client& operator=(const websocket_client&) = delete;
  ~websocket_client();

  // Once, before all others. connection_refused where nothing listens; name_not_resolved.
  [[nodiscard]] result<void> connect();
  [[nodiscard]] result<void> write(std::string_view text);
  // connection_lost where the peer closes it; over_limit for a message above max_message_bytes.
  [[nodiscard]] result<std::string> read();
  // Closes the connection and waits for the peer's answer.
  void close();

  // The code of the peer's close message; 0 if it sent none.
  [[nodiscard]] std::uint16_t close_code() const noexcept;

 private:
  struct connection;
  std::unique_ptr<connection> connection_;
};

}  // namespace tickreel::net
