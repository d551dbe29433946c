#include "message_ids.hpp"

#include <sodium.h>

#include "tickreel/text/ascii.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::fleet {

namespace {

std::string text_of(const message_head& head, std::uint64_t record_hash) {
  return head.reel + ' ' + (head.sequence ? std::to_string(*head.sequence) : "head") + ' ' +
         std::to_string(head.part) + ' ' + std::to_string(head.parts) + ' ' + std::to_string(record_hash);
}

}  // namespace

message_ids::message_ids() {
  // If this fails, randombytes_buf() needs no initialisation: it opens the system's source itself.
  [[maybe_unused]] const int ready = sodium_init();
  randombytes_buf(key_.data(), key_.size());
}

// 32 hexadecimal digits of a keyed BLAKE2b, '-', the generation.
std::string message_ids::make(std::string_view text, std::uint64_t generation) const {
  const std::string hashed = std::string(text) + ' ' + std::to_string(generation);
  std::array<unsigned char, 16> out{};
  (void)crypto_generichash(out.data(), out.size(), reinterpret_cast<const unsigned char*>(hashed.data()),
                           hashed.size(), key_.data(), key_.size());
  return text::to_hex(std::as_bytes(std::span(out))) + '-' + std::to_string(generation);
}

std::string message_ids::of(const message_head& head, std::uint64_t record_hash) const {
  return make(text_of(head, record_hash), generation_);
}

std::string message_ids::of(std::string_view purpose) const {
  return make(purpose, generation_);
}

bool message_ids::are_ours(std::string_view id, const message_head& head, std::uint64_t record_hash) const {
  const auto dash = id.rfind('-');
  if (dash == std::string_view::npos) return false;
  const auto generation = text::parse_number<std::uint64_t>(id.substr(dash + 1));
  return generation && id == make(text_of(head, record_hash), *generation);
}

}  // namespace tickreel::fleet
