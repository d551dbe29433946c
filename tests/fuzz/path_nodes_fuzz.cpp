// Random bytes as a NODES*.DAT: reading ends, and its result can be written and read again.
#include <cstdlib>

#include "../encoders/gta_world/write_path_nodes.hpp"
#include "tickreel/gta_world/path_nodes.hpp"

using namespace tickreel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span file(reinterpret_cast<const std::byte*>(data), size);
  const auto read = gta_world::read_path_nodes(file);
  if (!read) return 0;
  for (const auto& each : read->nodes) {
    if (each.links() > 0 && each.first_link + each.links() > read->links.size()) std::abort();
  }
  if (!gta_world::read_path_nodes(test::write_path_nodes(*read))) std::abort();
  return 0;
}
