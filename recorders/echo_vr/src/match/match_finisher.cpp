#include "match_finisher.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tickreel::echo_vr {

// Removes a match's files from the count of waiting ones.
struct match_finisher::finishing_count {
  explicit finishing_count(match_finisher& finisher) : of(finisher) {}
  finishing_count(const finishing_count&) = delete;
  finishing_count& operator=(const finishing_count&) = delete;
  ~finishing_count() {
    const std::lock_guard lock(of.shared_.mutex);
    match_status& status = of.shared_.status;
    status.finishing_files -= of.options_.formats.size();
    status.finishing_done_bytes = status.finishing_total_bytes = 0;
  }
  match_finisher& of;
};

void match_finisher::add(std::unique_ptr<open_match> ended, std::uint64_t kept) {
  if (!ended) return;
  // Shared, because a job must be copyable.
  const std::shared_ptr<open_match> match = std::move(ended);
  const std::uint64_t ticks = match->frames();
  {
    const std::lock_guard lock(shared_.mutex);
    shared_.status.finishing_files += options_.formats.size();
    if (options_.buffer_ms != 0) shared_.status.discarded_ticks += ticks - std::min(ticks, kept);
  }
  jobs_.add([this, match, kept] { finish_match(*match, kept); });
}

void match_finisher::give_up(const open_match& failed, std::uint64_t kept) {
  const std::lock_guard lock(shared_.mutex);
  shared_.unwritten_ticks += failed.frames() - std::min(failed.frames(), kept);
}

void match_finisher::count_unopened_files() {
  if (options_.buffer_ms != 0) return;
  const std::lock_guard lock(shared_.mutex);
  shared_.status.files_failed += options_.formats.size();
}

void match_finisher::finish_match(open_match& ended, std::uint64_t kept) {
  const finishing_count counted(*this);
  if (ended.settle_for_good() == open_match::stage::failed) {
    reporter_.report(event_kind::disk_failed,
                     "could not record a match: " + ended.refused().back().sentence());
    give_up(ended, kept);
    count_unopened_files();
    return;
  }
  // The continuation of a buffer in the next reel is not reported.
  if (options_.buffer_ms == 0) (void)reporter_.files_started(ended.take_announcement(), options_.buffer_ms);
  {
    const std::lock_guard lock(shared_.mutex);
    shared_.dropped_in_finished += ended.dropped_while_opening();
    shared_.status.files_failed += ended.missing_formats().size();
  }
  for (const record_format format : ended.missing_formats()) {
    reporter_.report(event_kind::disk_failed, "a match could not be recorded as " +
                                                  std::string(name(format)) + ": " +
                                                  ended.refused().back().sentence());
  }
  for (const auto& file : ended.files()) finish_file(*file);
}

void match_finisher::finish_file(match_file& file) {
  files::monitor watch;
  watch.progress = [this](std::uint64_t bytes, std::uint64_t total) {
    const std::lock_guard lock(shared_.mutex);
    shared_.status.finishing_done_bytes = bytes;
    shared_.status.finishing_total_bytes = total;
  };
  watch.cancelled = [this] { return is_cancelled_.load(std::memory_order_relaxed); };
  const finished_file done = file.finish(watch);
  {
    const std::lock_guard lock(shared_.mutex);
    shared_.dropped_in_finished += done.dropped_ticks;
    shared_.left_out_in_finished += done.left_out;
    if (done.failure) {
      ++shared_.status.files_failed;
    } else if (done.ticks != 0 && !done.was_buffer) {
      ++shared_.status.files_finished;
    }
  }
  reporter_.file_finished(done);
}

}  // namespace tickreel::echo_vr
