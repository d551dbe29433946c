// The hash and the cipher of MPQ archives.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "tickreel/bytes/span.hpp"

namespace tickreel::mpq {

// The purpose of a name's hash.
enum class hash_use : std::uint32_t { table_row = 0, name_a = 0x100, name_b = 0x200, cipher_key = 0x300 };

// Case and the kind of slash do not matter.
[[nodiscard]] std::uint32_t hash_name(std::string_view name, hash_use purpose) noexcept;

// The identification of a name in the hash table, besides its row.
using hashed_name = std::pair<std::uint32_t, std::uint32_t>;
[[nodiscard]] inline hashed_name hashed(std::string_view name) noexcept {
  return {hash_name(name, hash_use::name_a), hash_name(name, hash_use::name_b)};
}

// In place; a remainder of fewer than 4 bytes is not encrypted.
void decipher(mutable_byte_span data, std::uint32_t key) noexcept;
void encipher(mutable_byte_span data, std::uint32_t key) noexcept;

}  // namespace tickreel::mpq
