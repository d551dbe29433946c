#include "tickreel/workers/worker_pool.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tickreel::workers {

// Asio's queue of jobs, run by our threads. Its own thread_pool waits without end for the threads it started
// if the system refuses a later one.
struct worker_pool::running {
  boost::asio::io_context jobs;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> waiting{jobs.get_executor()};
  std::vector<std::thread> threads;

  ~running() {
    waiting.reset();
    for (std::thread& each : threads) each.join();
  }
};

worker_pool::worker_pool(std::size_t threads) noexcept : threads_(threads) {}

worker_pool::~worker_pool() {
  finish();
}

result<void> worker_pool::start() {
  if (running_ != nullptr) return {};
  auto made = std::make_unique<running>();
  made->threads.reserve(threads_);
  result<void> all;
  try {
    while (made->threads.size() < threads_) {
      made->threads.emplace_back([&jobs = made->jobs] { jobs.run(); });
    }
  } catch (const std::system_error& refused) {
    all = fail(thread_refused(refused.code().value(), "starting threads for jobs"));
  }
  if (!made->threads.empty()) running_ = std::move(made);
  return all;
}

void worker_pool::add(std::function<void()> job) {
  // Fewer threads are enough.
  (void)start();
  if (running_ != nullptr) {
    boost::asio::post(running_->jobs, std::move(job));
  } else {
    job();
  }
}

void worker_pool::finish() {
  running_.reset();
}

std::size_t processors() noexcept {
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace tickreel::workers
