// Compression of whole chunks, and the hash that seals them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

namespace detail {
class decompressor_backend;
}

// Values are stored in reels; never renumber. `automatic` is never stored.
enum class codec_id : std::uint8_t { none = 0, gzip = 1, lz4 = 2, zstd = 3, automatic = 255 };

// "none", "gzip", "lz4", "zstd" and back.
[[nodiscard]] std::string_view name(codec_id codec) noexcept;
[[nodiscard]] std::optional<codec_id> codec_from_name(std::string_view name) noexcept;

// Whether this build has the codec; true for `automatic`.
[[nodiscard]] bool is_available(codec_id codec) noexcept;
// For `automatic` the first of zstd, gzip, lz4 and none that this build has; otherwise the codec itself.
[[nodiscard]] codec_id resolve(codec_id codec) noexcept;

struct codec_options {
  codec_id codec = codec_id::automatic;
  // The codec's own scale (gzip 1-9, lz4 1-12, zstd 1-22); 0 selects 6, 1 or 3. `automatic` accepts 1 to 22
  // and limits it to the codec's highest.
  int level = 0;
  // zstd only: a dictionary made by `zstd --train` or ZDICT_trainFromBuffer(). Must outlive the compressor.
  byte_span dictionary = {};
};

// Compresses chunks one by one and reuses the codec's context. One thread at a time.
class compressor {
 public:
  // Fails with unsupported_codec if the build lacks it, invalid_argument for a level out of range.
  static result<compressor> create(const codec_options& options);

  compressor(compressor&&) noexcept;
  compressor& operator=(compressor&&) noexcept;
  ~compressor();

  [[nodiscard]] codec_id codec() const noexcept;
  // The largest compressed size of `size` bytes.
  [[nodiscard]] std::size_t bound(std::size_t size) const noexcept;
  // Replaces the content of `out`, reusing its memory. gzip: one member, no name, no time. zstd and lz4: one
  // frame with its content size and a checksum. The output depends only on the input, except for lz4, which
  // may vary slightly.
  result<void> compress(byte_span input, byte_vector& out);

 private:
  struct state;
  explicit compressor(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

// The end that decompress_prefix() reached.
enum class prefix_end : std::uint8_t {
  whole,  // the input is complete, and all of its checksums are valid
  cut,    // the input is truncated, or the limit was reached; valid unless a byte of it was changed
  // A byte is wrong. Its position is unknown because the checksum is at the end: the output cannot be
  // trusted.
  damaged,
};

// Decompresses chunks; the counterpart of compressor. One thread at a time.
class decompressor {
 public:
  decompressor();
  decompressor(decompressor&&) noexcept;
  decompressor& operator=(decompressor&&) noexcept;
  ~decompressor();

  // Replaces the content of `out`; empty on failure. Never allocates more than `limit_bytes` for it, whatever
  // size the input states: over_limit beyond. The libraries add at most about 10 MB. gzip: one or more
  // members. zstd: one or more frames, with or without content size. lz4: one frame of the lz4 frame format.
  // Trailing bytes are an error, and so is an empty input. A missing or wrong dictionary is invalid_argument;
  // codecs other than zstd ignore it.
  result<void> decompress(codec_id codec, byte_span input, std::size_t limit_bytes, byte_vector& out,
                          byte_span dictionary = {});

  // Decompresses the beginning of a truncated or damaged input, at most `limit_bytes`; possibly nothing. The
  // result states whether the output can be trusted.
  prefix_end decompress_prefix(codec_id codec, byte_span input, std::size_t limit_bytes, byte_vector& out);

  // Decompresses the first gzip member or zstd frame and returns its stored size; other bytes may follow.
  // Fails as decompress() does; unsupported_codec for other codecs, whose inputs are never concatenated.
  result<std::size_t> decompress_first(codec_id codec, byte_span input, std::size_t limit_bytes,
                                       byte_vector& out);

 private:
  struct state;
  [[nodiscard]] detail::decompressor_backend* backend_of(codec_id codec);
  std::unique_ptr<state> state_;
};

// XXH3, 64 bits, seed 0: the hash of every reel record.
[[nodiscard]] std::uint64_t xxh3_64(byte_span input) noexcept;

}  // namespace tickreel
