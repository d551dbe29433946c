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

// Whether this build has the codec; of `automatic`, true.
[[nodiscard]] bool is_available(codec_id codec) noexcept;
// For `automatic` the first of zstd, gzip, lz4 and none that this build has; else the codec itself.
[[nodiscard]] codec_id resolve(codec_id codec) noexcept;

struct codec_options {
  codec_id codec = codec_id::automatic;
  // The codec's own scale (gzip 1-9, lz4 1-12, zstd 1-22); 0 chooses 6, 1 or 3. `automatic` takes 1 to 22
  // and lowers it to the codec's highest.
  int level = 0;
  // zstd only: a dictionary made by `zstd --train` or ZDICT_trainFromBuffer(). Must outlive the compressor.
  byte_span dictionary = {};
};

// Compresses chunks one by one; keeps the codec's context between them. One thread at a time.
class compressor {
 public:
  // Fails with unsupported_codec when the build lacks it, invalid_argument for a level out of range.
  static result<compressor> create(const codec_options& options);

  compressor(compressor&&) noexcept;
  compressor& operator=(compressor&&) noexcept;
  ~compressor();

  [[nodiscard]] codec_id codec() const noexcept;
  // The most bytes that `size` bytes can become.
  [[nodiscard]] std::size_t bound(std::size_t size) const noexcept;
  // Replaces the content of `out`, reusing its memory.
  // gzip: one member, no name, no time. zstd and lz4: one frame with its content size and a checksum.
  // The same input gives the same bytes, whatever came before; but not from lz4, which may differ a little.
  result<void> compress(byte_span input, byte_vector& out);

 private:
  struct state;
  explicit compressor(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

// Where decompress_prefix() came to.
enum class prefix_end : std::uint8_t {
  whole,  // nothing is missing, and every checksum there is was right
  cut,    // the input ends too early, or the limit was reached: right, if no byte of it was changed
  // A byte is wrong, and nobody knows which: the checksum stands at the end. Nothing that came out can be
  // trusted.
  damaged,
};

// Opens chunks; the counterpart of compressor. One thread at a time.
class decompressor {
 public:
  decompressor();
  decompressor(decompressor&&) noexcept;
  decompressor& operator=(decompressor&&) noexcept;
  ~decompressor();

  // Replaces the content of `out`, and leaves it empty on failure. Takes never more than `limit_bytes` of
  // memory for it, whatever the input claims: over_limit beyond. The libraries add at most some 10 MB of
  // their own. gzip: one or more members. zstd: one or more frames, with or without content size. lz4: one
  // frame of the lz4 frame format. Bytes after them are an error, and so is an input without any. A missing
  // or wrong dictionary is invalid_argument; codecs other than zstd ignore it.
  result<void> decompress(codec_id codec, byte_span input, std::size_t limit_bytes, byte_vector& out,
                          byte_span dictionary = {});

  // As much as can be had from the start of a cut or damaged input, of at most `limit_bytes`; perhaps
  // nothing. Whether it can be trusted is what comes back.
  prefix_end decompress_prefix(codec_id codec, byte_span input, std::size_t limit_bytes, byte_vector& out);

  // The first gzip member or zstd frame alone, whatever follows it: how long it is there. Fails as
  // decompress() does; unsupported_codec for the others, whose inputs are not laid end to end.
  result<std::size_t> decompress_first(codec_id codec, byte_span input, std::size_t limit_bytes,
                                       byte_vector& out);

 private:
  struct state;
  [[nodiscard]] detail::decompressor_backend* backend_of(codec_id codec);
  std::unique_ptr<state> state_;
};

// XXH3, 64 bits, seed 0. The hash in every reel record.
[[nodiscard]] std::uint64_t xxh3_64(byte_span input) noexcept;

}  // namespace tickreel
