// Calls a function at an interval, on the thread of an io_context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <utility>

namespace tickreel::net {

// Must not move after start(), and must outlive its context's run().
class repeating_timer {
 public:
  repeating_timer(boost::asio::io_context& context, std::chrono::milliseconds interval,
                  std::function<void()> call)
      : timer_(context), interval_(interval), call_(std::move(call)) {}

  // Calls it immediately, too.
  void start() {
    if (is_cancelled_) return;
    call_();
    timer_.expires_after(interval_);
    timer_.async_wait([this](boost::system::error_code stopped) {
      if (!stopped) start();
    });
  }
  void cancel() {
    is_cancelled_ = true;
    timer_.cancel();
  }

 private:
  boost::asio::steady_timer timer_;
  std::chrono::milliseconds interval_;
  std::function<void()> call_;
  bool is_cancelled_ = false;
};

}  // namespace tickreel::net
