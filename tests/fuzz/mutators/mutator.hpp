// A mutator knows a format: it changes a part of an input and keeps lengths, checksums and compression valid. libFuzzer's own
// mutations rarely get past those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"

// Declared by libFuzzer without a header.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace tickreel::fuzz {

using random_source = std::minstd_rand;

// At least 1 possible value.
[[nodiscard]] inline std::size_t below(random_source& random, std::size_t count) {
  return random() % std::max<std::size_t>(count, 1);
}

struct mutator {
  // Both return nothing for an input that they cannot parse; libFuzzer's own mutations apply to it.
  std::optional<byte_vector> (*mutate)(byte_span input, random_source& random);
  std::optional<byte_vector> (*cross_over)(byte_span one, byte_span other, random_source& random);
  // One of so many mutations is libFuzzer's own: some inputs must have wrong lengths and checksums.
  std::size_t plain_share = 8;
};

// Defined once for each fuzzer that has a mutator.
extern const mutator program_mutator;

inline void append(byte_vector& to, byte_span bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// libFuzzer's own mutations of a container of bytes, with room for a few more.
template <class Bytes>
void mutate_bytes(Bytes& bytes) {
  constexpr std::size_t growth_bytes = 64;
  const std::size_t size = bytes.size();
  bytes.resize(size + growth_bytes);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
}

// The same for fields of a fixed size before a content: mutates the fields or the content.
inline void mutate_fields_or_content(byte_vector& bytes, std::size_t field_bytes, random_source& random) {
  bytes.resize(std::max(bytes.size(), field_bytes));
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(field_bytes);
  byte_vector fields(bytes.begin(), middle);
  byte_vector content(middle, bytes.end());
  mutate_bytes(below(random, 3) == 0 ? fields : content);
  fields.resize(field_bytes);
  append(fields, content);
  bytes = std::move(fields);
}

// Compressed fast; nothing with an unknown codec.
inline std::optional<byte_vector> packed(codec_id codec, byte_span bytes) {
  static std::map<codec_id, result<compressor>> packers;
  auto found = packers.find(codec);
  if (found == packers.end())
    found = packers.emplace(codec, compressor::create({codec, codec == codec_id::none ? 0 : 1})).first;
  byte_vector out;
  if (!found->second || !found->second->compress(bytes, out)) return std::nullopt;
  return out;
}

}  // namespace tickreel::fuzz
