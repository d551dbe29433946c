// Random bytes as game events of the build selected by the first two bytes: never out of bounds, always advancing, and every
// typed and raw access to a parsed event works.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "tickreel/sc2replay/analysis_bridge.hpp"
#include "tickreel/sc2replay/events_json.hpp"
#include "tickreel/sc2replay/game_actions.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::sc2replay;

void look_at(const game_event& event) {
  command order;
  (void)read_command(event, order);
  command_target target;
  (void)read_command_target(event, target);
  selection_delta delta;
  if (read_selection_delta(event, delta)) {
    for (std::size_t i = 0; i < delta.subgroup_count(); ++i) (void)delta.subgroup_at(i);
    (void)delta.removed.picks(100);
  }
  control_group_update group;
  if (read_control_group_update(event, group)) (void)group.left_out.picks(selection_limit);
  camera_update camera;
  (void)read_camera_update(event, camera);
  std::int64_t number = 0;
  (void)event.number("sequence", number);
  std::string json;
  append_json(event, json);
  if (json.size() < 2 || json.back() != '}') std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto all = layouts(layout_stream::game);
  const std::uint32_t build = all[(data[0] | unsigned{data[1]} << 8) % all.size()].first_base_build;
  const byte_span stream = std::as_bytes(std::span(data, size)).subspan(2);
  const auto event = std::make_unique<game_event>();
  game_event_reader reader(stream, build);
  for (;;) {
    const std::uint64_t before = reader.offset();
    const auto more = reader.next(*event);
    if (!more && more.error().offset > stream.size()) std::abort();
    if (!more || !*more) break;
    if (reader.offset() <= before || event->offset != before) std::abort();
    look_at(*event);
  }
  player players[2];
  for (std::uint8_t i = 0; i < 2; ++i) {
    players[i].number = static_cast<std::uint8_t>(i + 1);
    players[i].event_user = i;
  }
  analysis_bridge bridge({build, 1000, stream, {}, {}, players});
  for (bridged item; bridge.next(item);) {
    if (item.event != nullptr) (void)analysis::tick_of(*item.event);
  }
  return 0;
}
