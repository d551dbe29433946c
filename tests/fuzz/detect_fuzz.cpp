// Random bytes as the head of a file: detection must neither read past them nor take long.
#include <cstddef>
#include <cstdint>
#include <span>

#include "tickreel/files/format.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tickreel::byte_span head = std::as_bytes(std::span(data, size));
  (void)tickreel::files::detect(tickreel::files::probe{head, size});
  // As the beginning of a longer file.
  (void)tickreel::files::detect(tickreel::files::probe{head, size * 3 + 1});
  return 0;
}
