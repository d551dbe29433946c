// Builds without threads: the caller runs the jobs.
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::workers {

struct worker_pool::running {};

worker_pool::worker_pool(std::size_t threads) noexcept : threads_(threads) {}

worker_pool::~worker_pool() = default;

result<void> worker_pool::start() {
  if (threads_ == 0) return {};
  return fail(error_code::unsupported_operation, error::no_offset, "there are no threads");
}

void worker_pool::add(std::function<void()> job) {
  job();
}

void worker_pool::finish() {}

std::size_t processors() noexcept {
  return 1;
}

}  // namespace tickreel::workers
