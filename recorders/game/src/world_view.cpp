#include "tickreel/game/world_view.hpp"

namespace tickreel::game {

std::string_view world_view::archetype(const icrep::entity_snapshot& entity) const noexcept {
  const auto& texts = state_->core.intern_table;
  return entity.archetype < texts.size() ? std::string_view(texts[entity.archetype]) : std::string_view();
}

byte_span world_view::component(const icrep::entity_snapshot& entity, std::uint32_t slot) const noexcept {
  icrep::slot_spans spans;
  if (slot >= spans.size() || !slots_->split_components(entity.component_mask, entity.components, spans)) {
    return {};
  }
  return spans[slot];
}

byte_span world_view::player_field(const icrep::player_state& player, std::uint32_t slot) const noexcept {
  icrep::slot_spans spans;
  if (slot >= spans.size() || !slots_->split_player_fields(player.field_mask, player.player_fields, spans)) {
    return {};
  }
  return spans[slot];
}

byte_span world_view::singleton(std::uint32_t slot) const noexcept {
  icrep::slot_spans spans;
  if (slot == 0 || slot >= spans.size() || state_->core.entities.empty()) return {};
  const icrep::entity_snapshot& last = state_->core.entities.back();
  if (last.entity != icrep::world_tag || !slots_->split_world(last.component_mask, last.components, spans)) {
    return {};
  }
  return spans[slot];
}

}  // namespace tickreel::game
