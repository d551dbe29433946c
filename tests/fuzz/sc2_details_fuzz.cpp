// replay.details: random bytes; a parsed member is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/sc2replay/rewrite.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span input = std::as_bytes(std::span(data, size));
  const auto details = sc2replay::read_details(input);
  if (!details) return 0;
  const auto again = sc2replay::read_details(sc2replay::write_details(*details));
  if (!again || *again != *details) std::abort();
  (void)sc2replay::rewrite_details(input, [](std::size_t, const sc2replay::details_player& old) {
    (void)sc2replay::split_name(old.name);
    return std::optional<sc2replay::player_identity>({"x", 1});
  });
  return 0;
}
