// The hash and the cipher of MPQ archives.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "tickreel/bytes/span.hpp"

namespace tickreel::mpq {

// What a name is hashed for.
enum class hash_use : std::uint32_t { table_row = 0, name_a = 0x100, name_b = 0x200, cipher_key = 0x300 };

// Upper and lower case are one, and so are both slashes.
[[nodiscard]] std::uint32_t hash_name(std::string_view name, hash_use purpose) noexcept;

// What stands for a name in the hash table, beside its row.
using hashed_name = std::pair<std::uint32_t, std::uint32_t>;
[[nodiscard]] inline hashed_name hashed(std::string_view name) noexcept {
  return {hash_name(name, hash_use::name_a), hash_name(name, hash_use::name_b)};
}

// In place; a rest of fewer than 4 bytes is not enciphered.
void decipher(mutable_byte_span data, std::uint32_t key) noexcept;
void encipher(mutable_byte_span data, std::uint32_t key) noexcept;

}  // namespace tickreel::mpq
