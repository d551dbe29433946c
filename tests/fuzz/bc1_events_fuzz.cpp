// Random bytes as an analysis event, a voice record and an order frame: parsed values are written back byte for byte.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  const byte_span bytes = std::as_bytes(std::span(data, size));
  byte_vector again;
  if (const auto event = icrep::read_event(bytes); event && *event) {
    icrep::append_event(again, **event);
    if (!std::ranges::equal(again, bytes)) std::abort();
    std::string json;
    analysis::append_json(**event, json);
    (void)analysis::concerns(**event, 1);
  }
  if (const auto said = icrep::read_voice(bytes)) {
    again.clear();
    icrep::append_voice(again, *said);
    if (!std::ranges::equal(again, bytes)) std::abort();
  }
  if (const auto frame = icrep::read_bc1<icrep::tick_frame>(bytes)) {
    again.clear();
    icrep::append_bc1(again, *frame);
    if (!std::ranges::equal(again, bytes)) std::abort();
  }
  return 0;
}
