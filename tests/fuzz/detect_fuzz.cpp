// Any bytes as the head of a file: the formats' claims must not read past them nor take long.
#include <cstddef>
#include <cstdint>
#include <span>

#include "tickreel/recording/format.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tickreel::byte_span head = std::as_bytes(std::span(data, size));
  (void)tickreel::recording::detect(tickreel::recording::probe{head, size});
  // As the beginning of a longer file.
  (void)tickreel::recording::detect(tickreel::recording::probe{head, size * 3 + 1});
  return 0;
}
