// Random bytes as a cache of either layout: a parsed cache is written back to the same bytes, converts to the other layout, and
// can be used.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/gamecache/convert.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/gamecache/store.hpp"

namespace {

using namespace tickreel;

void look(byte_span file, gamecache::layout as) {
  const auto found = gamecache::read(file, as, {.items = 5000});
  if (!found) return;
  const auto again = gamecache::write(*found, {.program_limits = false});
  if (!again) std::abort();
  if (!found->unfinished && as_text(*again) != as_text(file)) std::abort();
  for (const gamecache::item& each : found->items) (void)gamecache::to_utf8(each.name);

  using gamecache::layout;
  gamecache::conversion_losses lost;
  const auto other = gamecache::convert(*found, as == layout::flat ? layout::flagged : layout::flat, lost);
  const auto other_file = gamecache::write(other, {.program_limits = false});
  if (!other_file) std::abort();
  if (!gamecache::read(*other_file, other.layout, {.items = 5000, .string_bytes = 1u << 16})) std::abort();

  gamecache::store cache(*found, {.max_items = 4});
  if (found->items.empty()) return;
  if (!cache.find_path(found->items.back().path)) std::abort();
  if (cache.put(found->items.front()).index >= cache.all().items.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span file = std::as_bytes(std::span(data, size));
  (void)gamecache::detect(file);
  look(file, gamecache::layout::flagged);
  look(file, gamecache::layout::flat);
  return 0;
}
