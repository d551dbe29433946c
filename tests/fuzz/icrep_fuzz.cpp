// Random bytes as an .icrep file, finished or live: every query of a reader, then recovery.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tickreel/icrep/reader.hpp"

namespace {

void read_all(tickreel::byte_span file, const tickreel::icrep::reader_options& options) {
  using namespace tickreel;
  const auto opened = icrep::reader::open(file, options);
  if (!opened) return;
  (void)opened->verify();
  for (const std::uint64_t tick : {std::uint64_t{0}, opened->total_ticks() / 2, opened->total_ticks()}) {
    const auto restored = opened->restore(tick);
    if (!restored) continue;
    if (restored->snapshot.core.tick + restored->tick_count != tick) std::abort();
    if (!icrep::validate(restored->snapshot.core)) std::abort();
  }
  icrep::event_cursor events = opened->events({1, 100, ~0u, 1});
  analysis::event happened;
  while (events.next(happened)) {
    if (analysis::tick_of(happened) < 1 || analysis::tick_of(happened) >= 100) std::abort();
  }
  (void)opened->embedded();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  const byte_span bytes = std::as_bytes(std::span(data, size));
  icrep::reader_options options;
  options.most.snapshot_bytes = 1u << 20;
  options.most.block_bytes = 1u << 18;
  options.schema = icrep::schema{{{0, "a", 16}, {1, "b", 8}, {2, "c", 0}}, {{0, "d", 4}}, {{1, "e", 2}}};
  options.spools = {bytes, bytes, bytes, bytes};
  read_all(bytes, options);

  const auto finished = icrep::finish_live({bytes, bytes, bytes, bytes}, options.most);
  if (!finished) return 0;
  // Readers accept the output of recovery.
  byte_vector file(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(finished->keep_bytes));
  file.insert(file.end(), finished->tail.begin(), finished->tail.end());
  for (std::size_t i = 0; i < finished->header.size(); ++i) file[i] = finished->header[i];
  if (!icrep::reader::open(file, options)) std::abort();
  return 0;
}
