// Random bytes as tracker events, old or new by the first byte: never out of bounds, always advancing, and every access to a
// parsed event works.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "tickreel/sc2replay/analysis_bridge.hpp"
#include "tickreel/sc2replay/events_json.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::sc2replay;

void look_at(const tracker_event& event) {
  unit_born born;
  (void)read_unit_born(event, born);
  unit_done done;
  (void)read_unit_done(event, done);
  unit_died died;
  (void)read_unit_died(event, died);
  unit_owner_change owner;
  (void)read_unit_owner_change(event, owner);
  unit_type_change type;
  (void)read_unit_type_change(event, type);
  upgrade bought;
  (void)read_upgrade(event, bought);
  player_setup setup;
  (void)read_player_setup(event, setup);
  player_stats stats;
  (void)read_player_stats(event, stats);
  unit_positions places(event);
  for (indexed_place place; places.next(place);) {}
  std::string json;
  append_json(event, json);
  if (json.size() < 2 || json.back() != '}') std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::uint32_t build = (data[0] & 1) != 0 ? 24944 : 80949;
  const byte_span stream = std::as_bytes(std::span(data, size)).subspan(1);
  tracker_event event;
  tracker_event_reader reader(stream, build);
  for (;;) {
    const std::uint64_t before = reader.offset();
    const auto more = reader.next(event);
    if (!more && more.error().offset > stream.size()) std::abort();
    if (!more || !*more) break;
    if (reader.offset() <= before || event.offset != before) std::abort();
    look_at(event);
  }
  analysis_bridge bridge({build, 1000, {}, {}, stream, {}});
  for (bridged item; bridge.next(item);) {
    if (item.event != nullptr) (void)analysis::tick_of(*item.event);
  }
  return 0;
}
