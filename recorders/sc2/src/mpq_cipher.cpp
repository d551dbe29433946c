#include "mpq_cipher.hpp"

#include <array>

#include "tickreel/bytes/endian.hpp"

namespace tickreel::sc2 {

namespace {

// Five tables of 256 from one generator; all constants are the format's own.
constexpr std::array<std::uint32_t, 5 * 256> make_table() noexcept {
  std::array<std::uint32_t, 5 * 256> table{};
  std::uint32_t seed = 0x00100001;
  const auto half = [&seed] {
    seed = (seed * 125 + 3) % 0x2AAAAB;
    return seed & 0xFFFF;
  };
  for (std::size_t low = 0; low < 256; ++low) {
    for (std::size_t part = 0; part < 5; ++part) {
      const std::uint32_t high = half();
      table[part * 256 + low] = (high << 16) | half();
    }
  }
  return table;
}

constexpr auto table = make_table();
constexpr std::size_t decipher_table = 4 * 256;

constexpr unsigned char upper(char letter) noexcept {
  if (letter >= 'a' && letter <= 'z') return static_cast<unsigned char>(letter - 'a' + 'A');
  return letter == '/' ? static_cast<unsigned char>('\\') : static_cast<unsigned char>(letter);
}

}  // namespace

std::uint32_t hash_name(std::string_view name, mpq_hash purpose) noexcept {
  std::uint32_t hash = 0x7FED7FED;
  std::uint32_t seed = 0xEEEEEEEE;
  for (const char each : name) {
    const std::uint32_t letter = upper(each);
    hash = table[static_cast<std::uint32_t>(purpose) + letter] ^ (hash + seed);
    seed = letter + hash + seed + (seed << 5) + 3;
  }
  return hash;
}

void decipher(mutable_byte_span data, std::uint32_t key) noexcept {
  std::uint32_t seed = 0xEEEEEEEE;
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
    seed += table[decipher_table + (key & 0xFF)];
    const std::uint32_t plain = detail::load<std::endian::little, std::uint32_t>(&data[at]) ^ (key + seed);
    detail::store<std::endian::little>(&data[at], plain);
    key = ((~key << 21) + 0x11111111) | (key >> 11);
    seed = plain + seed + (seed << 5) + 3;
  }
}

}  // namespace tickreel::sc2
