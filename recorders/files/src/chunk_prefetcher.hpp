// Prefetches and decompresses the next chunks on worker threads while the reader decodes the current chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

// For formats whose chunks are compressed separately. Use from one thread at a time. All prefetchers of a
// process share a few threads, and a waiting reader works on the queue itself: so prefetching is never slower
// than reading without it, and take() cannot wait forever. Memory: a few chunks of limited size. Without
// threads (builds without them, one processor) and for slow sources, take() returns false.
class chunk_prefetcher {
 public:
  struct place {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
  };
  // The number of prefetched chunks, and the largest size of a chunk, compressed and decompressed.
  static constexpr std::size_t max_chunks = 4;
  static constexpr std::size_t max_chunk_bytes = 8u << 20;

  // `place_of` is called for chunks below `count`, by the thread that calls take().
  chunk_prefetcher(const byte_source& from, codec_id codec, std::size_t count,
                   std::function<place(std::size_t chunk)> place_of);
  chunk_prefetcher(const chunk_prefetcher&) = delete;
  chunk_prefetcher& operator=(const chunk_prefetcher&) = delete;
  // Waits for the chunk that a thread is working on.
  ~chunk_prefetcher();

  // Moves the content of a prefetched chunk into `out`. False unless the two chunks before it were requested
  // too, so that a single seek prefetches nothing. False also if the chunk is damaged or large: the caller
  // then reads it and reports the error.
  bool take(std::size_t chunk, byte_vector& out);

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

// The number of worker threads of prefetchers opened from now on. By default the number of processors minus
// one, at most 3. For tests.
void set_prefetch_threads(std::optional<std::size_t> threads) noexcept;

}  // namespace tickreel::files
