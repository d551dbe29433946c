#include "tickreel/reel/queued_sink.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "../record/thread_start.hpp"
#include "record_publisher.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/record/pipeline.hpp"

namespace tickreel::reel {

using detail::steady_time_us;

namespace {

result<void> check(const queue_options& options) {
  if (options.max_records == 0 || options.max_unconfirmed_records == 0) {
    return fail(error_code::invalid_argument, error::no_offset, "a queue holds one record at least");
  }
  if (options.jitter_percent > 100) {
    return fail(error_code::invalid_argument, error::no_offset, "jitter_percent is 0 to 100");
  }
  return {};
}

}  // namespace

// Shared by the sink, its thread and its views; the last owner destroys it.
struct queue_view::state {
  state(file_path reel, std::unique_ptr<delivery>&& to, const queue_options& settings, system_calls& calls)
      : options(settings),
        queue(settings),
        receiver(std::move(to)),
        publisher(queue, *receiver, std::move(reel), settings, calls) {}

  const queue_options options;
  record_queue queue;
  std::unique_ptr<delivery> receiver;
  record_publisher publisher;  // for the owner of `taken`

  std::mutex lock;
  std::condition_variable changed;
  bool taken = false;    // a pass is running
  bool running = false;  // by the thread
  // No more records arrive; work continues until this time.
  std::optional<std::int64_t> until_us;
  std::thread thread;

  [[nodiscard]] std::optional<std::int64_t> closing() {
    const std::lock_guard guard(lock);
    return until_us;
  }

  void run() noexcept {
    for (;;) {
      const auto until = closing();
      if (until) {
        publisher.hurry();
        if (queue.is_complete() || steady_time_us() >= *until) break;
      }
      const record_publisher::turn next =
          publisher.pass(until ? wait_policy::always : wait_policy::when_full);
      if (next.at_once || (until && queue.is_complete())) continue;
      queue.sleep_until(until ? std::min(next.at_us, *until) : next.at_us);
    }
    publisher.report_now();
    {
      const std::lock_guard guard(lock);
      running = false;
    }
    changed.notify_all();
  }

  bool take() {
    const std::lock_guard guard(lock);
    if (taken) return false;
    taken = true;
    return true;
  }
  void give_back() {
    {
      const std::lock_guard guard(lock);
      taken = false;
    }
    changed.notify_all();
  }

  // Replaces the thread at the end; another thread's pump() may be in a call of the delivery.
  void pump_until(std::int64_t until) {
    const std::int64_t call_until = until + std::int64_t{options.call_wait_ms} * us_per_ms;
    {
      std::unique_lock guard(lock);
      if (!wait_for(guard, call_until, [this] { return !taken; })) return;
      taken = true;
    }
    publisher.hurry();
    while (!queue.is_complete() && steady_time_us() < until) {
      const record_publisher::turn next = publisher.pass(wait_policy::always);
      if (!next.at_once && !queue.is_complete()) queue.sleep_until(std::min(next.at_us, until));
    }
    publisher.report_now();
    give_back();
  }

