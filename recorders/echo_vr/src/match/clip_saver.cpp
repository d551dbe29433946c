#include "tickreel/echo_vr/clip_saver.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "clip_queue.hpp"
#include "cut_clip.hpp"
#include "tickreel/counted.hpp"

namespace tickreel::echo_vr {

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto clip_check_interval = 50ms;
// Chunks are sealed about once a second. A clip that waits for its last tick is checked this often.
constexpr auto seal_interval = 250ms;

}  // namespace

struct clip_saver::internals {
  internals(const live_feed& from, clip_options how, event_function listener)
      : feed(from), options(std::move(how)), events(std::move(listener)), queue(options) {
    try {
      thread = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      // No thread available: clips are cut when their match's file ends.
    }
  }

  void run() {
    std::unique_lock lock(mutex);
    while (!ending) {
      changed.wait_for(lock, clip_check_interval);
      lock.unlock();
      guarded([this] {
        collect();
        cut_what_is_due(false);
      });
      lock.lock();
    }
  }

  // Out of memory for a clip must not end the recording.
  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex);
      ++counted.failed;
    }
  }

  // Neither must an exception of the listener.
  void notify(const record_event& event) const {
    try {
      if (events) events(event);
    } catch (const std::exception&) {
      return;
    }
  }

  // Converts new events and requests to waiting clips.
  void collect() {
    const std::lock_guard lock(mutex);
    found.clear();
    const std::uint64_t gone = feed.take(next_event, found);
    if (!options.types.empty()) counted.missed += gone;
    for (const live_event& each : found) queue.add(each);
    const bool was_asked = asked.exchange(false);
    if (was_asked || !callers.empty()) queue.add_request(std::exchange(callers, {}));
  }

  // `at_end`: no more ticks are expected.
  void cut_what_is_due(bool at_end) {
    const std::lock_guard alone(cutting);
    for (;;) {
      std::optional<pending_clip> clip;
      std::vector<clip_source> from;
      {
        const std::lock_guard lock(mutex);
        clip = queue.take_due(at_end);
        if (clip) from = queue.sources_of(*clip);
      }
      if (!clip) break;
      const auto latest = clip->due + std::chrono::milliseconds(options.longest_wait_ms);
      const bool patient = !at_end && !gives_up.load(std::memory_order_relaxed) && clock::now() < latest;
      const bool is_there = std::all_of(
          from.begin(), from.end(), [&](const clip_source& each) { return is_there_to(each, clip->to_ms); });
      if (patient && !is_there) {
        clip->next_look = clock::now() + seal_interval;
        const std::lock_guard lock(mutex);
        queue.put_back(std::move(*clip));
        continue;
      }
      if (from.empty() && clip->made.empty()) {
        failed(*clip, "a clip of a match was not saved: none of its files is being recorded");
      }
      for (const clip_source& each : from) cut(*clip, each);
    }
    answer_requests();
  }

  static bool is_there_to(const clip_source& from, std::int64_t to_ms) {
    try {
      return is_sealed(from, to_ms);
    } catch (const std::exception&) {
      return false;  // checked again while it waits
    }
  }

  // The caller holds `cutting`.
  void cut(pending_clip& clip, const clip_source& from, const files::monitor& watch = {}) {
    files::monitor asked_too;
    asked_too.cancelled = [&] { return gives_up.load(std::memory_order_relaxed) || watch.stop(); };
    clip.made.push_back(from.format);
    result<cut_result> done = fail(error_code::io_failed);
    try {
      done = cut_clip(from, clip.from_ms, clip.to_ms, clip.label, clip.name, asked_too);
    } catch (const std::exception& thrown) {
      return failed(clip, "a clip was not saved: " + std::string(thrown.what()));
    }
    if (!done) return failed(clip, "a clip was not saved: " + describe(done.error()));
    record_event event;
    event.kind = event_kind::clip_saved;
    event.target = clip.target;
    event.path = done->path;
    event.ticks = done->ticks;
    event.bytes = done->bytes;
    event.lost_ticks = done->lost_ticks;
    event.line = "saved " + name_of_clip(done->path) + ", " + tickreel::counted(done->ticks, "tick");
    if (done->lost_ticks != 0) event.line += ", " + std::to_string(done->lost_ticks) + " lost";
    {
      const std::lock_guard lock(mutex);
      ++counted.saved;
      if (clip_request* const of_request = queue.request_of(clip)) {
        of_request->answer.clips.push_back({clip.target, done->path, done->ticks});
      }
    }
    notify(event);
  }

  void failed(const pending_clip& clip, std::string why) {
    record_event event;
    event.kind = event_kind::clip_failed;
    event.target = clip.target;
    event.line = std::move(why);
    {
      const std::lock_guard lock(mutex);
      ++counted.failed;
      if (clip_request* const of_request = queue.request_of(clip)) of_request->answer.failure = event.line;
    }
    notify(event);
  }

  void answer_requests() {
    std::vector<clip_request> ready;
    {
      const std::lock_guard lock(mutex);
      ready = queue.take_answered();
    }
    for (const clip_request& each : ready) {
      for (const auto& done : each.done) {
        if (done) guarded([&] { done(each.answer); });
      }
      if (!each.was_in_vain || !events) continue;
      record_event event;
      event.kind = event_kind::clip_failed;
      event.line = "no clip was saved: " + each.answer.failure;
      notify(event);
    }
  }

  // Cuts all clips that this reel serves better than the remaining ones, now that it is complete.
  void close(const file_path& reel, const files::monitor& watch) {
    guarded([this] { collect(); });
    guarded([&] { cut_before_removal(reel, watch); });
    const std::lock_guard alone(cutting);
    const std::lock_guard lock(mutex);
    queue.remove_source(reel);
  }

  void cut_before_removal(const file_path& reel, const files::monitor& watch) {
    const std::lock_guard alone(cutting);
    std::vector<clip_queue::cut> now;
    {
      const std::lock_guard lock(mutex);
      now = queue.cuts_before_removal(reel);
    }
    for (clip_queue::cut& each : now) cut(each.clip, each.from, watch);
    const std::lock_guard lock(mutex);
    queue.keep_names(now);
  }

  void finish() {
    {
      const std::lock_guard lock(mutex);
      ending = true;
    }
    changed.notify_all();
    if (std::exchange(finished, true)) return;
    if (thread.joinable()) thread.join();
    guarded([this] { collect(); });
    guarded([this] { cut_what_is_due(true); });
  }

  const live_feed& feed;
  const clip_options options;
  const event_function events;
  std::atomic<bool> asked{false};
  std::atomic<bool> gives_up{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "ask() must be async-signal-safe");

  std::mutex cutting;  // locked before `mutex`; its holder reads reels, which stay meanwhile
  mutable std::mutex mutex;
  std::condition_variable changed;
  bool ending = false;
  bool finished = false;  // used by the owner's thread
  std::uint64_t next_event = 0;
  std::vector<live_event> found;
  clip_queue queue;
  std::vector<std::function<void(const saved_clips&)>> callers;
  clip_counts counted;
  std::thread thread;
};

