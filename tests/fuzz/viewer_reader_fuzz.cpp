// Random bytes as a recording that a page opens, with every request that the page can make.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tickreel/text/json.hpp"
#include "tickreel/viewer/reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tickreel::text::is_json;
  tickreel::viewer::reader reader;
  std::byte* const place = reader.room(size);
  if (place == nullptr) std::abort();
  if (size != 0) std::memcpy(place, data, size);
  if (!is_json(reader.open())) std::abort();
  for (const std::uint64_t tick : {0u, 7u, 2u}) {
    if (const std::string& answer = reader.state(tick); !answer.empty() && !is_json(answer)) std::abort();
  }
  (void)reader.range(0, 20);
  (void)reader.events();
  if (!is_json(reader.fields()) || !is_json(reader.overview(20)) || !is_json(reader.positions(20)) ||
      !is_json(reader.series("session.disc.position[1]", 20)) || !is_json(reader.lost())) {
    std::abort();
  }
  return 0;
}
