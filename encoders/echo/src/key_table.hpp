// A table of the possible keys of a JSON object, with a perfect hash computed at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tickreel::echo {

template <class Handler>
struct key_entry {
  std::string_view key;
  Handler handler;
};

template <class Handler, std::size_t Count>
class key_table {
 public:
  static constexpr std::size_t size = Count;

  // Does not compile if two keys are equal.
  consteval explicit key_table(const key_entry<Handler> (&entries)[Count]) {
    for (std::size_t i = 0; i < Count; ++i) entries_[i] = entries[i];
    while (!fill()) factor_ = factor_ * 6364136223846793005u + 2;  // stays odd
  }

  // Index of the key, or Count.
  [[nodiscard]] std::size_t find(std::string_view key) const noexcept {
    if (key.empty()) return Count;
    const std::size_t index = slots_[slot_of(key, factor_)];
    return index < Count && entries_[index].key == key ? index : Count;
  }

  [[nodiscard]] const key_entry<Handler>& operator[](std::size_t index) const noexcept {
    return entries_[index];
  }

 private:
  static_assert(Count > 0 && Count <= 64);
  static constexpr unsigned slot_bits = Count <= 8 ? 5 : Count <= 24 ? 7 : 9;
  static constexpr std::uint8_t no_entry = 0xff;

  // Five characters and the length distinguish the API's keys.
  static constexpr std::size_t slot_of(std::string_view key, std::uint64_t factor) noexcept {
    const std::size_t n = key.size();
    std::uint64_t mixed = n;
    for (const std::size_t at : {std::size_t{0}, n / 4, n / 2, n - 1 - n / 4, n - 1}) {
      mixed = mixed << 8 | static_cast<unsigned char>(key[at]);
    }
    return static_cast<std::size_t>(mixed * factor >> (64 - slot_bits));
  }

  constexpr bool fill() noexcept {
    for (auto& slot : slots_) slot = no_entry;
    for (std::size_t i = 0; i < Count; ++i) {
      std::uint8_t& slot = slots_[slot_of(entries_[i].key, factor_)];
      if (slot != no_entry) return false;
      slot = static_cast<std::uint8_t>(i);
    }
    return true;
  }

  std::array<key_entry<Handler>, Count> entries_{};
  std::array<std::uint8_t, std::size_t{1} << slot_bits> slots_{};
  std::uint64_t factor_ = 0x9e3779b97f4a7c15u;
};

}  // namespace tickreel::echo
