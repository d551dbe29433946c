#include "tickreel/sc2replay/resumption.hpp"

#include <memory>

#include "tickreel/sc2replay/details.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/packed_fields.hpp"
#include "tickreel/sc2replay/players.hpp"

namespace tickreel::sc2replay {

namespace {

resumption read_resumption(const game_event& event) {
  resumption out;
  out.tick = event.tick;
  packed_reader body(event.bytes, event.offset);
  body.skip_bits(event.body_bit);
  const auto document = packed_fields::read(event.what->ops, body);
  if (!document) return out;
  const std::vector<layout_place> at = places(event.what->ops);
  for (const packed_field& field : document->fields()) {
    const auto op = static_cast<std::size_t>(field.op - event.what->ops.data());
    const std::string_view name = at[op].name;
    if (name == "game_user_id" && field.op->kind == layout_kind::number) {
      out.users.push_back({static_cast<std::uint8_t>(field.number), {}});
    }
    if (out.users.empty() || field.op->kind != layout_kind::blob) continue;
    person& here = out.users.back().by;
    if (name == "name") {
      split_name_result parts = split_name(std::string(as_text(field.bytes)));
      here.name = std::move(parts.name);
      if (here.clan_tag.empty()) here.clan_tag = std::move(parts.clan_tag);
    } else if (name == "toon_handle") {
      here.handle = as_text(field.bytes);
    } else if (name == "clan_tag" && !field.bytes.empty()) {
      here.clan_tag = as_text(field.bytes);
    }
  }
  return out;
}

}  // namespace

std::vector<resumption> find_resumptions(byte_span game_events, std::uint32_t base_build) {
  std::vector<resumption> out;
  if (base_build < first_base_build_with_users) return out;
  game_event_reader events(game_events, base_build);
  const auto event = std::make_unique<game_event>();
  for (auto more = events.next(*event); more && *more; more = events.next(*event)) {
    if (event->kind == game_event_kind::other && event->name() == "hijack_replay_game") {
      out.push_back(read_resumption(*event));
    }
  }
  return out;
}

}  // namespace tickreel::sc2replay
