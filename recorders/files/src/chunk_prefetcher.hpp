// Unpacks the chunks of a file that follow, on threads of its own, while somebody is busy with the one
// before.
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

// For formats whose chunks are packed each on its own. One thread at a time. All of a process share their few
// threads, and whoever waits works with them: so it is never slower than without, and nobody waits for ever.
// Memory: a few chunks, none of them large. Without threads, which includes builds that have none, one
// processor, and bytes that are far away, take() gives nothing.
class chunk_prefetcher {
 public:
  struct place {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
  };
  // How many chunks may be ready, or under way, besides the one that was taken; and how large one may be, as
  // it is stored and unpacked.
  static constexpr std::size_t most_chunks = 4;
  static constexpr std::size_t most_chunk_bytes = 8u << 20;

  // `place_of` is asked for chunks below `count`, by the thread that takes.
  chunk_prefetcher(const byte_source& from, codec_id codec, std::size_t count,
                   std::function<place(std::size_t chunk)> place_of);
  chunk_prefetcher(const chunk_prefetcher&) = delete;
  chunk_prefetcher& operator=(const chunk_prefetcher&) = delete;
  // Waits for the chunk that a thread is busy with.
  ~chunk_prefetcher();

  // Whether `out` became the content of the chunk. Not unless the two before it were asked for, too, so that
  // a look at a place unpacks nothing else; and not where it is not whole and sound, or large: whoever asks
  // finds out by himself what is wrong with it.
  bool take(std::size_t chunk, byte_vector& out);

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

// How many threads unpack ahead, of all that are opened from now on: as many as there are processors besides
// the one at work, but 3 at most, unless a number is given. For tests.
void set_threads_ahead(std::optional<std::size_t> threads) noexcept;

}  // namespace tickreel::files
