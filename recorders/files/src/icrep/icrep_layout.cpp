#include "icrep_layout.hpp"

#include <algorithm>
#include <bit>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

value_node& child_named(value_node& parent, std::string_view name) {
  if (parent.children.empty() || parent.children.back().name != name) {
    parent.children.push_back({std::string(name), value_node::kind::object, {}, false, 0, {}});
  }
  return parent.children.back();
}

// "position.x", "slots[2].count", "target?": values are sorted by offset, so the members of an object are
// adjacent.
void add_value(value_node& root, const value_layout& layout) {
  value_node* node = &root;
  std::string_view left = layout.name;
  const bool flag = left.ends_with('?');
  if (flag) left.remove_suffix(1);
  while (!left.empty()) {
    const std::size_t end = std::min(left.find_first_of(".[", 1), left.size());
    std::string_view part = left.substr(0, end);
    left.remove_prefix(end);
    if (part.starts_with('[')) {
      node->what = value_node::kind::list;
    } else if (part.starts_with('.')) {
      part.remove_prefix(1);
    }
    node = &child_named(*node, part);
  }
  if (flag) {
    node->optional = true;
    node->flag_offset = layout.offset;
  } else {
    node->what = value_node::kind::value;
    node->layout = layout;
  }
}

std::vector<slot_values> slots_of(const std::vector<game::slot_layout>& known) {
  std::vector<slot_values> out;
  for (const game::slot_layout& one : known) {
    slot_values& slot = out.emplace_back(slot_values{one.slot, {}});
    for (const value_layout& value : one.values) add_value(slot.values, value);
  }
  return out;
}

std::uint64_t bits_of(byte_span bytes) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return bits;
}

void append_value(const value_layout& layout, byte_span component, const std::vector<std::string>& interned,
                  text::json_writer& json) {
  if (std::uint64_t{layout.offset} + layout.size_bytes > component.size() || layout.size_bytes == 0) {
    json.null();
    return;
  }
  const byte_span bytes = component.subspan(layout.offset, layout.size_bytes);
  if (layout.kind == value_kind::text) {
    byte_reader in(bytes);
    const std::uint16_t size = in.u16();
    json.value(as_text(in.bytes(size)));
    return;
  }
  if (bytes.size() > sizeof(std::uint64_t)) {
    json.value(text::to_hex(bytes));
    return;
  }
  const std::uint64_t bits = bits_of(bytes);
  if (!layout.enumerators.empty()) {
    const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
    const std::int64_t number = layout.kind == value_kind::signed_integer
                                    ? static_cast<std::int64_t>(bits << unused) >> unused
                                    : static_cast<std::int64_t>(bits);
    const auto word = std::ranges::find(layout.enumerators, number, &enumerator::value);
    if (word != layout.enumerators.end()) {
      json.value(std::string_view(word->name));
      return;
    }
  }
  switch (layout.kind) {
    case value_kind::boolean:
      json.value(bits != 0);
      return;
    case value_kind::floating:
      if (bytes.size() == sizeof(float)) {
        json.value(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      } else {
        json.value(std::bit_cast<double>(bits));
      }
      return;
    case value_kind::signed_integer: {
      const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes.size());
      json.value(static_cast<std::int64_t>(bits << unused) >> unused);
      return;
    }
    case value_kind::interned:
      if (bits < interned.size()) {
        json.value(std::string_view(interned[static_cast<std::size_t>(bits)]));
        return;
      }
      break;
    case value_kind::text:
    case value_kind::unsigned_integer:
      break;
  }
  json.value(bits);
}

void append_node(const value_node& node, byte_span component, const std::vector<std::string>& interned,
                 text::json_writer& json) {
  if (node.optional &&
      (node.flag_offset >= component.size() || component[node.flag_offset] == std::byte{0})) {
    json.null();
    return;
  }
  switch (node.what) {
    case value_node::kind::value:
      append_value(node.layout, component, interned, json);
      return;
    case value_node::kind::list:
      json.begin_array();
      for (const value_node& child : node.children) append_node(child, component, interned, json);
      json.end_array();
      return;
    case value_node::kind::object:
      json.begin_object();
      for (const value_node& child : node.children) {
        json.key(child.name);
        append_node(child, component, interned, json);
      }
      json.end_object();
      return;
  }
}

