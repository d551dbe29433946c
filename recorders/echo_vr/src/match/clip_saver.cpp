#include "tickreel/echo_vr/clip_saver.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "cut_clip.hpp"
#include "match_file.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo_vr/name_pattern.hpp"

namespace tickreel::echo_vr {

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto clip_check_interval = 50ms;
// Chunks are sealed about once a second. A clip whose last tick does not arrive, because the game is gone,
// waits this long.
constexpr auto longest_wait = 4s;
constexpr auto seal_interval = 250ms;
// Requests within this time share their clips.
constexpr auto same_request = 1s;
// More requests than users make: all share the same clips.
constexpr std::size_t max_waiting = 64;

std::int64_t utc_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// A part of one match that is saved in each of its formats.
struct pending_clip {
  std::string target;
  std::string session_id;
  std::string label;       // "goal"
  std::int64_t at_ms = 0;  // the clip is cut from the file that holds this time
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
  clock::time_point due;        // its last tick has arrived by then
  clock::time_point next_look;  // whether that tick is in the reel
  std::vector<record_format> made;
  clip_name name;
  std::uint64_t request = 0;  // of ask(); 0: of an event
};

// "Ann_goal"; only the type if the player is unknown.
std::string label_of(const echo::event& happened) {
  std::string name;
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.player; }) name = kind.player.name.view();
      },
      happened.what);
  const std::string type(echo::type_name(happened));
  return name.empty() ? type : file_stem("{client}", {.client = name}) + '_' + type;
}

struct request {
  std::uint64_t number = 0;
  clock::time_point since;
  std::vector<std::function<void(const saved_clips&)>> done;
  saved_clips answer;
  bool was_in_vain = false;  // no match is recorded
};

}  // namespace

