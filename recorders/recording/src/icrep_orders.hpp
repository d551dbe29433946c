// Orders as JSON.
#pragma once

#include "tickreel/icrep/order.hpp"
#include "tickreel/recording/json_writer.hpp"

namespace tickreel::recording {

// An object for each order of the frame: tick, player, sub_tick_us, type, then the order's own fields.
void append_orders(const icrep::tick_frame& frame, json_writer& json);

}  // namespace tickreel::recording
