// Random bytes as a .rec: reading ends with a valid result, which is written back to the same bytes.
#include <algorithm>
#include <cstdlib>

#include "tickreel/samp_rec/check.hpp"
#include "tickreel/samp_rec/edit.hpp"
#include "tickreel/samp_rec/playback.hpp"
#include "tickreel/samp_rec/vcmp.hpp"
#include "tickreel/samp_rec/writer.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::samp_rec;

template <class Block>
void use(const recording& read, byte_span file) {
  const std::span<const Block> blocks = read.blocks<Block>();
  const bool old = is_legacy(read.shape.layout);
  if (!old && read.report.blocks_left_out == 0) {
    const byte_vector again = to_bytes(blocks);
    const bool same = std::equal(again.begin() + 8, again.end(), file.begin() + read.shape.header_bytes);
    if (!same) std::abort();
  }
  const check_report report = check(read);
  for (const check_finding& each : report.findings) {
    if (describe(each).empty()) std::abort();
  }
  if (blocks.empty() || !std::is_sorted(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
        return a.time_ms < b.time_ms;
      })) {
    return;
  }
  if (blocks.back().time_ms - blocks.front().time_ms < 100'000) (void)resampled(blocks);
  (void)smoothed(blocks);
  (void)reversed(blocks);
  (void)join(blocks, blocks, {.blend_ms = 200});
  (void)simulate_playback(blocks, [](double) { return point_m{}; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const byte_span file = std::as_bytes(std::span(data, size));
  for (const strictness mode : {strictness::strict, strictness::lenient, strictness::as_is}) {
    const auto read = read_recording(file, {.mode = mode});
    if (!read) continue;
    if (mode != strictness::as_is) continue;
    if (read->kind == recording_kind::vehicle) use<vehicle_block>(*read, file);
    if (read->kind == recording_kind::on_foot) use<on_foot_block>(*read, file);
  }
  if (auto cursor = vcmp::packet_cursor::open(file)) {
    vcmp::packet packet;
    for (auto more = cursor->next(packet); more && *more; more = cursor->next(packet)) {}
  }
  return 0;
}
