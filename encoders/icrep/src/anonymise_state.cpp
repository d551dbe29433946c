#include "anonymise_state.hpp"

#include <algorithm>
#include <bit>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::icrep {

namespace {

constexpr std::size_t archetype_bytes = sizeof(std::uint32_t);
constexpr std::size_t text_length_bytes = sizeof(std::uint16_t);
constexpr std::uint32_t generator_slot = 0;

bool is_plain_text(byte_span bytes) noexcept {
  const bool printable = std::ranges::all_of(bytes, [](std::byte each) {
    return std::to_integer<unsigned>(each) >= 0x20 || each == std::byte{'\n'} || each == std::byte{'\t'};
  });
  return printable && text::is_utf8(as_text(bytes));
}

void append(byte_vector& out, byte_span bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

void state_anonymiser::protect(const std::vector<std::string>& table, std::uint32_t id) {
  if (id < table.size()) protected_.insert(table[id]);
}

void state_anonymiser::protect(const sim_snapshot& full) {
  full_table_ = full.core.intern_table;
  for (const entity_snapshot& entity : full.core.entities) protect(full_table_, entity.archetype);
  for (const map_cell& cell : full.core.map_state) protect(full_table_, cell.terrain);
}

void state_anonymiser::protect(const delta_snapshot& delta) {
  if (const auto& more = delta.core.intern_table_delta; more && more->start_id <= full_table_.size()) {
    full_table_.resize(more->start_id);
    full_table_.insert(full_table_.end(), more->new_entries.begin(), more->new_entries.end());
  }
  for (const entity_delta& entity : delta.core.changed_entities) {
    if (!entity.is_new) continue;
    byte_reader in(entity.changed_components);
    const std::uint32_t archetype = in.u32();
    if (in.ok()) protect(full_table_, archetype);
  }
  if (!delta.core.changed_map) return;
  for (const map_cell& cell : *delta.core.changed_map) protect(full_table_, cell.terrain);
}

result<bool> state_anonymiser::change(sim_snapshot& full) {
  bool any = change_table(full.core.intern_table);
  for (entity_snapshot& entity : full.core.entities) {
    const list of = entity.entity == world_tag ? list::world : list::components;
    const auto done = change_slots(of, entity.component_mask, entity.components);
    if (!done) return done;
    any |= *done;
  }
  for (player_state& player : full.core.player_states) {
    const auto done = change_slots(list::player_fields, player.field_mask, player.player_fields);
    if (!done) return done;
    any |= *done;
  }
  if (full.campaign_state) look_into(*full.campaign_state);
  if (full.script_state) any |= change_script(*full.script_state);
  return any;
}

result<bool> state_anonymiser::change(delta_snapshot& delta) {
  bool any = delta.core.intern_table_delta && change_table(delta.core.intern_table_delta->new_entries);
  for (entity_delta& entity : delta.core.changed_entities) {
    if (entity.is_removed) continue;
    const list of = entity.entity == world_tag ? list::world : list::components;
    const auto done =
        change_slots(of, entity.change_mask, entity.changed_components, entity.is_new ? archetype_bytes : 0);
    if (!done) return done;
    any |= *done;
  }
  for (player_state_delta& player : delta.core.changed_players) {
    const auto done = change_slots(list::player_fields, player.change_mask, player.changed_fields);
    if (!done) return done;
    any |= *done;
  }
  if (delta.campaign_state) look_into(*delta.campaign_state);
  if (delta.script_state) any |= change_script(*delta.script_state);
  return any;
}

bool state_anonymiser::change_table(std::vector<std::string>& table) {
  bool any = false;
  for (std::string& text : table) {
    if (!protected_.contains(text)) any |= names_.replace(text, most_.string_bytes);
  }
  return any;
}

bool state_anonymiser::change_script(script_state& state) {
  bool any = false;
  for (auto& [name, value] : state.mission_vars) {
    if (auto* words = std::get_if<script::text>(&value)) {
      any |= names_.replace(words->value, most_.string_bytes);
    }
    look_into(as_bytes(name));
  }
  for (const auto* states : {&state.lua_states, &state.wasm_states}) {
    for (const auto& [name, bytes] : *states) look_into(bytes);
  }
  return any;
}

bool state_anonymiser::is_variable(list of, std::uint32_t slot) const {
  const auto& described = of == list::components      ? schema_->components
                          : of == list::player_fields ? schema_->player_fields
                                                      : schema_->world;
  const auto found = std::ranges::find(described, slot, &slot_description::slot);
  return found != described.end() && found->size_bytes == 0;
}

result<bool> state_anonymiser::change_slots(list of, std::uint64_t mask, byte_vector& bytes,
                                            std::size_t skip_bytes) {
  if (slots_ == nullptr) {
    look_into(bytes);
    return false;
  }
  if (skip_bytes > bytes.size()) return fail(error_code::malformed, error::no_offset, "no archetype");
  const byte_span content = byte_span(bytes).subspan(skip_bytes);
  slot_spans spans;
  const auto split = of == list::components ? slots_->split_components(mask, content, spans)
                     : of == list::player_fields
                         ? slots_->split_player_fields(static_cast<std::uint32_t>(mask), content, spans)
                         : slots_->split_world(mask, content, spans);
  if (!split) return fail(split.error());

  byte_vector out(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(skip_bytes));
  bool any = false;
  for (std::uint64_t left = mask; left != 0; left &= left - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(left));
    const byte_span value = spans[slot];
    const bool generator = of == list::world && slot == generator_slot;
    if (!generator && is_variable(of, slot)) {
      // Its length comes first.
      const byte_span inside = value.subspan(sizeof(std::uint32_t));
      std::string words(as_text(inside));
      const bool changed = is_plain_text(inside) && names_.replace(words, most_.string_bytes);
      any |= changed;
      if (!changed) look_into(inside);
      std::array<std::byte, sizeof(std::uint32_t)> length;
      byte_writer(length).u32(static_cast<std::uint32_t>(words.size()));
      append(out, length);
      append(out, as_bytes(words));
      continue;
    }
    const std::size_t start = out.size();
    append(out, value);
    if (!generator) any |= change_texts(of, slot, mutable_byte_span(out).subspan(start));
  }
  if (any) bytes = std::move(out);
  return any;
}

bool state_anonymiser::change_texts(list of, std::uint32_t slot, mutable_byte_span content) {
  bool any = false;
  for (const text_value& text : options_.texts) {
    if (text.of != of || text.slot != slot || text.size_bytes < text_length_bytes) continue;
    if (std::uint64_t{text.offset} + text.size_bytes > content.size()) continue;
    const mutable_byte_span place = content.subspan(text.offset, text.size_bytes);
    byte_reader in(place);
    const std::uint16_t length = in.u16();
    std::string words(as_text(in.bytes(length)));
    const std::size_t capacity = text.size_bytes - text_length_bytes;
    if (!in.ok() || !names_.replace(words, capacity)) continue;
    std::ranges::fill(place, std::byte{0});
    byte_writer to(place);
    to.u16(static_cast<std::uint16_t>(words.size()));
    to.bytes(as_bytes(words));
    any = true;
  }
  look_into(content);
  return any;
}

}  // namespace tickreel::icrep
