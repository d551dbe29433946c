// One request of HTTP after the other, over connections that are kept.
#pragma once

#include <cstdint>
#include <functional>
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
  // What is sent: `body_bytes` of `body` from `body_offset` on. Null: nothing.
  const byte_source* body = nullptr;
  std::uint64_t body_offset = 0;
  std::uint64_t body_bytes = 0;
  // Where the body of a status 2xx goes; more than fits is an error. Empty: into http_answer::text.
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
  // Whatever the store sends as text is refused beyond this.
  static constexpr std::size_t longest_text = std::size_t{16} << 20;

  static result<std::unique_ptr<http_client>> create(std::string ca_file, store_options options);
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;
  ~http_client();

  // Whatever status it is; fails when there is no whole answer. `again` says whether that may change.
  result<http_answer> perform(const http_request& what, bool& again);

  [[nodiscard]] const traffic& so_far() const noexcept { return traffic_; }
  // Waits unless cancelled meanwhile.
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
