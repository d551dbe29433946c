// Ways to damage the bytes of a file of any format: each cut, each flipped bit, two files in one, false numbers. No knowledge of a
// format is needed for the last: a number may begin at every byte, so each length and each offset of the format is among them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::test {

enum class damage_kind : std::uint8_t { cut, flip, splice, number };
inline constexpr std::size_t damage_kinds = 4;

enum class number_form : std::uint8_t { little, big, leb128, prefix };
inline constexpr const char* number_form_names[] = {"little-endian", "big-endian", "LEB128", "prefix varint"};

struct byte_damage {
  damage_kind kind = damage_kind::cut;
  std::size_t at = 0;       // the first byte that differs; of a flip the bit
  std::size_t other = 0;    // of a splice, the place in the other file that follows
  std::size_t width = 0;    // of a number, the bytes that it replaces
  std::uint64_t value = 0;  // of a number
  number_form form = number_form::little;

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
    return "the " + std::to_string(width) + " bytes at " + place + " are " + std::to_string(value) + ", " +
           number_form_names[static_cast<std::size_t>(form)];
  }
};

// The bytes of a number. Varints may have another width than the number that they replace.
[[nodiscard]] inline byte_vector bytes_of_number(const byte_damage& damage) {
  if (damage.form >= number_form::leb128) {
    byte_vector room(leb128_max_size);
    byte_writer to(room);
    if (damage.form == number_form::leb128) {
      write_leb128(to, damage.value);
    } else {
      write_prefix_varint(to, damage.value);
    }
    return {to.written().begin(), to.written().end()};
  }
  byte_vector out(damage.width);
  for (std::size_t byte = 0; byte < damage.width; ++byte)
    out[byte] = static_cast<std::byte>(damage.value >> 8 * byte & 0xFF);
  if (damage.form == number_form::big) std::ranges::reverse(out);
  return out;
}

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
    case damage_kind::number: {
      const byte_vector number = bytes_of_number(damage);
      const auto from = out.begin() + static_cast<std::ptrdiff_t>(damage.at);
      const auto rest = out.erase(from, from + static_cast<std::ptrdiff_t>(damage.width));
      out.insert(rest, number.begin(), number.end());
    }
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

struct stated_number {
  std::uint64_t value = 0;
  std::size_t width = 0;  // in bytes
};
// The number that may begin there in that form; nothing if none does. `width`: of a varint any.
inline std::optional<stated_number> number_at(byte_span from, number_form form, std::size_t width) {
  byte_reader in(from);
  std::uint64_t value = 0;
  if (form == number_form::leb128) {
    value = read_leb128(in);
  } else if (form == number_form::prefix) {
    value = read_prefix_varint(in);
  } else {
    const byte_span bytes = in.bytes(width);
    for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
      const std::size_t next = form == number_form::big ? byte : bytes.size() - 1 - byte;
      value = value << 8 | std::to_integer<std::uint64_t>(bytes[next]);
    }
  }
  if (!in.ok()) return std::nullopt;
  return stated_number{value, in.position()};
}

// At each byte, for each form and size of a number: none, one more and one less, as many as bytes are left and as the file has,
// the largest of both signs. Each change of the bytes is there once.
inline std::vector<byte_damage> every_number(byte_span file) {
  struct form_of_width {
    number_form form;
    std::size_t width;
  };
  constexpr form_of_width forms[] = {
      {number_form::little, 1}, {number_form::little, 2}, {number_form::little, 4},
      {number_form::little, 8}, {number_form::big, 2},    {number_form::big, 4},
      {number_form::big, 8},    {number_form::leb128, 0}, {number_form::prefix, 0}};
  std::vector<byte_damage> all;
  for (std::size_t at = 0; at < file.size(); ++at) {
    const std::size_t left = file.size() - at;
    const byte_span window = file.subspan(at, std::min(leb128_max_size, left));
    std::set<byte_vector> known{byte_vector(window.begin(), window.end())};
    for (const auto& [form, width] : forms) {
      const auto stated = number_at(window, form, width);
      if (!stated) continue;
      const std::uint64_t largest = ~std::uint64_t{0} >> (width == 0 ? 0 : 64 - 8 * width);
      for (const std::uint64_t value :
           {std::uint64_t{0}, stated->value - 1, stated->value + 1, std::uint64_t{left},
            std::uint64_t{left} + 1, std::uint64_t{file.size()}, largest >> 1, largest}) {
        byte_damage damage{damage_kind::number, 0, 0, stated->width, value & largest, form};
        const bool is_new = known.insert(apply(damage, window, {})).second;
        damage.at = at;
        if (is_new) all.push_back(damage);
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
