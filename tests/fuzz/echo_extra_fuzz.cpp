// An arbitrary .extra.json, applied to ticks.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "tickreel/echo/extra.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  auto opened = echo::extra_reader::open({reinterpret_cast<const char*>(data), size});
  if (!opened) return 0;
  const auto tick = std::make_unique<echo::state>();
  for (std::uint64_t number = 0; number < 64; ++number) {
    if (!opened->apply(number, *tick)) break;
  }
  // Accepted values can be written and read again.
  echo::extra_writer again;
  again.see(*tick);
  const std::string text = again.file_text();
  if (!echo::extra_reader::open(text)) __builtin_trap();
  return 0;
}
