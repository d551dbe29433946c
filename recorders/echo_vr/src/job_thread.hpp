// Does what takes time, so that polling need not: opening files, laying finished ones out.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace tickreel::echo_vr {

// Jobs are done one after the other in the order they came. The thread starts with the first one.
class job_thread {
 public:
  job_thread() = default;
  job_thread(const job_thread&) = delete;
  job_thread& operator=(const job_thread&) = delete;
  ~job_thread() { finish(); }

  // Where no thread is to be had, the caller does the job: late polls are better than no recording.
  void add(std::function<void()> job) {
    std::unique_lock lock(mutex_);
    jobs_.push_back(std::move(job));
    if (thread_.joinable() || start()) {
      changed_.notify_one();
    } else {
      while (!jobs_.empty()) do_one(lock);
    }
  }

  // Waits until every job is done. The next add() starts anew.
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
    ending_ = false;
  }

 private:
  bool start() {
    try {
      thread_ = std::thread([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      do_one(lock);
    }
  }
  void do_one(std::unique_lock<std::mutex>& lock) {
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace tickreel::echo_vr
