// What a match's metadata hold beside the members that every file has: JSON under keys of our own.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tickreel/icrep/metadata.hpp"

namespace tickreel::game {

// The JSON under a key; null when there is none.
[[nodiscard]] const std::string* fact_of(const icrep::metadata& facts, std::string_view key) noexcept;

// A member of such an object: where its number goes, and how large it may be.
struct fact_number {
  std::string_view name;
  std::uint64_t* number;
  std::uint64_t most = UINT64_MAX;
};
// False when the key is missing, or one of the members is not there, no number from 0 on, or too large; some
// numbers may be set by then. Members beside these do not matter.
[[nodiscard]] bool read_numbers(const icrep::metadata& facts, std::string_view key,
                                std::initializer_list<fact_number> wanted);

}  // namespace tickreel::game