void collect_texts(const value_node& node, icrep::text_value place, std::vector<icrep::text_value>& out) {
  if (node.what == value_node::kind::value && node.layout.kind == value_kind::text) {
    place.offset = node.layout.offset;
    place.size_bytes = node.layout.size_bytes;
    out.push_back(place);
  }
  for (const value_node& child : node.children) collect_texts(child, place, out);
}

std::string_view interned_text_of(const std::vector<std::string>& interned, std::uint32_t id) noexcept {
  return id < interned.size() ? std::string_view(interned[id]) : std::string_view();
}

std::string tag_text(icrep::unit_tag tag) {
  return std::to_string(tag.index) + ":" + std::to_string(tag.generation);
}

void append_script(const icrep::script_state& state, text::json_writer& json) {
  json.begin_object();
  for (const auto& [key, value] : state.mission_vars) {
    json.key(key);
    std::visit([&](const auto& kind) { json.value(kind.value); }, value);
  }
  json.end_object();
}

}  // namespace

icrep_layout::icrep_layout(const icrep::metadata& facts) {
  const game::world_layout known = game::recorded_layout(facts);
  components_ = slots_of(known.components);
  player_fields_ = slots_of(known.player_fields);
  world_ = slots_of(known.world);
  orders_ = slots_of(known.orders);
  events_ = slots_of(known.events);
}

const slot_values* icrep_layout::fitting(const std::vector<slot_values>& known, std::uint32_t number,
                                         byte_span bytes) noexcept {
  const auto found = std::ranges::find(known, number, [](const slot_values& one) { return one.slot.slot; });
  const bool fits =
      found != known.end() && found->slot.size_bytes == bytes.size() && !found->values.children.empty();
  return fits ? &*found : nullptr;
}

bool icrep_layout::append_order(const icrep::order::game_order& order,
                                const std::vector<std::string>& interned, text::json_writer& json) const {
  const slot_values* const known = fitting(orders_, order.type_tag, order.payload);
  if (known == nullptr) return false;
  json.member("type_tag", order.type_tag).member("name", std::string_view(known->slot.name)).key("fields");
  append_node(known->values, order.payload, interned, json);
  return true;
}

std::string icrep_layout::event_name(std::uint32_t number) const {
  const auto found = std::ranges::find(events_, number, [](const slot_values& one) { return one.slot.slot; });
  return found != events_.end() && !found->slot.name.empty() ? found->slot.name
                                                             : "event_" + std::to_string(number);
}

void icrep_layout::append_event(const icrep::game_event& happened, const std::vector<std::string>& interned,
                                text::json_writer& json) const {
  json.begin_object().member("tick", happened.tick).member("type", event_name(happened.number));
  if (const slot_values* const known = fitting(events_, happened.number, happened.content)) {
    for (const value_node& each : known->values.children) {
      // Every event has these two.
      json.key(each.name == "tick" || each.name == "type" ? each.name + "_" : each.name);
      append_node(each, happened.content, interned, json);
    }
  } else {
    json.member("content", text::to_hex(happened.content));
  }
  json.end_object();
}

bool icrep_layout::concerns(const icrep::game_event& happened, std::uint32_t player) const {
  const slot_values* const known = fitting(events_, happened.number, happened.content);
  if (known == nullptr) return false;
  const auto named = std::ranges::find(known->values.children, "player", &value_node::name);
  if (named == known->values.children.end() || named->what != value_node::kind::value) return false;
  const value_layout& at = named->layout;
  if (at.size_bytes > 8 || std::uint64_t{at.offset} + at.size_bytes > happened.content.size()) return false;
  return bits_of(byte_span(happened.content).subspan(at.offset, at.size_bytes)) == player;
}

