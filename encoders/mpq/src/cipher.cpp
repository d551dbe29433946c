#include "cipher.hpp"

#include <array>

#include "tickreel/bytes/endian.hpp"

namespace tickreel::mpq {

namespace {

// Five tables of 256 from one generator; all constants are the format's own.
constexpr std::size_t table_rows = 5;
constexpr std::size_t row_length = 256;
using cipher_rows = std::array<std::uint32_t, table_rows * row_length>;

constexpr cipher_rows make_table() noexcept {
  cipher_rows table{};
  std::uint32_t seed = 0x00100001;
  const auto half = [&seed] {
    seed = (seed * 125 + 3) % 0x2AAAAB;
    return seed & 0xFFFF;
  };
  for (std::size_t low = 0; low < row_length; ++low) {
    for (std::size_t part = 0; part < table_rows; ++part) {
      const std::uint32_t high = half();
      table[part * row_length + low] = (high << 16) | half();
    }
  }
  return table;
}

constexpr auto cipher_words = make_table();
constexpr std::size_t cipher_table = 4 * row_length;

constexpr unsigned char upper(char letter) noexcept {
  if (letter >= 'a' && letter <= 'z') return static_cast<unsigned char>(letter - 'a' + 'A');
  return letter == '/' ? static_cast<unsigned char>('\\') : static_cast<unsigned char>(letter);
}

}  // namespace

std::uint32_t hash_name(std::string_view name, hash_use purpose) noexcept {
  std::uint32_t hash = 0x7FED7FED;
  std::uint32_t seed = 0xEEEEEEEE;
  for (const char each : name) {
    const std::uint32_t letter = upper(each);
    hash = cipher_words[static_cast<std::uint32_t>(purpose) + letter] ^ (hash + seed);
    seed = letter + hash + seed + (seed << 5) + 3;
  }
  return hash;
}

namespace {

// Word by word; both directions depend on the plain word.
template <class Plain>
void run_cipher(mutable_byte_span data, std::uint32_t key, Plain&& plain_of) noexcept {
  std::uint32_t seed = 0xEEEEEEEE;
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
    seed += cipher_words[cipher_table + (key & 0xFF)];
    const auto word = detail::load<std::endian::little, std::uint32_t>(&data[at]);
    const std::uint32_t changed = word ^ (key + seed);
    detail::store<std::endian::little>(&data[at], changed);
    key = ((~key << 21) + 0x11111111) | (key >> 11);
    seed = plain_of(word, changed) + seed + (seed << 5) + 3;
  }
}

}  // namespace

void decipher(mutable_byte_span data, std::uint32_t key) noexcept {
  run_cipher(data, key, [](std::uint32_t, std::uint32_t changed) { return changed; });
}

void encipher(mutable_byte_span data, std::uint32_t key) noexcept {
  run_cipher(data, key, [](std::uint32_t word, std::uint32_t) { return word; });
}

}  // namespace tickreel::mpq
