// Reads the pieces of a .butter that its decoder asks for: from memory, from a file, or prefetched.
#pragma once

#include <memory>

#include "chunk_prefetcher.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

class pieces_of_source final : public butter::file_pieces {
 public:
  explicit pieces_of_source(const byte_source& from) : from_(from) {}
  result<byte_span> read(std::uint64_t offset, std::size_t count) override;
  bool unpacked(std::size_t chunk, byte_vector& out) override {
    return ahead_ != nullptr && ahead_->take(chunk, out);
  }

  // `of` must not move.
  void look_ahead(const butter::reader& of);

 private:
  byte_source from_;
  std::unique_ptr<chunk_prefetcher> ahead_;
};

struct opened_head {
  butter::reader reader;
  byte_vector head;  // up to the first chunk; empty without chunks
};

// Reads as much as the head and the table of chunks turn out to have. `pieces` must outlive the reader.
result<opened_head> read_head(pieces_of_source& pieces, std::uint64_t file_bytes,
                              const butter::reader_options& reading);

}  // namespace tickreel::files