  template <class Condition>
  bool wait_for(std::unique_lock<std::mutex>& guard, std::int64_t until, Condition&& condition) {
    const auto wait = std::chrono::microseconds(std::max<std::int64_t>(until - steady_time_us(), 0));
    return changed.wait_for(guard, wait, std::forward<Condition>(condition));
  }
};

queue_view::queue_view(std::shared_ptr<state> shared) noexcept : state_(std::move(shared)) {}

queue_counters queue_view::counters() const {
  return state_->queue.counters();
}

bool queue_view::pump() {
  state& self = *state_;
  if (self.options.mode != threading::pumped || self.closing() || !self.take()) return false;
  const record_publisher::turn next = self.publisher.pass(wait_policy::none);
  self.give_back();
  return next.at_once;
}

queued_sink::queued_sink(std::shared_ptr<queue_view::state> shared) noexcept : state_(std::move(shared)) {}

queued_sink::~queued_sink() {
  (void)close();
}

result<std::unique_ptr<queued_sink>> queued_sink::create(const file_path& reel, std::unique_ptr<delivery> to,
                                                         const queue_options& options) {
  return create(reel, std::move(to), options, system_calls::real());
}

result<std::unique_ptr<queued_sink>> queued_sink::create(const file_path& reel, std::unique_ptr<delivery> to,
                                                         const queue_options& options, system_calls& calls) {
  if (to == nullptr) return fail(error_code::invalid_argument, error::no_offset, "no delivery");
  if (const auto sound = check(options); !sound) return fail(sound.error());
  if (!reel.empty()) {
    if (const auto sound = check_path(reel); !sound) return fail(sound.error());
  }
  auto shared = std::make_shared<queue_view::state>(reel, std::move(to), options, calls);
  if (options.mode == threading::own_thread) {
    shared->running = true;
    // The thread shares ownership of its data, because it may be detached.
    auto kept = std::make_unique<std::shared_ptr<queue_view::state>>(shared);
    const auto started = detail::start_thread(
        shared->thread,
        [](void* argument) noexcept {
          using pointer = std::shared_ptr<queue_view::state>;
          const std::unique_ptr<pointer> self(static_cast<pointer*>(argument));
          (*self)->run();
        },
        kept.get());
    if (!started) return fail(started.error());
    (void)kept.release();
  }
  return std::unique_ptr<queued_sink>(new queued_sink(std::move(shared)));
}

queue_view queued_sink::view() const {
  return queue_view(state_);
}

result<void> queued_sink::accept_header(byte_span bytes) {
  state_->queue.set_header(bytes);
  return {};
}

result<void> queued_sink::accept_record(const record_info& info, byte_span bytes) {
  state_->queue.accept(info, bytes);
  return {};
}

result<void> queued_sink::close() {
  queue_view::state& self = *state_;
  const std::int64_t until = steady_time_us() + std::int64_t{self.options.close_wait_ms} * us_per_ms;
  bool first = false;
  {
    const std::lock_guard guard(self.lock);
    first = !self.until_us;
    if (first) self.until_us = until;
  }
  if (first && self.options.mode == threading::pumped) {
    self.pump_until(until);
  } else if (first) {
    self.queue.wake();
    const std::int64_t call_until = until + std::int64_t{self.options.call_wait_ms} * us_per_ms;
    bool ended = false;
    {
      std::unique_lock guard(self.lock);
      ended = self.wait_for(guard, call_until, [&self] { return !self.running; });
    }
    if (ended) {
      self.thread.join();
    } else {
      self.thread.detach();
    }
  }
  if (self.queue.is_complete()) return {};
  return fail(error_code::timed_out, error::no_offset, "{} record{s} not delivered",
              static_cast<std::int64_t>(self.queue.counters().lag_records));
}

result<queue_counters> deliver_reel(const file_path& reel, delivery& to, const deliver_options& options) {
  return deliver_reel(reel, to, options, system_calls::real());
}

result<queue_counters> deliver_reel(const file_path& reel, delivery& to, const deliver_options& options,
                                    system_calls& calls) {
  constexpr std::int64_t look_interval_us = 50'000;
  if (const auto sound = check(options.queue); !sound) return fail(sound.error());
  record_queue queue(options.queue);
  record_publisher publisher(queue, to, reel, options.queue, calls);
  if (const auto opened = publisher.open_reel(); !opened) return fail(opened.error());
  for (;;) {
    const record_publisher::turn next = publisher.pass(wait_policy::always);
    if (options.wait_for_end && !queue.has_end()) {
      if (const auto looked = publisher.look_for_more(); !looked) return fail(looked.error());
    }
    const bool all = publisher.has_connected() && queue.is_complete();
    if (all && (!options.wait_for_end || queue.has_end())) break;
    if (options.should_continue && !options.should_continue(queue.counters())) {
      publisher.report_now();
      return fail(error_code::interrupted, error::no_offset, "{} record{s} not delivered",
                  static_cast<std::int64_t>(queue.counters().lag_records));
    }
    if (!next.at_once) queue.sleep_until(std::min(next.at_us, steady_time_us() + look_interval_us));
  }
  publisher.report_now();
  return queue.counters();
}

}  // namespace tickreel::reel
