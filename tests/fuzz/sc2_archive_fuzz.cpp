// A whole .SC2Replay file from any bytes, with limits as for somebody else's files.
#include <cstddef>
#include <cstdint>
#include <span>

#include "tickreel/sc2/checksums.hpp"
#include "tickreel/sc2/replay.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sc2::archive_limits limits = {1u << 20, 1u << 20, 4u << 20};
  const auto archive = sc2::archive::open(std::as_bytes(std::span(data, size)), limits);
  if (!archive) return 0;
  (void)sc2::read_checksums(*archive);
  for (const sc2::member& each : archive->members()) (void)archive->read(each.name);
  (void)sc2::replay::open(*archive);
  return 0;
}
