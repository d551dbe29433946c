// Formats orders as JSON.
#pragma once

#include "icrep_layout.hpp"
#include "tickreel/icrep/order.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

// An object per order of the frame: tick, player, sub_tick_us, type, then the order's own fields.
void append_orders(const icrep::tick_frame& frame, const icrep_layout& layout,
                   const std::vector<std::string>& interned, text::json_writer& json);

}  // namespace tickreel::files
