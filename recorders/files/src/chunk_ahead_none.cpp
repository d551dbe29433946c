// Where there are no threads.
#include "chunk_ahead.hpp"

namespace tickreel::files {

struct chunk_ahead::internals {};

chunk_ahead::chunk_ahead(const byte_source&, codec_id, std::size_t, std::function<place(std::size_t)>) {}

chunk_ahead::~chunk_ahead() = default;

bool chunk_ahead::take(std::size_t, byte_vector&) {
  return false;
}

void set_threads_ahead(std::optional<std::size_t>) noexcept {}

}  // namespace tickreel::files
