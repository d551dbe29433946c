// Chunks to compress: typical contents of recordings, and extreme cases.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"

namespace tickreel::test {

inline constexpr codec_id every_codec[] = {codec_id::none, codec_id::gzip, codec_id::lz4, codec_id::zstd};

inline byte_vector noise(std::mt19937_64& random, std::size_t size) {
  byte_vector bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Frames of small numbers that rarely change.
inline byte_vector frames(std::mt19937_64& random, std::size_t size) {
  byte_vector bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = i >= 48 && random() % 6 != 0 ? bytes[i - 48] : static_cast<std::byte>(random() % 64);
  }
  return bytes;
}

struct sample {
  std::string name;
  byte_vector bytes;
};

inline std::vector<sample> samples(std::mt19937_64& random) {
  return {{"empty", {}},
          {"one byte", noise(random, 1)},
          {"frames", frames(random, 30000)},
          {"many frames", frames(random, 400000)},
          {"noise", noise(random, 5000)},
          {"zeros", byte_vector(3000000)}};
}

inline compressor make_compressor(codec_id codec, int level = 0, byte_span dictionary = {}) {
  return std::move(*compressor::create({codec, level, dictionary}));
}

inline byte_vector compressed(codec_id codec, byte_span input, int level = 0) {
  byte_vector out;
  (void)make_compressor(codec, level).compress(input, out);
  return out;
}

}  // namespace tickreel::test
