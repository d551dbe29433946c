// Sends HTTP requests one after the other over kept connections.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/result.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

struct http_request {
  const char* method = "GET";
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  // The request body: `body_bytes` of `body` from `body_offset` on. Null: none.
  const byte_source* body = nullptr;
  std::uint64_t body_offset = 0;
  std::uint64_t body_bytes = 0;
  // The destination of the body of a status 2xx; a longer body is an error. Empty: into http_answer::text.
  mutable_byte_span into;
};

struct http_answer {
  long status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string text;
  std::size_t filled = 0;  // of `into`
};

class http_client {
 public:
  // The limit of a text response.
  static constexpr std::size_t longest_text = std::size_t{16} << 20;

  static result<std::unique_ptr<http_client>> create(std::string ca_file, store_options options);
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;
  ~http_client();

  // Returns a response of any status; fails if there is no complete one. `again` reports whether a retry may
  // succeed.
  result<http_answer> perform(const http_request& what, bool& again);

  [[nodiscard]] const traffic& transferred() const noexcept { return traffic_; }
  // Waits; returns early if cancelled.
  result<void> pause(std::chrono::milliseconds length);
  void count_retry() noexcept { ++traffic_.retries; }

 private:
  struct exchange;
  http_client(void* handle, std::string ca_file, store_options options);
  void prepare(exchange& with);

  void* handle_;
  std::string ca_file_;
  store_options options_;
  traffic traffic_;
};

}  // namespace tickreel::store
