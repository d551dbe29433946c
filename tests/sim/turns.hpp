// Processes that run at the same time: threads, of which one works until it passes its turn on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tickreel::sim {

class turns {
 public:
  // Returns after all have ended. `resumes` is called with the number of the one that works from then on. Throws what one
  // of them has thrown.
  void run(const std::vector<std::function<void()>>& all, const std::function<void(std::size_t)>& resumes) {
    resumes_ = resumes;
    left_ = all.size();
    ended_.assign(all.size(), false);
    now_ = 0;
    std::exception_ptr thrown;
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < all.size(); ++number) {
      threads.emplace_back([&, number] {
        std::unique_lock guard(lock_);
        wait_for(number, guard);
        guard.unlock();
        try {
          all[number]();
        } catch (...) {
          if (!thrown) thrown = std::current_exception();
        }
        guard.lock();
        ended_[number] = true;
        --left_;
        give_on(number);
      });
    }
    for (std::thread& each : threads) each.join();
    resumes_ = nullptr;
    if (thrown) std::rethrow_exception(thrown);
  }
  // From the one that works: returns when it works again. Does nothing if all others have ended.
  void pass() {
    std::unique_lock guard(lock_);
    if (left_ < 2) return;
    const std::size_t number = now_;
    give_on(number);
    wait_for(number, guard);
  }

 private:
  void give_on(std::size_t from) {
    for (std::size_t i = 1; left_ != 0 && i <= ended_.size(); ++i) {
      now_ = (from + i) % ended_.size();
      if (!ended_[now_]) break;
    }
    changed_.notify_all();
  }
  void wait_for(std::size_t number, std::unique_lock<std::mutex>& guard) {
    changed_.wait(guard, [&] { return now_ == number; });
    if (resumes_) resumes_(number);
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::function<void(std::size_t)> resumes_;
  std::vector<bool> ended_;
  std::size_t left_ = 0;
  std::size_t now_ = 0;
};

}  // namespace tickreel::sim
