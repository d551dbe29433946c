// A table of the possible keys of a JSON object, with a perfect hash computed at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tickreel::echo {

// Longer than every key of the API, and shorter than the padding of a text of simdjson.
inline constexpr std::size_t max_key_bytes = 31;

// Whether `text` begins with `key` and a quote. A call of memcmp would cost more than the comparison. It may read
// max_key_bytes + 1 of the text.
inline bool is_quoted_key(const char* text, std::string_view key) noexcept {
  const auto same = [&]<class Word>(Word, std::size_t at) {
    Word left, right;
    std::memcpy(&left, text + at, sizeof left);
    std::memcpy(&right, key.data() + at, sizeof right);
    return left == right;
  };
  const std::size_t n = key.size();
  if (text[n] != '"') return false;
  if (n < 8) {
    if (n >= 4) return same(std::uint32_t{}, 0) && same(std::uint32_t{}, n - 4);
    return n >= 2 && same(std::uint16_t{}, 0) && same(std::uint16_t{}, n - 2);
  }
  for (std::size_t at = 0; at + 8 < n; at += 8) {
    if (!same(std::uint64_t{}, at)) return false;
  }
  return same(std::uint64_t{}, n - 8);
}

template <class Handler>
struct key_entry {
  std::string_view key;
  Handler handler;
};

// The part of a table that does not depend on the type of its handlers.
struct known_keys {
  const std::string_view* keys;
  std::size_t count;
  const std::uint8_t* slots;
  unsigned slot_bits;
  std::uint64_t factor;

  // Five characters and the length distinguish the API's keys.
  static constexpr std::size_t slot_of(std::string_view key, std::uint64_t factor,
                                       unsigned slot_bits) noexcept {
    const std::size_t n = key.size();
    std::uint64_t mixed = n;
    for (const std::size_t at : {std::size_t{0}, n / 4, n / 2, n - 1 - n / 4, n - 1}) {
      mixed = mixed << 8 | static_cast<unsigned char>(key[at]);
    }
    return static_cast<std::size_t>(mixed * factor >> (64 - slot_bits));
  }

  // Index of the key, or `count`.
  [[nodiscard]] std::size_t find(std::string_view key) const noexcept {
    if (key.empty()) return count;
    const std::size_t index = slots[slot_of(key, factor, slot_bits)];
    return index < count && keys[index] == key ? index : count;
  }
  // The same for entry `next` or the one after it, as `text` before a quote. The game writes the members of an object
  // in one order, some of them not always.
  [[nodiscard]] std::size_t guess(const char* text, std::size_t next) const noexcept {
    for (const std::size_t end = next + 2; next < end && next < count; ++next) {
      if (is_quoted_key(text, keys[next])) return next;
    }
    return count;
  }
};

// A lookup is fastest if the entries are in the order of the game.
template <class Handler, std::size_t Count>
class key_table {
 public:
  static constexpr std::size_t size = Count;

  // Does not compile if two keys are equal, or if one is too long.
  consteval explicit key_table(const key_entry<Handler> (&entries)[Count]) {
    for (std::size_t i = 0; i < Count; ++i) {
      if (entries[i].key.size() > max_key_bytes) std::abort();
      keys_[i] = entries[i].key;
      handlers_[i] = entries[i].handler;
    }
    while (!fill()) factor_ = factor_ * 6364136223846793005u + 2;  // stays odd
  }

  [[nodiscard]] known_keys keys() const noexcept {
    return {keys_.data(), Count, slots_.data(), slot_bits, factor_};
  }
  [[nodiscard]] std::string_view key(std::size_t index) const noexcept { return keys_[index]; }
  [[nodiscard]] Handler handler(std::size_t index) const noexcept { return handlers_[index]; }

 private:
  static_assert(Count > 0 && Count <= 64);
  static constexpr unsigned slot_bits = Count <= 8 ? 5 : Count <= 24 ? 7 : 9;
  static constexpr std::uint8_t no_entry = 0xff;

  constexpr bool fill() noexcept {
    for (auto& slot : slots_) slot = no_entry;
    for (std::size_t i = 0; i < Count; ++i) {
      std::uint8_t& slot = slots_[known_keys::slot_of(keys_[i], factor_, slot_bits)];
      if (slot != no_entry) return false;
      slot = static_cast<std::uint8_t>(i);
    }
    return true;
  }

  std::array<std::string_view, Count> keys_{};
  std::array<Handler, Count> handlers_{};
  std::array<std::uint8_t, std::size_t{1} << slot_bits> slots_{};
  std::uint64_t factor_ = 0x9e3779b97f4a7c15u;
};

}  // namespace tickreel::echo
