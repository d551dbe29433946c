// Runs a coder over a plan. Included twice: with the coder in the processor's instructions and with the one in plain C++; see
// coder_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "residuals.hpp"

namespace tickreel::test {

// Encodes by the plan: numbers of all sizes, bits and raw bits, each with adaptive models. A decoder fills in the values.
template <class Coder>
void code_plan(Coder& coder, std::vector<std::uint64_t>& values) {
  using namespace tickreel::tracks;
  auto numbers = std::make_unique<number_model>();
  symbol_model nibbles = numbers->high;
  bit_model bit;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t& value = values[i];
    switch (i % 4) {
      case 0:
        numbers->code(coder, value);
        break;
      case 1:
        value = code_symbol(coder, nibbles, static_cast<unsigned>(value & 15));
        break;
      case 2: {
        const bool truth = coder.bit(bit, (value & 1) != 0);
        value = truth ? 1 : 0;
        break;
      }
      default:
        code_even(coder, value, static_cast<unsigned>(i % 64) + 1);
    }
  }
}

inline std::vector<std::byte> encoded(std::vector<std::uint64_t> values) {
  std::vector<std::byte> room(values.size() * 16 + 64);
  tickreel::tracks::range_encoder coder(room);
  code_plan(coder, values);
  room.resize(coder.finish());
  return room;
}

// Decodes arbitrary bytes.
inline std::vector<std::uint64_t> decoded(const std::vector<std::byte>& bytes, std::size_t count) {
  std::vector<std::uint64_t> values(count);
  tickreel::tracks::range_decoder coder(bytes);
  code_plan(coder, values);
  return values;
}

}  // namespace tickreel::test
