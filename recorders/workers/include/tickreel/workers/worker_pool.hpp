// Threads for what takes time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "tickreel/result.hpp"

namespace tickreel::workers {

// Jobs start in the order in which they were added; with one thread each ends before the next begins. They
// throw nothing. One thread, and no job, starts, adds and finishes.
class worker_pool {
 public:
  // Starts none yet.
  explicit worker_pool(std::size_t threads = 1) noexcept;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;
  // Finishes.
  ~worker_pool();

  // All threads. out_of_memory when the system gives fewer; those that it gave then work.
  result<void> start();
  // Starts what threads there are when none works yet. Without any the caller does the job: late is better
  // than never.
  void add(std::function<void()> job);
  // Waits until every job is done, and ends the threads. The next add() starts anew.
  void finish();

 private:
  struct running;

  std::size_t threads_;
  std::unique_ptr<running> running_;
};

}  // namespace tickreel::workers