clip_saver::clip_saver(const live_feed& feed, clip_options options, event_function events)
    : internals_(std::make_unique<internals>(feed, std::move(options), std::move(events))) {}

clip_saver::~clip_saver() {
  finish();
}

void clip_saver::ask() noexcept {
  internals_->asked.store(true);
}

void clip_saver::ask(std::function<void(const saved_clips&)> done) {
  bool ends = false;
  {
    const std::lock_guard lock(internals_->mutex);
    ends = internals_->ending;
    if (internals_->callers.size() < clip_queue::max_callers && !ends) {
      internals_->callers.push_back(std::move(done));
      done = nullptr;
    }
  }
  if (done && ends) done({{}, "the recording ends"});
  if (done && !ends) {
    done({{},
          std::to_string(clip_queue::max_callers) + " requests for clips are waiting: try again in a second",
          true});
  }
  internals_->changed.notify_all();
}

void clip_saver::finish() {
  internals_->finish();
}

clip_counts clip_saver::counts() const {
  const std::lock_guard lock(internals_->mutex);
  return internals_->counted;
}

void clip_saver::opened(clip_source reel) {
  const std::lock_guard lock(internals_->mutex);
  internals_->queue.add_source(std::move(reel));
}

void clip_saver::closing(const file_path& reel, const files::monitor& watch) {
  internals_->close(reel, watch);
}

void clip_saver::give_up() noexcept {
  internals_->gives_up.store(true, std::memory_order_relaxed);
}

}  // namespace tickreel::echo_vr
