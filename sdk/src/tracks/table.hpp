// Texts of a column: the distinct ones in the order of their first rows, each without trailing zeros and
// without the prefix that it shares with the one before. Shared by both directions, like residuals.hpp.
#pragma once

#include <cstring>

#include "recipe.hpp"

namespace tickreel::tracks {

[[nodiscard]] inline std::size_t size_without_zeros(const std::byte* text, std::size_t size) noexcept {
  while (size >= 8) {
    std::uint64_t last = 0;
    std::memcpy(&last, text + size - 8, 8);
    if (last != 0) break;
    size -= 8;
  }
  while (size > 0 && text[size - 1] == std::byte{0}) --size;
  return size;
}

// `entry` has `size` bytes, `before` as many or is null. False for values that no writer writes.
template <class Coder, class Byte>
[[nodiscard]] bool code_text(Coder& coder, group_models& models, Byte* entry, const std::byte* before,
                             std::size_t size) noexcept {
  std::size_t same = 0;
  std::size_t own = 0;
  if constexpr (!Coder::decodes) {
    const std::size_t length = size_without_zeros(entry, size);
    if (before != nullptr)
      while (same < length && entry[same] == before[same]) ++same;
    own = length - same;
  }
  // The decoded value may exceed a size.
  std::uint64_t coded_same = same;
  std::uint64_t coded_own = own;
  if (before != nullptr) models.text_size.get(start_number_model).code(coder, coded_same);
  models.text_size.get(start_number_model).code(coder, coded_own);
  if (coded_same > size || coded_own > size - coded_same) return false;
  same = static_cast<std::size_t>(coded_same);
  own = static_cast<std::size_t>(coded_own);
  if constexpr (Coder::decodes) {
    if (same != 0) std::memcpy(entry, before, same);
    std::memset(entry + same, 0, size - same);
  }
  for (std::size_t i = same; i < same + own; ++i) {
    const unsigned byte =
        code_tree(coder, models.text_byte.get(start_text_bytes), std::to_integer<unsigned>(entry[i]));
    if constexpr (Coder::decodes) entry[i] = static_cast<std::byte>(byte);
  }
  return true;
}

}  // namespace tickreel::tracks
