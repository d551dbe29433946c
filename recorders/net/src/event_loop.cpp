#include "tickreel/net/event_loop.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "event_loop_internals.hpp"

namespace tickreel::net {

event_loop::event_loop() : internals_(std::make_unique<internals>()) {}
event_loop::~event_loop() = default;

void event_loop::run() {
  internals_->context.restart();
  internals_->context.run();
}

void event_loop::stop() noexcept {
  internals_->context.stop();
}

void event_loop::post(std::function<void()> call) {
  boost::asio::post(internals_->context, std::move(call));
}

struct loop_timer::internals {
  explicit internals(boost::asio::io_context& context) : timer(context) {}

  boost::asio::steady_timer timer;
  std::function<void()> call;
  // A timer that already expired when it was replaced still reports success; its number identifies it.
  std::uint64_t setting = 0;
};

loop_timer::loop_timer(event_loop& loop) : internals_(std::make_shared<internals>(loop.inside().context)) {}

loop_timer::~loop_timer() {
  cancel();
}

void loop_timer::at(std::chrono::steady_clock::time_point when, std::function<void()> call) {
  internals_->call = std::move(call);
  const std::uint64_t setting = ++internals_->setting;
  internals_->timer.expires_at(when);
  internals_->timer.async_wait([self = internals_, setting](boost::system::error_code failed) {
    if (failed || setting != self->setting) return;
    const std::function<void()> due = std::move(self->call);
    due();
  });
}

void loop_timer::cancel() noexcept {
  ++internals_->setting;
  internals_->call = nullptr;
  try {
    internals_->timer.cancel();
  } catch (const std::exception&) {
    // Cancelling only saves a wake-up of the loop; the number above already disabled the call.
  }
}

}  // namespace tickreel::net
