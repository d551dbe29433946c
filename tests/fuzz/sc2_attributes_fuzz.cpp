// replay.attributes.events: random bytes, as both layouts; a parsed member is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/sc2replay/attributes.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const std::uint32_t base_build : {16561u, 80949u}) {
    const auto attributes = sc2replay::read_attributes(std::as_bytes(std::span(data, size)), base_build);
    if (!attributes) continue;
    const auto bytes = sc2replay::write_attributes(*attributes, base_build);
    if (!bytes) std::abort();
    const auto again = sc2replay::read_attributes(*bytes, base_build);
    if (!again || *again != *attributes) std::abort();
  }
  return 0;
}
