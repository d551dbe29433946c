// Random bytes as a column of the index: never out of bounds, and a column that is complete is written back with the same values.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "packed_column.hpp"

using namespace tickreel;

namespace {

std::vector<query::value> values_of(byte_span bytes, bool& is_complete) {
  query::column_unpacker from(bytes);
  std::vector<query::value> out;
  query::value each;
  while (from.next(each)) out.push_back(each);
  is_complete = from.is_complete();
  return out;
}

// Also of NaN, which equals no number.
bool are_equal(const query::value& a, const query::value& b) {
  const auto* const first = std::get_if<double>(&a);
  const auto* const second = std::get_if<double>(&b);
  if (first == nullptr || second == nullptr) return a == b;
  return std::bit_cast<std::uint64_t>(*first) == std::bit_cast<std::uint64_t>(*second) ||
         (*first != *first && *second != *second);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bool is_complete = false;
  const auto values = values_of(std::as_bytes(std::span(data, size)), is_complete);
  if (values.size() > size) std::abort();
  if (!is_complete) return 0;
  query::column_packer to;
  for (const query::value& each : values) to.add(each);
  byte_vector packed;
  to.append_to(packed);
  const auto again = values_of(packed, is_complete);
  if (!is_complete || again.size() != values.size()) std::abort();
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (!are_equal(again[at], values[at])) std::abort();
  }
  return 0;
}
