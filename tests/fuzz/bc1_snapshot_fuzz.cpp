// Random bytes as a snapshot, and as a snapshot and a delta to it: parsed values are written back byte for byte, and a delta
// turns a valid state into a valid one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/icrep/delta.hpp"

namespace {

using namespace tickreel;

void try_delta(byte_span first, byte_span second) {
  auto state = icrep::read_snapshot(first);
  const auto delta = icrep::read_delta(second);
  if (!state || !delta) return;
  if (!std::ranges::equal(icrep::to_bytes(*delta), second)) std::abort();
  const auto slots =
      icrep::slot_table::create({{{0, "a", 16}, {1, "b", 8}, {2, "c", 0}}, {{0, "d", 4}}, {{1, "e", 2}}});
  const bool fitted = slots->validate(state->core).has_value();
  if (!icrep::apply(state->core, delta->core, *slots)) return;
  if (!icrep::validate(state->core) || (fitted && !slots->validate(state->core))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span bytes = std::as_bytes(std::span(data, size));
  if (const auto state = icrep::read_snapshot(bytes)) {
    if (!std::ranges::equal(icrep::to_bytes(*state), bytes)) std::abort();
    (void)icrep::core_hash(state->core);
  }
  // Two bytes give the end of the snapshot, where the delta begins.
  byte_reader in(bytes);
  const std::size_t border = in.u16();
  if (!in.ok() || border > in.remaining()) return 0;
  const byte_span rest = in.rest();
  try_delta(rest.first(border), rest.subspan(border));
  return 0;
}