void icrep_layout::append_slots(const std::vector<slot_values>& known, std::uint64_t mask,
                                const icrep::slot_spans& spans, const std::vector<std::string>& interned,
                                text::json_writer& json) const {
  for (const slot_values& each : known) {
    if ((mask >> each.slot.slot & 1u) == 0) continue;
    json.key(each.slot.name);
    // A length prefix is not part of the value.
    const byte_span bytes =
        spans[each.slot.slot].subspan(each.slot.size_bytes == 0 ? sizeof(std::uint32_t) : 0);
    if (each.values.children.empty()) {
      json.value(text::to_hex(bytes));
    } else {
      append_node(each.values, bytes, interned, json);
    }
  }
}

void icrep_layout::append_components(const icrep::slot_table& slots, const icrep::entity_snapshot& entity,
                                     const std::vector<std::string>& interned,
                                     text::json_writer& json) const {
  const bool world = entity.entity == icrep::world_tag;
  icrep::slot_spans spans;
  const auto split = world ? slots.split_world(entity.component_mask, entity.components, spans)
                           : slots.split_components(entity.component_mask, entity.components, spans);
  if (!split) {
    json.member("component_mask", entity.component_mask)
        .member("components", text::to_hex(entity.components));
    return;
  }
  append_slots(world ? world_ : components_, entity.component_mask, spans, interned, json);
}

void icrep_layout::append_player(const icrep::slot_table& slots, const icrep::player_state& player,
                                 const std::vector<std::string>& interned, text::json_writer& json) const {
  icrep::slot_spans spans;
  if (!slots.split_player_fields(player.field_mask, player.player_fields, spans)) {
    json.member("field_mask", player.field_mask).member("fields", text::to_hex(player.player_fields));
    return;
  }
  append_slots(player_fields_, player.field_mask, spans, interned, json);
}

std::vector<icrep::text_value> icrep_layout::texts() const {
  using list = icrep::text_value::list;
  std::vector<icrep::text_value> out;
  const auto collect = [&](const std::vector<slot_values>& slots, list of) {
    for (const slot_values& each : slots) collect_texts(each.values, {of, each.slot.slot, 0, 0}, out);
  };
  collect(components_, list::components);
  collect(player_fields_, list::player_fields);
  collect(world_, list::world);
  return out;
}

void append_icrep_state(const icrep::sim_snapshot& state, const icrep::metadata& facts,
                        const icrep_layout& layout, const icrep::slot_table& slots, text::json_writer& json) {
  const std::vector<std::string>& interned = state.core.intern_table;
  json.member("game_seed", state.core.game_seed);
  if (!state.core.rng_state.empty()) json.member("rng_state", text::to_hex(state.core.rng_state));
  if (state.campaign_state) json.member("campaign_state", text::to_hex(*state.campaign_state));
  if (state.script_state && !state.script_state->mission_vars.empty()) {
    json.key("mission_vars");
    append_script(*state.script_state, json);
  }
  if (!state.core.entities.empty() && state.core.entities.back().entity == icrep::world_tag) {
    json.key("world").begin_object();
    layout.append_components(slots, state.core.entities.back(), interned, json);
    json.end_object();
  }
  json.key("players").begin_array();
  for (const icrep::player_state& player : state.core.player_states) {
    json.begin_object().member("player", player.player);
    const auto known = std::ranges::find(facts.players, player.player, &icrep::player_entry::slot);
    if (known != facts.players.end()) json.member("name", std::string_view(known->name));
    json.key("fields").begin_object();
    layout.append_player(slots, player, interned, json);
    json.end_object().end_object();
  }
  json.end_array().key("entities").begin_array();
  for (const icrep::entity_snapshot& entity : state.core.entities) {
    if (entity.entity == icrep::world_tag) continue;
    json.begin_object().member("entity", tag_text(entity.entity));
    json.member("archetype", interned_text_of(interned, entity.archetype));
    json.key("components").begin_object();
    layout.append_components(slots, entity, interned, json);
    json.end_object().end_object();
  }
  json.end_array();
  if (state.core.map_state.empty()) return;
  json.key("cells").begin_array();
  for (const icrep::map_cell& cell : state.core.map_state) {
    json.begin_object().member("x", cell.cell.x).member("y", cell.cell.y).member("z", cell.cell.z);
    json.member("terrain", interned_text_of(interned, cell.terrain));
    json.member("resource_amount", cell.resource_amount).end_object();
  }
  json.end_array();
}

}  // namespace tickreel::files
