#include "butter_pieces.hpp"

#include <algorithm>

namespace tickreel::files {

namespace {

// Of a compressed chunk. Those of the known writer have 5 MB at most.
constexpr std::size_t max_piece_bytes = 260u << 20;

}  // namespace

result<byte_span> pieces_of_source::read(std::uint64_t offset, std::size_t count) {
  if (count > max_piece_bytes && !from_.in_memory()) {
    return fail(error_code::over_limit, offset, "a chunk of {} bytes", static_cast<std::int64_t>(count));
  }
  return from_.view(offset, count);
}

void pieces_of_source::look_ahead(const butter::reader& of) {
  ahead_ = std::make_unique<chunk_prefetcher>(
      from_, butter::codec_of(of.head().codec).codec, of.chunk_count(), [&of](std::size_t chunk) {
        return chunk_prefetcher::place{of.chunk_offset(chunk), of.chunk_bytes(chunk)};
      });
}

result<opened_head> read_head(pieces_of_source& pieces, std::uint64_t file_bytes,
                              const butter::reader_options& reading) {
  constexpr std::uint64_t usual_bytes = 16u << 10;
  constexpr std::uint64_t max_bytes = 8u << 20;  // more than as many chunks and players as there may be
  for (std::uint64_t wanted = usual_bytes;; wanted *= 8) {
    const std::uint64_t count = std::min(wanted, file_bytes);
    const auto begin = pieces.read(0, static_cast<std::size_t>(count));
    if (!begin) return fail(begin.error());
    auto opened = butter::reader::open(*begin, file_bytes, pieces, reading);
    const bool is_short = !opened && opened.error().code == error_code::truncated;
    if (is_short && begin->size() == count && count < file_bytes && wanted < max_bytes) continue;
    if (!opened) return fail(opened.error());
    const bool has_chunks = opened->chunk_count() != 0;
    const auto head = begin->first(has_chunks ? static_cast<std::size_t>(opened->chunk_offset(0)) : 0);
    return opened_head{std::move(*opened), {head.begin(), head.end()}};
  }
}

}  // namespace tickreel::files
