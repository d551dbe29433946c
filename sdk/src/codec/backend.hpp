// The interface of codec.cpp to each codec library. One file per library implements it; builds without the
// library omit the file.
#pragma once

#include <algorithm>
#include <memory>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/result.hpp"

namespace tickreel::detail {

class compressor_backend {
 public:
  compressor_backend() = default;
  compressor_backend(const compressor_backend&) = delete;
  compressor_backend& operator=(const compressor_backend&) = delete;
  virtual ~compressor_backend() = default;

  [[nodiscard]] virtual std::size_t bound(std::size_t size) const noexcept = 0;
  // Fills `out`, whose size is at least bound(input.size()); returns the bytes used.
  virtual result<std::size_t> compress(byte_span input, mutable_byte_span out) noexcept = 0;
};

class decompressor_backend {
 public:
  decompressor_backend() = default;
  decompressor_backend(const decompressor_backend&) = delete;
  decompressor_backend& operator=(const decompressor_backend&) = delete;
  virtual ~decompressor_backend() = default;

  virtual result<void> decompress(byte_span input, std::size_t limit_bytes, byte_vector& out,
                                  byte_span dictionary) = 0;
  // See decompressor. `out` is empty on entry.
  virtual prefix_end decompress_prefix(byte_span input, std::size_t limit_bytes, byte_vector& out) = 0;
  virtual result<std::size_t> decompress_first(byte_span input, std::size_t limit_bytes,
                                               byte_vector& out) = 0;
};

result<std::unique_ptr<compressor_backend>> make_gzip_compressor(int level);
result<std::unique_ptr<compressor_backend>> make_lz4_compressor(int level);
result<std::unique_ptr<compressor_backend>> make_zstd_compressor(int level, byte_span dictionary);
result<std::unique_ptr<decompressor_backend>> make_gzip_decompressor();
result<std::unique_ptr<decompressor_backend>> make_lz4_decompressor();
result<std::unique_ptr<decompressor_backend>> make_zstd_decompressor();

// How much memory to provide for an output of unknown size.
struct room_plan {
  std::size_t first_bytes;  // for the first attempt
  std::size_t max_bytes;    // for the last attempt
  error_code when_short;    // the error if even that is too small
};

// A stream that declares its size may use exactly that. The declaration alone causes only a small allocation;
// most is allocated after the stream has produced data.
[[nodiscard]] inline result<room_plan> plan_declared_room(std::uint64_t declared_bytes,
                                                          std::size_t input_bytes,
                                                          std::size_t limit_bytes) noexcept {
  if (declared_bytes > limit_bytes) {
    return fail(error_code::over_limit, 0, "{} bytes decompressed, limit {}",
                static_cast<std::int64_t>(declared_bytes), static_cast<std::int64_t>(limit_bytes));
  }
  constexpr std::size_t unproven_bytes = 1u << 20;
  const auto declared = static_cast<std::size_t>(declared_bytes);
  const std::size_t believable =
      std::max(unproven_bytes, input_bytes > limit_bytes / 256 ? limit_bytes : input_bytes * 256);
  return room_plan{std::min(declared, believable), declared, error_code::corrupt_compression};
}

// A stream without a declared size, or with only a hint (0 for none).
[[nodiscard]] inline room_plan plan_unknown_room(std::size_t hint_bytes, std::size_t input_bytes,
                                                 std::size_t limit_bytes) noexcept {
  const std::size_t guess =
      std::max<std::size_t>(16384, input_bytes > limit_bytes / 8 ? limit_bytes : input_bytes * 8);
  return {std::min(limit_bytes, hint_bytes != 0 ? hint_bytes : guess), limit_bytes, error_code::over_limit};
}

// Calls attempt(room) with growing buffers until it no longer fails with buffer_too_small. Restarting costs a
// third more time at worst, and never holds an old and a new buffer at the same time.
template <class Attempt>
result<void> decompress_into(byte_vector& out, const room_plan& plan, Attempt attempt) {
  std::size_t room = plan.first_bytes;
  while (true) {
    if (room > out.capacity()) byte_vector().swap(out);
    out.resize(room);
    const result<std::size_t> size = attempt(mutable_byte_span(out));
    if (size) {
      out.resize(*size);
      return {};
    }
    if (size.error().code != error_code::buffer_too_small || room == plan.max_bytes) {
      out.clear();
      if (size.error().code != error_code::buffer_too_small) return fail(size.error());
      return fail(plan.when_short, size.error().offset, "more than {} bytes decompressed",
                  static_cast<std::int64_t>(plan.max_bytes));
    }
    room = room > plan.max_bytes / 4 ? plan.max_bytes : room * 4;
  }
}

// Calls step(rest of the input, room) until it has no more data, and keeps its output. step returns how many
// bytes of both it used, and the resulting state.
enum class prefix_state : std::uint8_t {
  between,  // at the end of a member or frame with a valid checksum
  inside,   // inside one: more output follows if the input continues
  broken,
};
struct prefix_step {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  prefix_state state = prefix_state::broken;
};
template <class Step>
prefix_end collect_prefix(byte_span input, std::size_t limit_bytes, byte_vector& out, Step step) {
  constexpr std::size_t block_bytes = 64u << 10;
  while (out.size() < limit_bytes) {
    const std::size_t before = out.size();
    out.resize(before + std::min(block_bytes, limit_bytes - before));
    const prefix_step done = step(input, mutable_byte_span(out).subspan(before));
    out.resize(before + done.produced);
    input = input.subspan(done.consumed);
    if (done.state == prefix_state::broken) return prefix_end::damaged;
    if (done.state == prefix_state::between && input.empty()) return prefix_end::whole;
    if (done.consumed == 0 && done.produced == 0) return prefix_end::cut;
  }
  return prefix_end::cut;
}

}  // namespace tickreel::detail
