#include <lz4frame.h>

#include "backend.hpp"

namespace tickreel::detail {

namespace {

class lz4_compressor final : public compressor_backend {
 public:
  explicit lz4_compressor(int level) noexcept {
    preferences_.frameInfo.blockSizeID = LZ4F_max4MB;
    preferences_.frameInfo.blockMode = LZ4F_blockLinked;
    preferences_.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    preferences_.compressionLevel = level;
    // All input comes in one call, so nothing must be buffered.
    preferences_.autoFlush = 1;
  }
  ~lz4_compressor() override { LZ4F_freeCompressionContext(context_); }

  bool start() noexcept { return !LZ4F_isError(LZ4F_createCompressionContext(&context_, LZ4F_VERSION)); }

  std::size_t bound(std::size_t size) const noexcept override {
    return LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(size, &preferences_);
  }

  result<std::size_t> compress(byte_span input, mutable_byte_span out) noexcept override {
    preferences_.frameInfo.contentSize = input.size();
    std::size_t size = LZ4F_compressBegin(context_, out.data(), out.size(), &preferences_);
    if (LZ4F_isError(size)) return fail(error_code::wrong_state);
    if (!input.empty()) {
      const std::size_t more = LZ4F_compressUpdate(context_, out.data() + size, out.size() - size,
                                                   input.data(), input.size(), nullptr);
      if (LZ4F_isError(more)) return fail(error_code::buffer_too_small);
      size += more;
    }
    const std::size_t end = LZ4F_compressEnd(context_, out.data() + size, out.size() - size, nullptr);
    if (LZ4F_isError(end)) return fail(error_code::buffer_too_small);
    return size + end;
  }

 private:
  LZ4F_cctx* context_ = nullptr;
  LZ4F_preferences_t preferences_ = LZ4F_INIT_PREFERENCES;
};

class lz4_decompressor final : public decompressor_backend {
 public:
  ~lz4_decompressor() override { LZ4F_freeDecompressionContext(context_); }

  bool start() noexcept { return !LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)); }

  result<void> decompress(byte_span input, std::size_t limit_bytes, byte_vector& out, byte_span) override {
    // A reset keeps the remaining size of an abandoned frame (observed in lz4 1.9.4), and the next frame
    // without a size would fail. Therefore a failure costs a new context.
    if (given_up_) {
      LZ4F_freeDecompressionContext(context_);
      context_ = nullptr;
      if (!start()) return fail(error_code::out_of_memory);
    }
    result<void> done = open_frame(input, limit_bytes, out);
    given_up_ = !done;
    return done;
  }

  prefix_end decompress_prefix(byte_span input, std::size_t limit_bytes, byte_vector& out) override {
    LZ4F_freeDecompressionContext(context_);
    context_ = nullptr;
    given_up_ = true;
    if (!start()) return prefix_end::damaged;
    bool ended = false;
    return collect_prefix(
        input, limit_bytes, out, [&](byte_span rest, mutable_byte_span room) -> prefix_step {
          // One frame without trailing bytes.
          if (ended) return {};
          prefix_step step{rest.size(), room.size()};
          const std::size_t status =
              LZ4F_decompress(context_, room.data(), &step.produced, rest.data(), &step.consumed, nullptr);
          ended = status == 0;
          step.state = LZ4F_isError(status) != 0 ? prefix_state::broken
                       : ended                   ? prefix_state::between
                                                 : prefix_state::inside;
          return step;
        });
  }

  result<std::size_t> decompress_first(byte_span, std::size_t, byte_vector&) override {
    return fail(error_code::unsupported_codec);
  }

 private:
  result<void> open_frame(byte_span input, std::size_t limit_bytes, byte_vector& out) {
    LZ4F_resetDecompressionContext(context_);
    LZ4F_frameInfo_t info{};
    std::size_t header_size = input.size();
    if (const std::size_t status = LZ4F_getFrameInfo(context_, &info, input.data(), &header_size);
        LZ4F_isError(status)) {
      return fail(input.size() < LZ4F_HEADER_SIZE_MAX && shorter_than_header(input)
                      ? error_code::truncated
                      : error_code::corrupt_compression,
                  0);
    }
    if (info.frameType != LZ4F_frame)
      return fail(error_code::corrupt_compression, 0, "not an lz4 frame of data");
    room_plan plan = plan_unknown_room(0, input.size(), limit_bytes);
    // The field is optional, and 0 when absent.
    if (info.contentSize != 0) {
      const result<room_plan> declared = plan_declared_room(info.contentSize, input.size(), limit_bytes);
      if (!declared) return fail(declared.error());
      plan = *declared;
    }
    return decompress_into(out, plan,
                           [&](mutable_byte_span room) { return attempt(input, room, info.contentSize); });
  }

  static bool shorter_than_header(byte_span input) noexcept {
    if (input.size() < LZ4F_MIN_SIZE_TO_KNOW_HEADER_LENGTH) return true;
    const std::size_t needed = LZ4F_headerSize(input.data(), input.size());
    return !LZ4F_isError(needed) && input.size() < needed;
  }

  result<std::size_t> attempt(byte_span input, mutable_byte_span room,
                              std::uint64_t declared_bytes) noexcept {
    LZ4F_resetDecompressionContext(context_);
    // The buffer does not move between the calls below, so the library need not keep a copy.
    LZ4F_decompressOptions_t options{};
    options.stableDst = 1;
    std::size_t consumed = 0;
    std::size_t produced = 0;
    while (true) {
      std::size_t taken = input.size() - consumed;
      std::size_t made = room.size() - produced;
      const std::size_t status =
          LZ4F_decompress(context_, room.data() + produced, &made, input.data() + consumed, &taken, &options);
      if (LZ4F_isError(status)) return fail(error_code::corrupt_compression, consumed);
      consumed += taken;
      produced += made;
      if (status == 0) break;
      if (taken == 0 && made == 0) {
        // Both may be exhausted. Unless the content is known to be complete, a larger buffer shows whether
        // more is pending.
        const bool complete = consumed == input.size() && produced == declared_bytes;
        if (produced == room.size() && !complete) return fail(error_code::buffer_too_small, consumed);
        return fail(error_code::truncated, consumed);
      }
    }
    if (consumed < input.size())
      return fail(error_code::corrupt_compression, consumed, "bytes after the frame");
    return produced;
  }

  LZ4F_dctx* context_ = nullptr;
  bool given_up_ = false;
};

}  // namespace

result<std::unique_ptr<compressor_backend>> make_lz4_compressor(int level) {
  auto made = std::make_unique<lz4_compressor>(level);
  if (!made->start()) return fail(error_code::out_of_memory);
  return made;
}

result<std::unique_ptr<decompressor_backend>> make_lz4_decompressor() {
  auto made = std::make_unique<lz4_decompressor>();
  if (!made->start()) return fail(error_code::out_of_memory);
  return made;
}

}  // namespace tickreel::detail
