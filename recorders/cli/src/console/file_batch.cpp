#include "file_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>

#include "console.hpp"
#include "stop_signal.hpp"
#include "store_files.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/workers/worker_pool.hpp"
#include "verb.hpp"

namespace tickreel::cli {

namespace {

std::uint64_t size_of(const std::string& file) {
  const auto found = status_of(file);
  return found && found->kind == entry_kind::file ? found->bytes : 0;
}

// Whether to continue with the next file.
bool write(const std::string& file, file_outcome& outcome, int& code) {
  if (outcome.in_turn) outcome.in_turn(outcome);
  if (outcome.failure) {
    // This verb writes nothing, so an interruption needs no remedy.
    report_error(outcome.failed_file.empty() ? file : outcome.failed_file, *outcome.failure,
                 outcome.failure->code != error_code::interrupted);
  }
  if (outcome.failure || !outcome.sound) code = failed;
  if (outcome.left_out && code == done) code = done_with_loss;
  return outcome.text.empty() || standard_output().write(outcome.text);
}

// The outcomes of files, computed on as many threads as there are cores.
class batch {
 public:
  using work_function = std::function<file_outcome(std::size_t, const files::monitor&)>;

  batch(const std::vector<std::string>& files, const work_function& work)
      : files_(&files),
        work_(&work),
        outcomes_(files.size()),
        threads_(std::min<std::size_t>(workers::processors(), files.size())) {
    for (std::size_t index = 0; index < files.size(); ++index) {
      threads_.add([this, index] { look_at(index); });
    }
  }
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;
  ~batch() { give_up_ = true; }

  // The outcome of a file once it is ready; empty after a short wait without one.
  std::optional<file_outcome> wait_for(std::size_t index) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    const bool there = done_.wait_for(lock, 100ms, [&] { return outcomes_[index].has_value(); });
    if (!there) return std::nullopt;
    return std::move(outcomes_[index]);
  }
  [[nodiscard]] std::uint64_t bytes_done() const noexcept { return bytes_done_; }

 private:
  void look_at(std::size_t index) {
    const files::monitor watch = {{}, [this] { return give_up_ || stop_requested(); }};
    if (watch.stop()) return;
    const std::string& file = (*files_)[index];
    file_outcome outcome = (*work_)(index, watch);
    bytes_done_ += size_of(file);
    const std::lock_guard lock(mutex_);
    outcomes_[index] = std::move(outcome);
    done_.notify_one();
  }

  const std::vector<std::string>* files_;
  const work_function* work_;
  std::atomic<std::uint64_t> bytes_done_ = 0;
  std::atomic<bool> give_up_ = false;
  std::mutex mutex_;
  std::condition_variable done_;
  std::vector<std::optional<file_outcome>> outcomes_;
  workers::worker_pool threads_;  // last member: destroyed before the members that its jobs use
};

int run_one(const std::string& file, const char* doing, const batch::work_function& work) {
  progress_bar bar(fmt::format("{} {}", doing, file));
  file_outcome outcome = work(0, bar.monitor());
  bar.clear();
  int code = done;
  write(file, outcome, code);
  return code;
}

}  // namespace

bool add_named_files(const std::vector<std::string>& named, std::vector<named_file>& out) {
  bool whole = true;
  for (const std::string& each : named) {
    if (files::is_distant(each)) {
      whole = add_objects(each, out) && whole;
      continue;
    }
    if (!is_folder(each)) {
      out.push_back({each});
      continue;
    }
    std::vector<std::string> found;
    const auto read = visit_files_below(each, [&](const folder_entry& entry) {
      found.push_back(entry.path.utf8());
      return true;
    });
    if (!read) {
      report_error(each, read.error());
      whole = false;
    }
    std::ranges::sort(found);
    for (std::string& file : found) out.push_back({std::move(file), true});
  }
  return whole;
}

void report_no_files() {
  report_error("found no files");
  report_advice("name recordings, or folders that contain some");
}

int run_batch(const std::vector<std::string>& files, const char* doing, const batch::work_function& work) {
  if (files.size() == 1) return run_one(files.front(), doing, work);
  std::uint64_t total = 0;
  for (const std::string& each : files) total += size_of(each);
  progress_bar bar(fmt::format("{} {}", doing, counted(files.size(), "file")));
  int code = done;
  std::size_t failures = 0;
  batch running(files, work);
  for (std::size_t index = 0; index < files.size();) {
    std::optional<file_outcome> outcome = running.wait_for(index);
    bar.show(running.bytes_done(), total);
    if (!outcome) {
      if (stop_requested()) return failed;
      continue;
    }
    if (outcome->failure) {
      if (stop_requested()) return failed;
      ++failures;
    }
    if (!outcome->text.empty() || outcome->failure || outcome->in_turn) bar.clear();
    if (!write(files[index], *outcome, code)) return code;
    ++index;
  }
  bar.clear();
  if (failures > 0)
    report_error(fmt::format("{} of {} cannot be read", failures, counted(files.size(), "file")));
  return code;
}

int run_batch(const std::vector<std::string>& files, const char* doing,
              const std::function<file_outcome(const std::string&, const files::monitor&)>& work) {
  return run_batch(files, doing,
                   [&](std::size_t place, const files::monitor& watch) { return work(files[place], watch); });
}

}  // namespace tickreel::cli
