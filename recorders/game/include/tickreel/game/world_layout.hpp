// The layouts of a world's bytes, type by type.
#pragma once

#include <vector>

#include "tickreel/describe/component.hpp"
#include "tickreel/icrep/schema.hpp"

namespace tickreel::game {

// A component, player field or singleton: its slot, and the layout of its bytes.
struct slot_layout {
  icrep::slot_description slot;
  std::vector<value_layout> values;
};

struct world_layout {
  std::vector<slot_layout> components;     // slots 0 to 63
  std::vector<slot_layout> player_fields;  // slots 0 to 31
  std::vector<slot_layout> world;          // slots 1 to 63; singletons
  // Types that a recorder learns while it runs: slots are the numbers of orders and of custom events.
  std::vector<slot_layout> orders = {};
  std::vector<slot_layout> events = {};
};

}  // namespace tickreel::game
