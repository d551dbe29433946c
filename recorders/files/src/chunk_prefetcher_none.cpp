// The prefetcher of builds without threads.
#include "chunk_prefetcher.hpp"

namespace tickreel::files {

struct chunk_prefetcher::internals {};

chunk_prefetcher::chunk_prefetcher(const byte_source&, codec_id, std::size_t,
                                   std::function<place(std::size_t)>) {}

chunk_prefetcher::~chunk_prefetcher() = default;

bool chunk_prefetcher::take(std::size_t, byte_vector&) {
  return false;
}

void set_prefetch_threads(std::optional<std::size_t>) noexcept {}

}  // namespace tickreel::files
