// One kept-alive HTTP connection with one request at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tickreel/net/event_loop.hpp"
#include "tickreel/result.hpp"

namespace tickreel::net {

struct http_limits {
  std::uint32_t connect_timeout_ms = 1000;
  std::uint32_t answer_timeout_ms = 2000;
  std::uint32_t max_body_bytes = 1u << 20;
};

// `body` is valid until the next get().
struct http_answer {
  int status = 0;
  std::string_view body;
};

// Belongs to the loop's thread. A connection that the peer closed while it was idle is reopened immediately,
// without a report.
class http_connection {
 public:
  using answer_function = std::function<void(const result<http_answer>&)>;

  http_connection(event_loop& loop, std::string host, std::uint16_t port, const http_limits& limits);
  http_connection(const http_connection&) = delete;
  http_connection& operator=(const http_connection&) = delete;
  ~http_connection();  // no callback after this

  // Only while no other get() is pending. Never calls back from inside the call. Fails with
  // connection_refused, connection_lost, timed_out, name_not_resolved; bad_answer if it is not HTTP,
  // over_limit if it is too long.
  void get(std::string_view path, answer_function call);

 private:
  struct internals;
  std::shared_ptr<internals> internals_;
};

}  // namespace tickreel::net
