// Worker threads for long jobs.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "tickreel/result.hpp"

namespace tickreel::workers {

// Jobs start in the order in which they were added; with one thread each ends before the next begins. Jobs
// must not throw. start(), add() and finish() are called by one thread, and never by a job.
class worker_pool {
 public:
  // Starts no thread yet.
  explicit worker_pool(std::size_t threads = 1) noexcept;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;
  // Finishes.
  ~worker_pool();

  // Starts all threads. out_of_memory if the system creates fewer; those that it created then work.
  result<void> start();
  // Starts the threads if none runs. Without any thread the caller runs the job.
  void add(std::function<void()> job);
  // Waits until every job is done, and ends the threads. The next add() starts them again.
  void finish();

 private:
  struct running;

  std::size_t threads_;
  std::unique_ptr<running> running_;
};

// Of this machine; at least 1.
[[nodiscard]] std::size_t processors() noexcept;

}  // namespace tickreel::workers
