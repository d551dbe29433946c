// MapInfo and Minimap.tga of a map: the first byte says how many bytes are of the first one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/sc2replay/map_ground.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto all = std::as_bytes(std::span(data + 1, size - 1));
  const std::size_t first = std::min<std::size_t>(data[0], all.size());
  const auto ground = sc2replay::read_map_ground(all.first(first), all.subspan(first));
  if (ground && ground->pixels.size() != std::size_t{ground->width} * ground->height * 3) std::abort();
  return 0;
}
