#include "signature.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <new>

#include "tickreel/text/hex.hpp"

namespace tickreel::store {

namespace {

const unsigned char* raw(byte_span bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

sha256_digest hmac(byte_span key, std::string_view text) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, raw(key), key.size());
  crypto_auth_hmacsha256_update(&state, raw(as_bytes(text)), text.size());
  sha256_digest made;
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(made.data()));
  sodium_memzero(&state, sizeof state);
  return made;
}

// Leading, trailing and repeated spaces of a value are ignored.
std::string canonical_value(std::string_view value) {
  std::string out;
  for (const char letter : value) {
    if (letter == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += letter;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

sha256_stream::sha256_stream() noexcept : state_() {
  static_assert(sizeof(crypto_hash_sha256_state) <= sizeof state_);
  static_assert(alignof(crypto_hash_sha256_state) <= 16);
  crypto_hash_sha256_init(::new (state_.data()) crypto_hash_sha256_state);
}

void sha256_stream::add(byte_span bytes) noexcept {
  crypto_hash_sha256_update(reinterpret_cast<crypto_hash_sha256_state*>(state_.data()), raw(bytes),
                            bytes.size());
}

sha256_digest sha256_stream::finish() noexcept {
  sha256_digest made;
  crypto_hash_sha256_final(reinterpret_cast<crypto_hash_sha256_state*>(state_.data()),
                           reinterpret_cast<unsigned char*>(made.data()));
  return made;
}

std::string sha256_hex(byte_span bytes) {
  sha256_stream hash;
  hash.add(bytes);
  return text::to_hex(hash.finish());
}

std::string uri_encoded(std::string_view text, bool keep_slashes) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_' ||
                       byte == '~' || (byte == '/' && keep_slashes);
    if (plain) {
      out += letter;
    } else {
      out += {'%', digits[byte >> 4u], digits[byte & 15u]};
    }
  }
  return out;
}

std::string encoded_query(const text_pairs& query) {
  text_pairs encoded;
  encoded.reserve(query.size());
  for (const auto& each : query) {
    encoded.emplace_back(uri_encoded(each.first, false), uri_encoded(each.second, false));
  }
  std::sort(encoded.begin(), encoded.end());
  std::string out;
  for (const auto& each : encoded) {
    if (!out.empty()) out += '&';
    out += each.first;
    out += '=';
    out += each.second;
  }
  return out;
}

std::string authorization(const request_to_sign& what, const credentials& who, std::string_view region,
                          std::string_view time) {
  text_pairs headers = what.headers;
  std::sort(headers.begin(), headers.end());
  std::string names;
  std::string request;
  request.append(what.method).append("\n").append(what.path).append("\n");
  request.append(encoded_query(what.query)).append("\n");
  for (const auto& each : headers) {
    request.append(each.first).append(":").append(canonical_value(each.second)).append("\n");
    if (!names.empty()) names += ';';
    names += each.first;
  }
  request.append("\n").append(names).append("\n").append(what.payload_hash);

  const std::string day(time.substr(0, 8));
  std::string scope = day;
  scope.append("/").append(region).append("/s3/aws4_request");
  std::string to_sign = "AWS4-HMAC-SHA256\n";
  to_sign.append(time).append("\n").append(scope).append("\n").append(sha256_hex(as_bytes(request)));

  std::string secret = "AWS4" + who.secret_key;
  sha256_digest key = hmac(as_bytes(secret), day);
  sodium_memzero(secret.data(), secret.size());
  for (const std::string_view part : {region, std::string_view("s3"), std::string_view("aws4_request")}) {
    key = hmac(key, part);
  }
  const std::string signature = text::to_hex(hmac(key, to_sign));
  return "AWS4-HMAC-SHA256 Credential=" + who.access_key + '/' + scope + ",SignedHeaders=" + names +
         ",Signature=" + signature;
}

std::string amz_time() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
#ifdef _WIN32
  gmtime_s(&parts, &now);
#else
  gmtime_r(&now, &parts);
#endif
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

}  // namespace tickreel::store
