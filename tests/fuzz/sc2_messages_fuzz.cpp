// Random bytes as messages of the build selected by the first byte: never out of bounds, always advancing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "tickreel/sc2replay/events_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  using namespace tickreel::sc2replay;
  if (size < 1) return 0;
  constexpr std::uint32_t builds[] = {13891, 15405, 21995, 34784, 100'000};
  const byte_span stream = std::as_bytes(std::span(data, size)).subspan(1);
  message_reader reader(stream, builds[data[0] % std::size(builds)]);
  std::string json;
  for (message said;;) {
    const std::uint64_t before = reader.offset();
    const auto more = reader.next(said);
    if (!more && more.error().offset > stream.size()) std::abort();
    if (!more || !*more) return 0;
    if (reader.offset() <= before || said.offset != before) std::abort();
    json.clear();
    append_json(said, json);
    if (json.size() < 2 || json.back() != '}') std::abort();
  }
}
