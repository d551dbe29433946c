// The named values in the components of a match: parsed once from the metadata, then used for every state.
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

// The metadata key that describes the values of each component, written by the game recorder.
inline constexpr std::string_view icrep_values_key = "x_values";

// A value, an object or a list: "position.x" and "slots[2]" as a tree.
struct value_node {
  std::string name;
  enum class kind : std::uint8_t { value, object, list } what = kind::object;
  value_layout layout;    // of a value
  bool optional = false;  // the byte at flag_offset says whether it exists
  std::uint32_t flag_offset = 0;
  std::vector<value_node> children;
};

struct slot_values {
  icrep::slot_description slot;
  value_node values;  // without children only the raw bytes are known
};

class icrep_layout {
 public:
  explicit icrep_layout(const icrep::metadata& facts);

  // Appends a member of the object in `json` per component, by name. Undescribed bytes are hexadecimal text.
  void append_components(const icrep::slot_table& slots, const icrep::entity_snapshot& entity,
                         const std::vector<std::string>& interned, text::json_writer& json) const;
  void append_player(const icrep::slot_table& slots, const icrep::player_state& player,
                     const std::vector<std::string>& interned, text::json_writer& json) const;

  // Appends the members of an order that is a described struct; false, and appends nothing, if it is not.
  bool append_order(const icrep::order::game_order& order, const std::vector<std::string>& interned,
                    text::json_writer& json) const;
  // A custom event of the game as an object: "tick", "type", then its fields by name.
  void append_event(const icrep::game_event& happened, const std::vector<std::string>& interned,
                    text::json_writer& json) const;
  [[nodiscard]] bool has_events() const noexcept { return !events_.empty(); }
  [[nodiscard]] std::string event_name(std::uint32_t number) const;
  // Whether it has a field "player" with that number.
  [[nodiscard]] bool concerns(const icrep::game_event& happened, std::uint32_t player) const;

  // The positions of texts, for callers that replace them.
  [[nodiscard]] std::vector<icrep::text_value> texts() const;

 private:
  void append_slots(const std::vector<slot_values>& known, std::uint64_t mask, const icrep::slot_spans& spans,
                    const std::vector<std::string>& interned, text::json_writer& json) const;

  // The description of component `number`, if it has that many bytes.
  static const slot_values* fitting(const std::vector<slot_values>& known, std::uint32_t number,
                                    byte_span bytes) noexcept;

  std::vector<slot_values> orders_;
  std::vector<slot_values> events_;
  std::vector<slot_values> components_;
  std::vector<slot_values> player_fields_;
  std::vector<slot_values> world_;
};

// A state as members of an object: global values, then world, players, entities, cells.
void append_icrep_state(const icrep::sim_snapshot& state, const icrep::metadata& facts,
                        const icrep_layout& layout, const icrep::slot_table& slots, text::json_writer& json);

}  // namespace tickreel::files
