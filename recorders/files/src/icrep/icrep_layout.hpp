// What the components of a match hold, by name: read from the metadata once, then used for every state.
#pragma once

#include <string>
#include <vector>

#include "tickreel/describe/component.hpp"
#include "tickreel/game/recorded_types.hpp"
#include "tickreel/icrep/edit.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/icrep/record.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

// The key of the metadata under which the recorder of games says which values a component is made of.
inline constexpr std::string_view icrep_values_key = "x_values";

// A value, or an object or list of them: "position.x" and "slots[2]" as a tree.
struct value_node {
  std::string name;
  enum class kind : std::uint8_t { value, object, list } what = kind::object;
  value_layout layout;    // of a value
  bool optional = false;  // a byte at flag_offset says whether it is there
  std::uint32_t flag_offset = 0;
  std::vector<value_node> children;
};

struct slot_values {
  icrep::slot_description slot;
  value_node values;  // no children: only the bytes are known
};

class icrep_layout {
 public:
  explicit icrep_layout(const icrep::metadata& facts);

  // Members of the object that `json` is in: a component each, by its name. Bytes that nobody described are
  // hexadecimal text.
  void append_components(const icrep::slot_table& slots, const icrep::entity_snapshot& entity,
                         const std::vector<std::string>& interned, text::json_writer& json) const;
  void append_player(const icrep::slot_table& slots, const icrep::player_state& player,
                     const std::vector<std::string>& interned, text::json_writer& json) const;

  // The members of an order that is a described struct: false when it is none, and nothing is appended.
  bool append_order(const icrep::order::game_order& order, const std::vector<std::string>& interned,
                    text::json_writer& json) const;
  // An event of the game's own as an object: "tick", "type", then its fields by name.
  void append_event(const icrep::game_event& happened, const std::vector<std::string>& interned,
                    text::json_writer& json) const;
  [[nodiscard]] bool has_events() const noexcept { return !events_.empty(); }
  [[nodiscard]] std::string event_name(std::uint32_t number) const;
  // Whether it has a field "player" with that number.
  [[nodiscard]] bool concerns(const icrep::game_event& happened, std::uint32_t player) const;

  // Where texts are, for those that replace them.
  [[nodiscard]] std::vector<icrep::text_value> texts() const;

 private:
  void append_slots(const std::vector<slot_values>& known, std::uint64_t mask, const icrep::slot_spans& spans,
                    const std::vector<std::string>& interned, text::json_writer& json) const;

  // What `number` is, if that many bytes can be it.
  static const slot_values* fitting(const std::vector<slot_values>& known, std::uint32_t number,
                                    byte_span bytes) noexcept;

  std::vector<slot_values> orders_;
  std::vector<slot_values> events_;
  std::vector<slot_values> components_;
  std::vector<slot_values> player_fields_;
  std::vector<slot_values> world_;
};

// A state as members of an object: what belongs to all, then world, players, entities, cells.
void append_icrep_state(const icrep::sim_snapshot& state, const icrep::metadata& facts,
                        const icrep_layout& layout, const icrep::slot_table& slots, text::json_writer& json);

}  // namespace tickreel::files
