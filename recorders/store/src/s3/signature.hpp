// AWS Signature Version 4, as Amazon documents it for S3: proves a request's sender and integrity. Pure
// functions.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/bytes/span.hpp"

namespace tickreel::store {

using sha256_digest = std::array<std::byte, 32>;

class sha256_stream {
 public:
  sha256_stream() noexcept;
  void add(byte_span bytes) noexcept;
  [[nodiscard]] sha256_digest finish() noexcept;

 private:
  alignas(16) std::array<std::byte, 128> state_;
};
[[nodiscard]] std::string sha256_hex(byte_span bytes);

struct credentials {
  std::string access_key;
  std::string secret_key;     // never in a log, a message or an argument
  std::string session_token;  // empty for long-term credentials
};

using text_pairs = std::vector<std::pair<std::string, std::string>>;

// Every byte but letters, digits and "-._~" as %XX; "/" too, unless it is to be kept.
[[nodiscard]] std::string uri_encoded(std::string_view text, bool keep_slashes);
// The query as in a URL after "?", and in the signature: encoded, sorted by name, "=" after each name.
[[nodiscard]] std::string encoded_query(const text_pairs& query);

struct request_to_sign {
  std::string_view method;
  std::string_view path;  // encoded, from the first "/"
  const text_pairs& query;
  const text_pairs& headers;  // all signed headers, including "host" and "x-amz-date"; names in lower case
  std::string_view payload_hash;
};

// Now, as in x-amz-date: 20130524T000000Z.
[[nodiscard]] std::string amz_time();
// The value of the header Authorization.
[[nodiscard]] std::string authorization(const request_to_sign& what, const credentials& who,
                                        std::string_view region, std::string_view time);

}  // namespace tickreel::store
