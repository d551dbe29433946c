// Bytes that an index stores compressed: u8 codec | the bytes, compressed.
#pragma once

#include <cstddef>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/result.hpp"

namespace tickreel::library {

class byte_compressor {
 public:
  // `level`: see codec_options.
  static result<byte_compressor> create(int level = 0) {
    auto codec = compressor::create({.level = level});
    if (!codec) return fail(codec.error());
    return byte_compressor(std::move(*codec));
  }

  // Replaces `out`.
  result<void> compress(byte_span bytes, byte_vector& out) {
    if (auto done = codec_.compress(bytes, packed_); !done) return done;
    out.assign(1, static_cast<std::byte>(codec_.codec()));
    out.insert(out.end(), packed_.begin(), packed_.end());
    return {};
  }

 private:
  explicit byte_compressor(compressor codec) noexcept : codec_(std::move(codec)) {}

  compressor codec_;
  byte_vector packed_;
};

// Replaces `out`, with at most `limit_bytes`.
inline result<void> decompress_bytes(decompressor& codec, byte_span stored, std::size_t limit_bytes,
                                     byte_vector& out) {
  if (stored.empty()) return fail(error_code::truncated);
  return codec.decompress(static_cast<codec_id>(stored[0]), stored.subspan(1), limit_bytes, out);
}

}  // namespace tickreel::library
