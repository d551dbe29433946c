// The different texts of a column, for the writer.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tickreel::tracks {

// Allocates only in the constructor.
class text_table {
 public:
  explicit text_table(std::size_t max_rows = 0) : rows_(max_rows), places_(std::bit_ceil(max_rows * 2)) {}

  // Numbers the text of each row by its first appearance, and returns how many there are. Texts of `size` bytes are `stride`
  // bytes apart; there is at least one.
  std::size_t find(const std::byte* first, std::size_t stride, std::size_t size, std::size_t count,
                   std::int64_t* numbers) noexcept {
    const auto text = [&](std::size_t row) { return first + row * stride; };
    const auto equal = [&](std::size_t a, std::size_t b) { return std::memcmp(text(a), text(b), size) == 0; };
    std::size_t distinct = 1;
    rows_[0] = 0;
    numbers[0] = 0;
    bool hashed = false;
    for (std::size_t row = 1; row < count; ++row) {
      if (equal(row, row - 1)) {
        numbers[row] = numbers[row - 1];
        continue;
      }
      if (!hashed) {
        hashed = true;
        std::fill(places_.begin(), places_.end(), 0u);
        places_[slot_of(text(0), size)] = 1;
      }
      std::size_t slot = slot_of(text(row), size);
      while (places_[slot] != 0 && !equal(row, rows_[places_[slot] - 1]))
        slot = (slot + 1) & (places_.size() - 1);
      if (places_[slot] == 0) {
        rows_[distinct++] = static_cast<std::uint32_t>(row);
        places_[slot] = static_cast<std::uint32_t>(distinct);
      }
      numbers[row] = places_[slot] - 1;
    }
    return distinct;
  }
  // The first row with the text of that number.
  [[nodiscard]] std::uint32_t row(std::size_t number) const noexcept { return rows_[number]; }

 private:
  [[nodiscard]] std::size_t slot_of(const std::byte* text, std::size_t size) const noexcept {
    // FNV-1a.
    std::uint64_t hash = 14695981039346656037u;
    for (std::size_t k = 0; k < size; ++k)
      hash = (hash ^ std::to_integer<std::uint64_t>(text[k])) * 1099511628211u;
    return static_cast<std::size_t>(hash ^ hash >> 32) & (places_.size() - 1);
  }

  std::vector<std::uint32_t> rows_;    // of the different texts
  std::vector<std::uint32_t> places_;  // a hash table of their numbers, plus one
};

}  // namespace tickreel::tracks
