#include "tickreel/echo_vr/record_session.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "match_file.hpp"
#include "retention_list.hpp"
#include "tickreel/echo_vr/latency.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/net/event_loop.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::echo_vr {
namespace {

using clock = std::chrono::steady_clock;

// The maximum time until stop() is noticed.
constexpr std::chrono::milliseconds stop_check_interval{25};
constexpr std::size_t targets_per_thread = 8;
constexpr std::size_t usual_max_threads = 4;

bool is_rate(double rate_hz) noexcept {
  return rate_hz >= min_rate_hz && rate_hz <= max_rate_hz;
}

result<void> check(const record_options& options) {
  const auto wrong = [](const char* detail) {
    return fail(error_code::invalid_argument, error::no_offset, detail);
  };
  if (options.targets.empty()) return wrong("there is no target to record");
  if (options.targets.size() > max_targets) return wrong("too many targets");
  if (options.matches.formats.empty()) return wrong("there is no format to record in");
  for (std::size_t i = 0; i < options.matches.formats.size(); ++i) {
    const auto begin = options.matches.formats.begin();
    const auto here = begin + static_cast<std::ptrdiff_t>(i);
    if (std::find(begin, here, *here) != here) return wrong("a format is named twice");
  }
  if (options.matches.buffer_ms != 0 && options.matches.file_per_round) {
    return wrong("a buffer cannot be split by rounds");
  }
  if (options.matches.clips != nullptr && options.matches.live == nullptr) {
    return wrong("clips need a live feed");
  }
  if (!check_name_pattern(options.matches.name_pattern).empty()) {
    return wrong("the file name pattern is invalid, see check_name_pattern()");
  }
  if (!is_rate(options.polls.rate_hz)) return wrong("the rate must be from 0.1 to 120 polls per second");
  if (options.matches.idle_rate_hz != 0 && !is_rate(options.matches.idle_rate_hz)) {
    return wrong("the idle rate must be 0 or from 0.1 to 120 polls per second");
  }
  if (options.polls.retry_interval_ms == 0 || options.polls.connect_timeout_ms == 0 ||
      options.polls.answer_timeout_ms == 0) {
    return wrong("intervals and time limits must be above 0");
  }
  return {};
}

// Fails now rather than at the first match.
result<void> check_writable(const std::filesystem::path& folder) {
  const auto made = published_file::create(folder / write_check_name, false);
  return made ? result<void>() : fail(made.error());
}

}  // namespace

struct record_session::internals {
  // One target: counts its polls and passes them on.
  struct worker final : poll_listener {
    worker(net::event_loop& loop, const target& to, const record_options& options,
           const event_function& events)
        : where(to),
          recorder(to, options.polls, options.matches, events),
          polling(std::in_place, loop, to, options.polls, *this) {
      rate_hz = 0;
    }

    double on_poll(const poll_outcome& outcome) override {
      const double wanted_hz = recorder.on_poll(outcome);
      const std::lock_guard lock(mutex);
      state = outcome.state;
      ++polls;
      if (outcome.state == target_state::unreachable || outcome.state == target_state::bad_answer) {
        ++polls_failed;
      } else {
        latency.add(outcome.latency_us);
      }
      rate_hz = wanted_hz;
      return wanted_hz;
    }

    [[nodiscard]] target_status status(std::uint32_t retry_interval_ms) const {
      target_status now;
      now.where = where;
      now.match = recorder.status();
      const std::lock_guard lock(mutex);
      now.state = state;
      now.polls = polls;
      now.polls_failed = polls_failed;
      now.latency_p50_us = latency.quantile(0.50);
      now.latency_p99_us = latency.quantile(0.99);
      now.rate_hz = rate_hz > 0 ? rate_hz : 1000.0 / retry_interval_ms;
      return now;
    }

    const target where;
    match_recorder recorder;
    mutable std::mutex mutex;
    target_state state = target_state::connecting;
    latency_histogram latency;
    std::uint64_t polls = 0;
    std::uint64_t polls_failed = 0;
    double rate_hz = 0;
    std::optional<poller> polling;
  };

  // One thread and the targets it serves.
  struct lane {
    net::event_loop loop;
    net::loop_timer stop_check{loop};
    std::vector<std::unique_ptr<worker>> workers;
    std::thread thread;
  };

