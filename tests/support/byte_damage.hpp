// Ways to damage the bytes of a file of any format: each cut, each flipped bit, two files in one, false numbers. No knowledge of a
// format is needed for the last: a number may begin at every byte, so each length and each offset of the format is among them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"

namespace tickreel::test {

enum class damage_kind : std::uint8_t { cut, flip, splice, number };
inline constexpr std::size_t damage_kinds = 4;

struct byte_damage {
  damage_kind kind = damage_kind::cut;
  std::size_t at = 0;       // the first byte that differs; of a flip the bit
  std::size_t other = 0;    // of a splice, the place in the other file that follows
  unsigned width = 0;       // of a number, in bytes
  std::uint64_t value = 0;  // of a number

  [[nodiscard]] std::string text() const {
    const std::string place = std::to_string(at);
    switch (kind) {
      case damage_kind::cut:
        return "cut to " + place + " bytes";
      case damage_kind::flip:
        return "bit " + place + " flipped";
      case damage_kind::splice:
        return "from byte " + place + " on, another file from its byte " + std::to_string(other) + " on";
      case damage_kind::number:
        break;
    }
    return "the " + std::to_string(width) + " bytes at " + place + " are " + std::to_string(value);
  }
};

[[nodiscard]] inline byte_vector apply(const byte_damage& damage, byte_span file, byte_span other) {
  byte_vector out(file.begin(), file.end());
  switch (damage.kind) {
    case damage_kind::cut:
      out.resize(damage.at);
      break;
    case damage_kind::flip:
      out[damage.at / 8] ^= static_cast<std::byte>(1u << damage.at % 8);
      break;
    case damage_kind::splice: {
      const byte_span rest = other.subspan(damage.other);
      out.resize(damage.at);
      out.insert(out.end(), rest.begin(), rest.end());
      break;
    }
    case damage_kind::number:
      for (unsigned byte = 0; byte < damage.width; ++byte)
        out[damage.at + byte] = static_cast<std::byte>(damage.value >> 8 * byte & 0xFF);
  }
  return out;
}

inline std::vector<byte_damage> every_cut(byte_span file) {
  std::vector<byte_damage> all;
  for (std::size_t at = 0; at < file.size(); ++at) all.push_back({damage_kind::cut, at});
  return all;
}

inline std::vector<byte_damage> every_flip(byte_span file) {
  std::vector<byte_damage> all;
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) all.push_back({damage_kind::flip, bit});
  return all;
}

// At each byte: the same place of the other file follows, and any place of it.
inline std::vector<byte_damage> every_splice(byte_span file, byte_span other, std::mt19937_64& random) {
  std::vector<byte_damage> all;
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(file, other).in1 - file.begin());
  for (std::size_t at = 1; at < file.size(); ++at) {
    // Up to there it would be the other file.
    if (at > same && at < other.size()) all.push_back({damage_kind::splice, at, at});
    all.push_back({damage_kind::splice, at, random() % other.size()});
  }
  return all;
}

// At each byte, for each size of a number: none, one more and one less, as many as bytes are left and as the file has, the
// largest of both signs. In little-endian order, which all formats use. Each change of the bytes is there once.
inline std::vector<byte_damage> every_number(byte_span file) {
  std::vector<byte_damage> all;
  for (std::size_t at = 0; at < file.size(); ++at) {
    std::set<byte_vector> known;
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
      if (at + width > file.size()) break;
      std::uint64_t stated = 0;
      for (unsigned byte = width; byte-- > 0;)
        stated = stated << 8 | std::to_integer<std::uint64_t>(file[at + byte]);
      const std::uint64_t largest = ~std::uint64_t{0} >> (64 - 8 * width);
      const std::uint64_t left = file.size() - at;
      for (const std::uint64_t value : {std::uint64_t{0}, stated - 1, stated + 1, left, left + 1,
                                        std::uint64_t{file.size()}, largest >> 1, largest}) {
        const byte_damage damage{damage_kind::number, at, 0, width, value & largest};
        const std::size_t window = std::min<std::size_t>(8, file.size() - at);
        byte_vector made =
            apply({damage_kind::number, 0, 0, width, damage.value}, file.subspan(at, window), {});
        if (damage.value != stated && known.insert(std::move(made)).second) all.push_back(damage);
      }
    }
  }
  return all;
}

// A cut, a flip, or several bytes that are zeros, missing, surplus or random.
inline byte_vector damaged_at_random(byte_vector bytes, std::mt19937_64& random) {
  const std::size_t at = random() % bytes.size();
  const std::size_t most = random() % 2 == 0 ? 8 : 4096;
  const std::size_t count = std::min<std::size_t>(bytes.size() - at, 1 + random() % most);
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random() % 6) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      *begin ^= static_cast<std::byte>(1u << random() % 8);
      break;
    case 2:
      std::fill_n(begin, count, std::byte{0});
      break;
    case 3:
      bytes.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
      break;
    case 4:
      bytes.insert(begin, count, std::byte{0x5A});
      break;
    default:
      for (std::size_t each = 0; each < count; ++each)
        begin[static_cast<std::ptrdiff_t>(each)] = static_cast<std::byte>(random());
  }
  return bytes;
}

}  // namespace tickreel::test