struct clip_saver::internals {
  internals(const live_feed& from, clip_options how, event_function listener)
      : feed(from), options(std::move(how)), events(std::move(listener)) {
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
  void tell(const record_event& event) const {
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
    for (const live_event& each : found) want(each);
    const bool was_asked = asked.exchange(false);
    if (was_asked || !callers.empty()) want_now(std::exchange(callers, {}));
  }

  void want(const live_event& happened) {
    const auto& types = options.types;
    if (std::find(types.begin(), types.end(), happened.what.what.index()) == types.end()) return;
    if (!options.player.empty() && !echo::concerns(happened.what, options.player)) return;
    const std::int64_t at_ms = happened.what.time_ms - happened.what.late_ms;
    pending_clip clip;
    clip.target = happened.target;
    clip.session_id = happened.sessionid;
    clip.label = label_of(happened.what);
    clip.at_ms = at_ms;
    clip.from_ms = at_ms - options.before_ms;
    clip.to_ms = at_ms + options.after_ms;
    const std::int64_t wait_ms = std::int64_t{options.after_ms} - happened.what.late_ms;
    clip.due = clip.next_look = clock::now() + std::chrono::milliseconds(std::max<std::int64_t>(wait_ms, 0));
    // Merges overlapping clips.
    for (pending_clip& other : waiting) {
      const bool same = other.request == 0 && other.made.empty() && other.target == clip.target &&
                        other.session_id == clip.session_id && clip.from_ms <= other.to_ms &&
                        clip.to_ms - other.from_ms <= options.longest_ms && are_in_one_file(other, clip);
      if (!same) continue;
      other.to_ms = std::max(other.to_ms, clip.to_ms);
      other.due = other.next_look = std::max(other.due, clip.due);
      return;
    }
    waiting.push_back(std::move(clip));
  }

  [[nodiscard]] bool are_in_one_file(const pending_clip& one, const pending_clip& other) const {
    for (const record_format format : all_record_formats) {
      const clip_source* const first = best_source(one, format);
      if (first != nullptr) return first == best_source(other, format);
    }
    return true;
  }

  void want_now(std::vector<std::function<void(const saved_clips&)>> done) {
    if (request* const same = current_request()) {
      std::move(done.begin(), done.end(), std::back_inserter(same->done));
      return;
    }
    const std::uint64_t number = ++last_request;
    const std::int64_t now_ms = utc_ms();
    std::vector<const clip_source*> seen;
    for (const clip_source& each : sources) {
      const bool known = std::any_of(seen.begin(), seen.end(), [&](const clip_source* other) {
        return other->target == each.target && other->session_id == each.session_id;
      });
      if (known) continue;
      seen.push_back(&each);
      pending_clip clip;
      clip.target = each.target;
      clip.session_id = each.session_id;
      clip.label = "clip";
      clip.at_ms = now_ms;
      clip.from_ms = now_ms - options.asked_ms;
      clip.to_ms = now_ms;
      clip.due = clip.next_look = clock::now();
      clip.request = number;
      waiting.push_back(std::move(clip));
    }
    requests.push_back({number, clock::now(), std::move(done), {}, seen.empty()});
    if (seen.empty()) requests.back().answer.failure = "no match is recorded now";
  }

  // A request whose clips all still wait; null if there is none.
  request* current_request() {
    if (requests.empty() || clock::now() - requests.back().since > same_request) return nullptr;
    request& last = requests.back();
    std::size_t clips = 0;
    for (const pending_clip& each : waiting) {
      if (each.request != last.number) continue;
      if (!each.made.empty()) return nullptr;
      ++clips;
    }
    const bool is_whole = last.answer.clips.empty() && last.answer.failure.empty();
    return clips != 0 && is_whole && last.done.size() < max_waiting ? &last : nullptr;
  }

  [[nodiscard]] static bool is_better(const clip_source& one, const clip_source& other, std::int64_t at_ms) {
    const bool one_has_it = one.begin_ms <= at_ms;
    const bool other_has_it = other.begin_ms <= at_ms;
    if (one.is_buffer || !one_has_it || !other_has_it) return one.begin_ms < other.begin_ms;
    return one.begin_ms > other.begin_ms;  // which continues where the other one ended
  }

  // The reel that holds the time of a clip; of two that do, the one that holds more.
  [[nodiscard]] const clip_source* best_source(const pending_clip& clip, record_format format) const {
    const clip_source* best = nullptr;
    for (const clip_source& each : sources) {
      if (each.format != format || each.target != clip.target || each.session_id != clip.session_id) continue;
      if (each.begin_ms > clip.to_ms) continue;
      if (best == nullptr || is_better(each, *best, clip.at_ms)) best = &each;
    }
    return best;
  }

  // `at_end`: no more ticks are expected.
  void cut_what_is_due(bool at_end) {
    const std::lock_guard alone(cutting);
    for (;;) {
      std::optional<pending_clip> clip = take_due(at_end);
      if (!clip) break;
      const std::vector<clip_source> from = sources_of(*clip);
      const bool patient =
          !at_end && !gives_up.load(std::memory_order_relaxed) && clock::now() < clip->due + longest_wait;
      const bool is_there = std::all_of(
          from.begin(), from.end(), [&](const clip_source& each) { return is_there_to(each, clip->to_ms); });
      if (patient && !is_there) {
        clip->next_look = clock::now() + seal_interval;
        const std::lock_guard lock(mutex);
        waiting.push_back(std::move(*clip));
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

  std::optional<pending_clip> take_due(bool at_end) {
    const std::lock_guard lock(mutex);
    const auto now = clock::now();
    const auto due = std::find_if(waiting.begin(), waiting.end(), [&](const pending_clip& each) {
      return at_end || (now >= each.due && now >= each.next_look);
    });
    if (due == waiting.end()) return std::nullopt;
    std::optional<pending_clip> taken = std::move(*due);
    waiting.erase(due);
    return taken;
  }

  // The remaining formats.
  std::vector<clip_source> sources_of(const pending_clip& clip) {
    const std::lock_guard lock(mutex);
    std::vector<clip_source> all;
    for (const record_format format : all_record_formats) {
      if (std::find(clip.made.begin(), clip.made.end(), format) != clip.made.end()) continue;
      if (const clip_source* const best = best_source(clip, format)) all.push_back(*best);
    }
    return all;
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
      if (request* const of_request = request_of(clip)) {
        of_request->answer.clips.push_back({clip.target, done->path, done->ticks});
      }
    }
    tell(event);
  }

  void failed(const pending_clip& clip, std::string why) {
    record_event event;
    event.kind = event_kind::clip_failed;
    event.target = clip.target;
    event.line = std::move(why);
    {
      const std::lock_guard lock(mutex);
      ++counted.failed;
      if (request* const of_request = request_of(clip)) of_request->answer.failure = event.line;
    }
    tell(event);
  }

  // The caller holds `mutex`.
  request* request_of(const pending_clip& clip) {
    const auto found_request = std::find_if(requests.begin(), requests.end(),
                                            [&](const request& each) { return each.number == clip.request; });
    return found_request == requests.end() ? nullptr : &*found_request;
  }

  void answer_requests() {
    std::vector<request> ready;
    {
      const std::lock_guard lock(mutex);
      const auto waits = [&](const request& each) {
        return std::any_of(waiting.begin(), waiting.end(),
                           [&](const pending_clip& clip) { return clip.request == each.number; });
      };
      const auto first = std::stable_partition(requests.begin(), requests.end(), waits);
      std::move(first, requests.end(), std::back_inserter(ready));
      requests.erase(first, requests.end());
    }
    for (const request& each : ready) {
      for (const auto& done : each.done) {
        if (done) guarded([&] { done(each.answer); });
      }
      if (!each.was_in_vain || !events) continue;
      record_event event;
      event.kind = event_kind::clip_failed;
      event.line = "no clip was saved: " + each.answer.failure;
      tell(event);
    }
  }

  // Cuts all clips that this reel serves better than the remaining ones, now that it is complete.
  void close(const file_path& reel, const files::monitor& watch) {
    guarded([this] { collect(); });
    guarded([&] { cut_before_removal(reel, watch); });
    const std::lock_guard alone(cutting);
    const std::lock_guard lock(mutex);
    std::erase_if(sources, [&](const clip_source& each) { return each.reel == reel; });
  }

  void cut_before_removal(const file_path& reel, const files::monitor& watch) {
    const std::lock_guard alone(cutting);
    std::vector<std::pair<pending_clip, clip_source>> now;
    {
      const std::lock_guard lock(mutex);
      const auto gone = std::find_if(sources.begin(), sources.end(),
                                     [&](const clip_source& each) { return each.reel == reel; });
      if (gone == sources.end()) return;
      const clip_source source = *gone;
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        pending_clip& clip = waiting[i];
        const bool made = std::find(clip.made.begin(), clip.made.end(), source.format) != clip.made.end();
        if (made || best_source(clip, source.format) != &*gone) continue;
        const bool covered = std::any_of(sources.begin(), sources.end(), [&](const clip_source& each) {
          return source.is_buffer && each.reel != reel && each.format == source.format &&
                 each.target == source.target && each.session_id == source.session_id &&
                 each.begin_ms <= clip.from_ms;
        });
        if (covered) continue;
        now.emplace_back(clip, source);
        clip.made.push_back(source.format);
      }
    }
    for (auto& [clip, source] : now) cut(clip, source, watch);
    const std::lock_guard lock(mutex);
    for (pending_clip& clip : waiting) {
      for (const auto& [done, source] : now) {
        const bool same = done.target == clip.target && done.session_id == clip.session_id &&
                          done.from_ms == clip.from_ms && done.request == clip.request;
        if (same) clip.name = done.name;
      }
    }
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
  std::vector<clip_source> sources;
  std::vector<pending_clip> waiting;
  std::vector<std::function<void(const saved_clips&)>> callers;
  std::vector<request> requests;
  std::uint64_t last_request = 0;
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
    if (internals_->callers.size() < max_waiting && !ends) {
      internals_->callers.push_back(std::move(done));
      done = nullptr;
    }
  }
  if (done && ends) done({{}, "the recording ends"});
  if (done && !ends) {
    done({{}, std::to_string(max_waiting) + " requests for clips are waiting: try again in a second", true});
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
  internals_->sources.push_back(std::move(reel));
}

void clip_saver::closing(const file_path& reel, const files::monitor& watch) {
  internals_->close(reel, watch);
}

void clip_saver::give_up() noexcept {
  internals_->gives_up.store(true, std::memory_order_relaxed);
}

}  // namespace tickreel::echo_vr
