#include "tickreel/icrep/order.hpp"

#include <algorithm>

#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/entry.hpp"

namespace tickreel::icrep {

namespace {

constexpr auto by_time_and_player = [](const timestamped_order& a, const timestamped_order& b) {
  return a.sub_tick_us != b.sub_tick_us ? a.sub_tick_us < b.sub_tick_us : a.player < b.player;
};

}  // namespace

void sort_orders(tick_frame& frame) {
  if (!std::ranges::is_sorted(frame.orders, by_time_and_player)) {
    std::ranges::stable_sort(frame.orders, by_time_and_player);
  }
}

result<void> order_stream_writer::add(const tick_frame& frame, byte_vector& out) {
  if (frame.tick < next_tick_) {
    return fail(error_code::invalid_argument, error::no_offset, "a second frame for tick {u}, or a late one",
                static_cast<std::int64_t>(frame.tick));
  }
  if (frame.tick > last_writable_tick) {
    return fail(error_code::over_limit, error::no_offset, "a tick above 2^53");
  }
  if (frame.orders.size() > limits{}.orders_per_tick) {
    return fail(error_code::over_limit, error::no_offset, "{} orders in one tick",
                static_cast<std::int64_t>(frame.orders.size()));
  }
  if (auto sound = check_bc1(frame.orders); !sound) return sound;
  encoded_.clear();
  if (std::ranges::is_sorted(frame.orders, by_time_and_player)) {
    append_bc1(encoded_, frame);
  } else {
    sorted_ = frame;
    sort_orders(sorted_);
    append_bc1(encoded_, sorted_);
  }
  if (auto done = blocks_.add(frame.tick, encoded_, out); !done) return done;
  next_tick_ = frame.tick + 1;
  return {};
}

}  // namespace tickreel::icrep