  internals(const record_options& from, event_function to) : options(from), listener(std::move(to)) {}

  ~internals() { join(); }

  void report(const record_event& event) {
    if (listener) {
      const std::lock_guard lock(event_mutex);
      listener(event);
    }
    if (event.kind == event_kind::file_finished) keep(event.path, event.bytes);
  }

  // On its own thread: slow deletion must not delay polls.
  void keep(const file_path& finished, std::uint64_t bytes) {
    if (!kept) return;
    const std::lock_guard lock(keeper_mutex);
    keeper.add([this, finished, bytes] {
      const std::int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                      std::chrono::system_clock::now().time_since_epoch())
                                      .count();
      if (!finished.empty()) {
        if (const auto added = kept->add(filesystem_path(finished), bytes, now_ms); !added) {
          report_retention(event_kind::keeping_failed, finished, 0,
                           "it will not be deleted by age: " + describe(added.error()));
        }
      }
      remove_surplus(now_ms);
    });
  }

  void remove_surplus(std::int64_t now_ms) {
    const auto removed = kept->remove_surplus(now_ms);
    if (!removed) {
      report_retention(event_kind::keeping_failed, options.matches.folder, 0,
                       "could not check for old recordings: " + describe(removed.error()));
      return;
    }
    for (const retention_list::removed_file& each : *removed) {
      const std::string name = file_path(each.path.filename()).utf8();
      if (!each.outcome) {
        report_retention(event_kind::keeping_failed, each.path, each.bytes,
                         "could not remove " + name + ": " + describe(each.outcome.error()));
      } else {
        report_retention(
            event_kind::file_removed, each.path, each.bytes,
            "removed " + name +
                (each.too_old ? ": it was too old" : ": the recordings exceeded the size limit"));
      }
    }
  }

  void report_retention(event_kind kind, const file_path& path, std::uint64_t bytes, std::string line) {
    record_event event;
    event.kind = kind;
    event.path = path;
    event.bytes = bytes;
    event.line = std::move(line);
    report(event);
  }

  void report_leftovers() {
    for (const file_path& left : find_leftover_reels(options.matches.folder)) {
      const std::filesystem::path reel = filesystem_path(left);
      record_event event;
      event.kind = event_kind::left_over;
      event.path = left;
      event.line = was_recovered(reel) ? "a recorder died and left \"" + left.utf8() + "\", of which \"" +
                                             file_path(recovered_file(reel)).utf8() + "\" already exists"
                                       : "a recorder died and left a reel, run: " + recover_command(reel);
      report(event);
    }
  }

  void remove_temporary_files() {
    for (const file_path& left : remove_leftover_parts(options.matches.folder)) {
      record_event event;
      event.kind = event_kind::left_over;
      event.path = left;
      event.line = "removed \"" + left.utf8() + "\", a temporary file of a killed program";
      report(event);
    }
  }

  void make_lanes() {
    const std::size_t count = options.targets.size();
    std::size_t threads = options.threads;
    if (threads == 0)
      threads = std::min(usual_max_threads, (count + targets_per_thread - 1) / targets_per_thread);
    threads = std::min(threads, count);
    const event_function events = [this](const record_event& event) { report(event); };
    for (std::size_t i = 0; i < threads; ++i) lanes.push_back(std::make_unique<lane>());
    for (std::size_t i = 0; i < count; ++i) {
      lane& to = *lanes[i % threads];
      to.workers.push_back(std::make_unique<worker>(to.loop, options.targets[i], options, events));
    }
  }

  void run() {
    begun_at = clock::now();
    for (const auto& each : lanes) {
      for (const auto& polled : each->workers) polled->polling->start();
      check_stop(*each);
      {
        const std::lock_guard lock(running_mutex);
        ++running;
      }
      each->thread = std::thread([this, &on = *each] {
        on.loop.run();
        const std::lock_guard lock(running_mutex);
        --running;
        running_changed.notify_all();
      });
    }
  }

  void check_stop(lane& from) {
    const auto now = clock::now();
    const bool over =
        options.duration_ms != 0 && now - begun_at >= std::chrono::milliseconds(options.duration_ms);
    if (!over && !stop_wanted.load(std::memory_order_relaxed)) {
      from.stop_check.at(now + stop_check_interval, [this, &from] { check_stop(from); });
      return;
    }
    for (const auto& each : from.workers) {
      each->polling.reset();
      each->recorder.finish_match();
    }
    from.loop.stop();
  }

  void join() {
    stop_wanted = true;
    for (const auto& each : lanes) {
      if (each->thread.joinable()) each->thread.join();
    }
  }

  const record_options options;
  const event_function listener;
  std::mutex event_mutex;
  std::optional<retention_list> kept;
  std::mutex keeper_mutex;
  workers::worker_pool keeper;  // destroyed before the members that its jobs use
  std::vector<std::unique_ptr<lane>> lanes;
  clock::time_point begun_at;
  std::atomic<bool> stop_wanted{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "stop() must be async-signal-safe");

  mutable std::mutex running_mutex;
  mutable std::condition_variable running_changed;
  std::size_t running = 0;
};

