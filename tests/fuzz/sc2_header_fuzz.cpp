// The front of a StarCraft II replay: random bytes; a parsed header is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/sc2replay/header.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span input = std::as_bytes(std::span(data, size));
  (void)mpq::read_prefix(input);
  const auto header = sc2replay::read_header(input);
  if (!header) return 0;
  const auto bytes = sc2replay::write_header(*header);
  if (!bytes) std::abort();
  const auto again = sc2replay::read_header(*bytes);
  if (!again || *again != *header) std::abort();
  return 0;
}
