// The hash and the cipher of MPQ archives, for looking into their tables.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"

namespace tickreel::sc2 {

// What a name is hashed for.
enum class mpq_hash : std::uint32_t { table_row = 0, name_a = 0x100, name_b = 0x200, cipher_key = 0x300 };

// Upper and lower case are one, and so are both slashes.
[[nodiscard]] std::uint32_t hash_name(std::string_view name, mpq_hash purpose) noexcept;

// In place; a rest of fewer than 4 bytes is not enciphered.
void decipher(mutable_byte_span data, std::uint32_t key) noexcept;

}  // namespace tickreel::sc2
