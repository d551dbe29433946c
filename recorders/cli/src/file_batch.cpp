#include "file_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

#include "console.hpp"
#include "stop_signal.hpp"
#include "verb.hpp"

namespace tickreel::cli {

namespace {

std::uint64_t size_of(const std::string& file) {
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(file, unknown);
  return unknown ? 0 : size;
}

// Whether to go on with the next file.
bool write(const std::string& file, const file_outcome& outcome, int& code) {
  if (outcome.failure) {
    // Nothing is ever written here, so an interrupted look needs no advice.
    report_error(file, *outcome.failure, outcome.failure->code != error_code::interrupted);
  }
  if (outcome.failure || !outcome.sound) code = failed;
  return outcome.text.empty() || standard_output().write(outcome.text);
}

// Threads that take one file after the other.
class workers {
 public:
  using work_function = std::function<file_outcome(const std::string&, const recording::monitor&)>;

  workers(const std::vector<std::string>& files, const work_function& work)
      : files_(&files), work_(&work), outcomes_(files.size()) {
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    try {
      for (std::size_t i = 0; i < std::min(cores, files.size()); ++i) {
        threads_.emplace_back([this] { run(); });
      }
    } catch (const std::system_error&) {
      // Fewer do it as well, or none.
    }
    if (threads_.empty()) run();
  }
  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;
  ~workers() {
    give_up_ = true;
    for (std::thread& each : threads_) each.join();
  }

  // The outcome of a file once it is there; empty when nothing happened for a moment.
  std::optional<file_outcome> wait_for(std::size_t index) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    const bool there = done_.wait_for(lock, 100ms, [&] { return outcomes_[index].has_value(); });
    if (!there) return std::nullopt;
    return std::move(outcomes_[index]);
  }
  [[nodiscard]] std::uint64_t bytes_done() const noexcept { return bytes_done_; }

 private:
  void run() {
    const recording::monitor watch = {{}, [this] { return give_up_ || stop_requested(); }};
    for (std::size_t index = next_++; index < files_->size() && !watch.stop(); index = next_++) {
      const std::string& file = (*files_)[index];
      file_outcome outcome = (*work_)(file, watch);
      bytes_done_ += size_of(file);
      const std::lock_guard lock(mutex_);
      outcomes_[index] = std::move(outcome);
      done_.notify_one();
    }
  }

  const std::vector<std::string>* files_;
  const work_function* work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::uint64_t> bytes_done_ = 0;
  std::atomic<bool> give_up_ = false;
  std::mutex mutex_;
  std::condition_variable done_;
  std::vector<std::optional<file_outcome>> outcomes_;
  std::vector<std::thread> threads_;
};

int run_one(const std::string& file, const char* doing, const workers::work_function& work) {
  progress_bar bar(fmt::format("{} {}", doing, file));
  const file_outcome outcome = work(file, bar.monitor());
  bar.clear();
  int code = done;
  write(file, outcome, code);
  return code;
}

}  // namespace

int run_batch(const std::vector<std::string>& files, const char* doing, const workers::work_function& work) {
  if (files.size() == 1) return run_one(files.front(), doing, work);
  std::uint64_t total = 0;
  for (const std::string& each : files) total += size_of(each);
  progress_bar bar(fmt::format("{} {} files", doing, files.size()));
  int code = done;
  std::size_t failures = 0;
  workers running(files, work);
  for (std::size_t index = 0; index < files.size();) {
    const std::optional<file_outcome> outcome = running.wait_for(index);
    bar.show(running.bytes_done(), total);
    if (!outcome) {
      if (stop_requested()) return failed;
      continue;
    }
    if (outcome->failure) {
      if (stop_requested()) return failed;
      ++failures;
    }
    if (!outcome->text.empty() || outcome->failure) bar.clear();
    if (!write(files[index], *outcome, code)) return code;
    ++index;
  }
  bar.clear();
  if (failures > 0) report_error(fmt::format("{} of {} files cannot be read", failures, files.size()));
  return code;
}

}  // namespace tickreel::cli
