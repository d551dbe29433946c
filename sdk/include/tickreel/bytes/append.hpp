// Appends numbers to bytes.
#pragma once

#include <array>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel {

// Little-endian. Also for floating point.
template <class T>
void append_little(T value, byte_vector& out) {
  std::array<std::byte, sizeof(T)> room{};
  byte_writer(room).little(value);
  out.insert(out.end(), room.begin(), room.end());
}

}  // namespace tickreel
