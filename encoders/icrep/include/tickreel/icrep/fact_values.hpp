// Entries of a match's metadata under our own keys: texts, and JSON objects with numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tickreel/icrep/metadata.hpp"

namespace tickreel::icrep {

// The JSON under a key; null if there is none.
[[nodiscard]] const std::string* fact_of(const metadata& facts, std::string_view key) noexcept;

// The text under a key; empty if there is none.
[[nodiscard]] std::string read_text(const metadata& facts, std::string_view key);

// A member of an object: the destination of its number, and its largest valid value.
struct fact_number {
  std::string_view name;
  std::uint64_t* number;
  std::uint64_t most = UINT64_MAX;
};
// False if the key or a member is missing, negative, not a number, or too large; some numbers may be set by
// then. Other members are ignored.
[[nodiscard]] bool read_numbers(const metadata& facts, std::string_view key,
                                std::initializer_list<fact_number> wanted);

}  // namespace tickreel::icrep
