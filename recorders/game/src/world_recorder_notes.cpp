#include <functional>

#include "tickreel/icrep/entry.hpp"
#include "world_recorder_state.hpp"

namespace tickreel::game {

namespace {

// Every full keyframe has all interned texts, each with a u64 length; most of its limit is for the world.
constexpr std::size_t max_text_bytes = 16u << 20;
constexpr std::size_t text_head_bytes = 8;
// Replaces texts beyond the limit.
constexpr std::string_view no_room_text = "\xEF\xBF\xBD";

}  // namespace

void world_recorder::entity(analysis::unit_tag tag, std::string_view archetype) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  if (self.refuse_value(tag != icrep::world_tag)) {
    self.entity_named = false;
    return;
  }
  const std::uint32_t id = archetype.empty() ? no_archetype : intern(archetype).id;
  self.notes.numbers(static_cast<std::uint8_t>(note::entity), tag.index, tag.generation, id);
  self.entity_named = true;
}

// This is most of the cost of a keyframe.
std::byte* world_recorder::component_room(std::uint32_t slot, std::size_t bytes) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return nullptr;
  if (self.refuse_value(self.entity_named && self.components.takes(slot, bytes))) return nullptr;
  constexpr std::size_t head_bytes = 6;
  std::byte* const to = self.notes.room(head_bytes + bytes);
  to[0] = static_cast<std::byte>(note::component);
  to[1] = static_cast<std::byte>(slot);
  detail::store<std::endian::little>(to + 2, static_cast<std::uint32_t>(bytes));
  return to + head_bytes;
}

void world_recorder::component(std::uint32_t slot, byte_span bytes) noexcept {
  std::byte* const to = component_room(slot, bytes.size());
  if (to != nullptr && !bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
}

void world_recorder::remove(analysis::unit_tag tag) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  self.put(note::remove);
  self.notes.numbers(tag.index, tag.generation);
  self.entity_named = false;
}

void world_recorder::player_field(std::uint32_t player, std::uint32_t slot, byte_span bytes) noexcept {
  state& self = *state_;
  if (!self.keyframe_open || self.refuse_value(self.player_fields.takes(slot, bytes.size()))) return;
  self.put(note::player);
  self.notes.numbers(player, static_cast<std::uint8_t>(slot));
  self.put_bytes(bytes);
}

void world_recorder::singleton(std::uint32_t slot, byte_span bytes) noexcept {
  state& self = *state_;
  if (!self.keyframe_open || self.refuse_value(self.singletons.takes(slot, bytes.size()))) return;
  self.put(note::singleton);
  self.notes.numbers(static_cast<std::uint8_t>(slot));
  self.put_bytes(bytes);
}

void world_recorder::generator(byte_span random_state) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  if (self.refuse_value(random_state.size() <= icrep::limits{}.snapshot_bytes)) return;
  self.put(note::generator);
  self.put_bytes(random_state);
}

void world_recorder::cell(icrep::cell_position at, std::string_view terrain, std::int32_t amount) noexcept {
  state& self = *state_;
  if (!self.keyframe_open) return;
  const std::uint32_t id = intern(terrain).id;
  self.put(note::cell);
  self.notes.numbers(at.x, at.y, at.z, id, amount);
}

interned_text world_recorder::intern(std::string_view text) noexcept {
  state& self = *state_;
  const std::size_t place = std::hash<const char*>{}(text.data()) / 4 % self.recent_texts.size();
  std::uint32_t& recent = self.recent_texts[place];
  if (recent != no_archetype && self.text_list[recent] == text) return {recent};
  if (const auto known = self.texts.find(text); known != self.texts.end()) {
    recent = known->second;
    return {known->second};
  }
  if (icrep::is_sound_text(text)) return self.add_text(text);
  std::string valid_text(text);
  (void)icrep::fix_text(valid_text);
  if (const auto known = self.texts.find(valid_text); known != self.texts.end()) return {known->second};
  match_status::count(self.talk.fixed_texts);
  return self.add_text(valid_text);
}

// A new text.
interned_text world_recorder::state::add_text(std::string_view text) {
  const std::size_t bytes = text_head_bytes + text.size();
  // Reserves space for the replacement text.
  const bool has_room =
      text_list.size() + 1 < icrep::limits{}.strings && text_bytes + bytes <= max_text_bytes;
  if (!has_room && text != no_room_text) {
    match_status::count(talk.fixed_texts);
    const auto known = texts.find(no_room_text);
    return known != texts.end() ? interned_text{known->second} : add_text(no_room_text);
  }
  text_bytes += bytes;
  const auto id = static_cast<std::uint32_t>(text_list.size());
  const auto placed = texts.emplace(std::string(text), id).first;
  text_list.push_back(placed->first);
  return {id};
}

}  // namespace tickreel::game
