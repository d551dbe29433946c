// Mutates fields of Protocol Buffers, and writes the lengths of the messages around them again.
#pragma once

#include <vector>

#include "mutator.hpp"
#include "tickreel/tape/wire.hpp"

namespace tickreel::fuzz {

struct message_field {
  tape::wire_field what;
  byte_vector bytes;
};

inline byte_vector to_bytes(const std::vector<message_field>& fields) {
  byte_vector out;
  tape::message_writer to(out);
  for (const message_field& each : fields) {
    switch (each.what.type) {
      case tape::wire_type::varint:
        to.whole_present(each.what.number, each.what.value);
        break;
      case tape::wire_type::four_bytes:
        to.real32(each.what.number, std::bit_cast<float>(static_cast<std::uint32_t>(each.what.value)));
        break;
      case tape::wire_type::eight_bytes:
        to.real64(each.what.number, std::bit_cast<double>(each.what.value));
        break;
      case tape::wire_type::bytes:
        to.bytes_present(each.what.number, each.bytes);
        break;
    }
  }
  return out;
}

inline void mutate_value(message_field& of, random_source& random) {
  constexpr std::uint64_t odd_numbers[] = {0,
                                           1,
                                           63,
                                           127,
                                           128,
                                           255,
                                           0x7FFFFFFF,
                                           0x80000000,
                                           0xFFFFFFFF,
                                           0x7F800000,
                                           0x7FC00000,
                                           0x7FF0000000000000,
                                           ~std::uint64_t{0},
                                           1ull << 63};
  if (below(random, 2) == 0) {
    of.what.value = odd_numbers[below(random, std::size(odd_numbers))];
    return;
  }
  byte_vector raw(sizeof(of.what.value));
  detail::store<std::endian::little>(raw.data(), of.what.value);
  mutate_bytes(raw);
  raw.resize(sizeof(of.what.value));
  of.what.value = detail::load<std::endian::little, std::uint64_t>(raw.data());
}

// Nothing for bytes that are no message.
inline std::optional<byte_vector> mutate_message(byte_span message, random_source& random, int depth = 0) {
  constexpr int deepest = 8;
  std::vector<message_field> fields;
  tape::wire_field next;
  tape::field_reader from(message);
  while (from.next(next)) fields.push_back({next, {next.bytes.begin(), next.bytes.end()}});
  if (!from.ok() || fields.empty() || depth > deepest) return std::nullopt;
  message_field& one = fields[below(random, fields.size())];
  const auto place = fields.begin() + static_cast<std::ptrdiff_t>(below(random, fields.size()));
  switch (below(random, 16)) {
    case 0:
      fields.erase(place);
      break;
    case 1: {
      const message_field copy = one;
      fields.insert(place, copy);
      break;
    }
    case 2:
      std::swap(one, *place);
      break;
    case 3:
      one.what.number = 1 + static_cast<std::uint32_t>(below(random, 40));
      break;
    case 4:
      one.what.type = place->what.type;
      break;
    default:
      if (one.what.type != tape::wire_type::bytes) {
        mutate_value(one, random);
      } else if (auto inside = mutate_message(one.bytes, random, depth + 1)) {
        one.bytes = std::move(*inside);
      } else {
        mutate_bytes(one.bytes);
      }
  }
  return to_bytes(fields);
}

}  // namespace tickreel::fuzz
