// Appends numbers to bytes.
#pragma once

#include <array>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel {

// Little-endian. Also for floating point.
template <class T>
void append_little(T value, byte_vector& out) {
  std::array<std::byte, sizeof(T)> room{};
  byte_writer(room).little(value);
  out.insert(out.end(), room.begin(), room.end());
}

inline void append_leb128(std::uint64_t value, byte_vector& out) {
  const std::size_t at = out.size();
  out.resize(at + leb128_size(value));
  byte_writer to(mutable_byte_span(out).subspan(at));
  write_leb128(to, value);
}

}  // namespace tickreel
