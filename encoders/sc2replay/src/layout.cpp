#include "tickreel/sc2replay/layout.hpp"

#include <algorithm>

#include "tickreel/sc2replay/game_event.hpp"

namespace tickreel::sc2replay {

namespace {

#include "layout_tables.inc"

static_assert(compiled_list_limit <= game_event::list_limit);

}  // namespace

std::span<const layout> layouts(layout_stream stream) noexcept {
  switch (stream) {
    case layout_stream::header:
      return compiled_header;
    case layout_stream::info:
      return compiled_info;
    case layout_stream::init_data:
      return compiled_init_data;
    case layout_stream::message:
      return compiled_message;
    case layout_stream::game:
      return compiled_game;
  }
  return {};
}

const layout* find_layout(layout_stream stream, std::uint8_t id, std::uint32_t base_build) noexcept {
  const auto all = layouts(stream);
  const auto found = std::ranges::find_if(all, [=](const layout& each) {
    return each.id == id && each.first_base_build <= base_build && base_build < each.end_base_build;
  });
  return found == all.end() ? nullptr : &*found;
}

std::string_view field_name(const layout_op& op) noexcept {
  return op.name < std::size(compiled_names) ? compiled_names[op.name] : std::string_view();
}

}  // namespace tickreel::sc2replay
