// Component bytes: a parsed component is written to the same bytes, except the unused bytes after texts and in empty optionals.
#include <cstdlib>

#include "tickreel/describe/component.hpp"

namespace {

enum class colour : std::uint8_t { red, green };
struct inner {
  std::int32_t x = 0;
  std::optional<std::uint16_t> maybe;
};
TICKREEL_DESCRIBE(inner, x, maybe);
struct outer {
  colour paint = colour::red;
  bool on = false;
  inner parts[2];
  tickreel::short_text<8> label;
  tickreel::fixed_value<10> size;
};
TICKREEL_DESCRIBE(outer, paint, on, parts, label, size);

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  const auto value = tickreel::read_component<outer>(input);
  if (!value) return 0;
  if (size != tickreel::component_size<outer>) std::abort();
  const auto bytes = tickreel::to_component_bytes(*value);
  const auto again = tickreel::read_component<outer>(bytes);
  if (!again || tickreel::to_component_bytes(*again) != bytes) std::abort();
  return 0;
}