record_session::record_session(std::unique_ptr<internals> owned) noexcept : internals_(std::move(owned)) {}
record_session::record_session(record_session&&) noexcept = default;
record_session& record_session::operator=(record_session&&) noexcept = default;
record_session::~record_session() = default;

result<record_session> record_session::start(const record_options& options, event_function events) {
  if (const result<void> checked = check(options); !checked) return fail(checked.error());
  if (const result<void> checked = check_path(options.matches.folder); !checked) return fail(checked.error());
  try {
    const std::filesystem::path folder = filesystem_path(options.matches.folder);
    if (const auto made = create_folders(folder); !made) {
      return tl::unexpected<error>(
          from_system_error(made.error().system_error, "creating the folder for the recordings"));
    }
    if (const result<void> checked = check_writable(folder); !checked) return fail(checked.error());
    auto made = std::make_unique<internals>(options, std::move(events));
    made->remove_temporary_files();
    made->report_leftovers();
    if (options.keep.max_age_ms != 0 || options.keep.max_bytes != 0) {
      made->kept.emplace(folder, options.keep);
      made->keep({}, 0);
    }
    made->make_lanes();
    made->run();
    return record_session(std::move(made));
  } catch (const std::bad_alloc&) {
    return fail(error_code::out_of_memory);
  } catch (const std::exception&) {
    return fail(error_code::io_failed, error::no_offset, "the polling threads could not be started");
  }
}

void record_session::stop() noexcept {
  internals_->stop_wanted.store(true, std::memory_order_relaxed);
}

bool record_session::wait_for(std::chrono::milliseconds time) const {
  std::unique_lock lock(internals_->running_mutex);
  return internals_->running_changed.wait_for(lock, time, [this] { return internals_->running == 0; });
}

std::vector<target_status> record_session::status() const {
  std::vector<target_status> all;
  for (const auto& each : internals_->lanes) {
    for (const auto& polled : each->workers) {
      all.push_back(polled->status(internals_->options.polls.retry_interval_ms));
    }
  }
  // In the order of their names, independent of their thread.
  const auto& order = internals_->options.targets;
  const auto place = [&](const target_status& of) { return std::find(order.begin(), order.end(), of.where); };
  std::sort(all.begin(), all.end(),
            [&](const target_status& a, const target_status& b) { return place(a) < place(b); });
  return all;
}

void record_session::cancel_publishing() noexcept {
  for (const auto& each : internals_->lanes) {
    for (const auto& polled : each->workers) polled->recorder.cancel_publishing();
  }
}

session_report record_session::finish() {
  internals_->join();
  session_report report;
  for (const auto& each : internals_->lanes) {
    for (const auto& polled : each->workers) {
      polled->recorder.close();
      const match_status done = polled->recorder.status();
      report.files_finished += done.files_finished;
      report.files_failed += done.files_failed;
      report.frames += done.total_frames;
      report.lost_polls += done.lost_polls;
      report.dropped_ticks += done.dropped_ticks;
      report.left_out += done.left_out;
      report.discarded_ticks += done.discarded_ticks;
      report.repeated_ticks += done.repeated_ticks;
    }
  }
  internals_->keeper.finish();
  return report;
}

}  // namespace tickreel::echo_vr
