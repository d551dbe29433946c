// Random bytes, read as every kind of variable-length integer and as bit fields: never out of bounds, and a parsed value is
// written back with the same meaning.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tickreel/bytes/bits.hpp"
#include "tickreel/bytes/varint.hpp"

using namespace tickreel;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

template <class Read, class Write>
void numbers(byte_span input, std::size_t max_size, Read read, Write write) {
  byte_reader in(input);
  while (in.ok() && !in.at_end()) {
    const std::size_t before = in.position();
    const auto value = read(in);
    if (!in.ok()) {
      check(value == 0 && in.position() == before);
      return;
    }
    const std::size_t size = in.position() - before;
    check(size >= 1 && size <= max_size);
    std::array<std::byte, 16> room{};
    byte_writer out(room);
    write(out, value);
    check(out.ok() && out.size() <= size);
    byte_reader again(out.written());
    check(read(again) == value && again.ok() && again.at_end());
  }
}

// The input's own bytes define the widths of the fields.
template <bit_order Order>
void fields(byte_span input) {
  bit_reader<Order> in(input);
  byte_vector room(input.size());
  bit_writer<Order> out(room);
  for (std::size_t i = 0; in.ok() && i < 8 * input.size(); ++i) {
    const auto what = std::to_integer<unsigned>(input[i % input.size()]);
    if (what >= 250) {
      in.align();
      out.align();
      continue;
    }
    const unsigned count = 1 + what % 64;
    const std::uint64_t value = in.bits(count);
    if (!in.ok()) break;
    check(count == 64 || value >> count == 0);
    out.bits(value, count);
    check(out.ok() && out.bit_position() == in.bit_position());
    bit_reader<Order> again(out.written());
    again.skip_bits(out.bit_position() - count);
    check(again.bits(count) == value && again.ok());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span input = std::as_bytes(std::span(data, size));
  numbers(input, leb128_max_size, read_leb128, write_leb128);
  numbers(input, prefix_varint_max_size, read_prefix_varint, write_prefix_varint);
  numbers(input, sc2_integer_max_size, read_sc2_integer, write_sc2_integer);
  fields<bit_order::low_first>(input);
  fields<bit_order::high_first>(input);
  return 0;
}
