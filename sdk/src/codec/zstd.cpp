#include <zstd.h>
#include <zstd_errors.h>

#include "backend.hpp"

namespace tickreel {

namespace detail {

namespace {

class zstd_compressor final : public compressor_backend {
 public:
  ~zstd_compressor() override { ZSTD_freeCCtx(context_); }

  bool start(int level, byte_span dictionary) noexcept {
    return context_ != nullptr && works(ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level)) &&
           works(ZSTD_CCtx_setParameter(context_, ZSTD_c_contentSizeFlag, 1)) &&
           works(ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1)) &&
           (dictionary.empty() ||
            works(ZSTD_CCtx_loadDictionary(context_, dictionary.data(), dictionary.size())));
  }

  std::size_t bound(std::size_t size) const noexcept override { return ZSTD_compressBound(size); }

  result<std::size_t> compress(byte_span input, mutable_byte_span out) noexcept override {
    const std::size_t size = ZSTD_compress2(context_, out.data(), out.size(), input.data(), input.size());
    if (works(size)) return size;
    switch (ZSTD_getErrorCode(size)) {
      case ZSTD_error_memory_allocation:
        return fail(error_code::out_of_memory);
      case ZSTD_error_dictionary_corrupted:
      case ZSTD_error_dictionary_wrong:
        return fail(error_code::invalid_argument, error::no_offset, "not a zstd dictionary");
      default:
        return fail(error_code::buffer_too_small);
    }
  }

 private:
  static bool works(std::size_t status) noexcept { return ZSTD_isError(status) == 0; }

  ZSTD_CCtx* context_ = ZSTD_createCCtx();
};

// The frames of an input, without their content.
struct frame_walk {
  bool sizes_known = true;
  std::uint64_t declared_bytes = 0;
};

result<frame_walk> walk_frames(byte_span input) noexcept {
  frame_walk walk;
  std::size_t position = 0;
  while (position < input.size()) {
    const byte_span rest = input.subspan(position);
    const std::size_t size = ZSTD_findFrameCompressedSize(rest.data(), rest.size());
    if (ZSTD_isError(size)) {
      const bool short_input = ZSTD_getErrorCode(size) == ZSTD_error_srcSize_wrong;
      return fail(short_input ? error_code::truncated : error_code::corrupt_compression, position);
    }
    const unsigned long long declared = ZSTD_getFrameContentSize(rest.data(), rest.size());
    if (declared == ZSTD_CONTENTSIZE_ERROR) return fail(error_code::corrupt_compression, position);
    if (declared == ZSTD_CONTENTSIZE_UNKNOWN || walk.declared_bytes + declared < declared) {
      walk.sizes_known = false;
    } else {
      walk.declared_bytes += declared;
    }
    position += size;
  }
  return walk;
}

class zstd_decompressor final : public decompressor_backend {
 public:
  ~zstd_decompressor() override {
    ZSTD_freeDDict(dictionary_);
    ZSTD_freeDCtx(context_);
  }

  bool start() noexcept { return context_ != nullptr; }

  result<void> decompress(byte_span input, std::size_t limit_bytes, byte_vector& out,
                          byte_span dictionary) override {
    if (!use_dictionary(dictionary)) return fail(error_code::out_of_memory);
    const result<frame_walk> walk = walk_frames(input);
    if (!walk) return fail(walk.error());
    room_plan plan = plan_unknown_room(0, input.size(), limit_bytes);
    if (walk->sizes_known) {
      const result<room_plan> declared = plan_declared_room(walk->declared_bytes, input.size(), limit_bytes);
      if (!declared) return fail(declared.error());
      plan = *declared;
    }
    return decompress_into(out, plan, [&](mutable_byte_span room) { return attempt(input, room); });
  }

  prefix_end decompress_prefix(byte_span input, std::size_t limit_bytes, byte_vector& out) override {
    ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
    return collect_prefix(input, limit_bytes, out,
                          [this](byte_span rest, mutable_byte_span room) -> prefix_step {
                            ZSTD_inBuffer from{rest.data(), rest.size(), 0};
                            ZSTD_outBuffer to{room.data(), room.size(), 0};
                            const std::size_t status = ZSTD_decompressStream(context_, &to, &from);
                            return {from.pos, to.pos,
                                    ZSTD_isError(status) != 0 ? prefix_state::broken
                                    : status == 0             ? prefix_state::between
                                                              : prefix_state::inside};
                          });
  }

  result<std::size_t> decompress_first(byte_span input, std::size_t limit_bytes, byte_vector& out) override {
    const std::size_t size = ZSTD_findFrameCompressedSize(input.data(), input.size());
    if (ZSTD_isError(size) != 0) {
      const bool short_input = ZSTD_getErrorCode(size) == ZSTD_error_srcSize_wrong;
      return fail(short_input ? error_code::truncated : error_code::corrupt_compression, 0);
    }
    const auto done = decompress(input.first(size), limit_bytes, out, {});
    if (!done) return fail(done.error());
    return size;
  }

 private:
  // Whole inputs are decoded directly into their buffer, so no window is allocated, whatever size a frame
  // requests.
  result<std::size_t> attempt(byte_span input, mutable_byte_span room) noexcept {
    const std::size_t size = ZSTD_decompress_usingDDict(context_, room.data(), room.size(), input.data(),
                                                        input.size(), dictionary_);
    if (ZSTD_isError(size) == 0) return size;
    switch (ZSTD_getErrorCode(size)) {
      case ZSTD_error_dstSize_tooSmall:
        return fail(error_code::buffer_too_small, 0);
      case ZSTD_error_memory_allocation:
        return fail(error_code::out_of_memory);
      case ZSTD_error_dictionary_wrong:
        return fail(error_code::invalid_argument, 0, "needs the zstd dictionary with id {}",
                    ZSTD_getDictID_fromFrame(input.data(), input.size()));
      default:
        return fail(error_code::corrupt_compression, 0);
    }
  }

  // Digested once and cached. Identified by its hash, because the caller's memory may contain another
  // dictionary next time.
  bool use_dictionary(byte_span dictionary) noexcept {
    const std::uint64_t hash = dictionary.empty() ? 0 : xxh3_64(dictionary);
    if (hash == dictionary_hash_ && dictionary.size() == dictionary_size_) return true;
    ZSTD_freeDDict(dictionary_);
    dictionary_ = dictionary.empty() ? nullptr : ZSTD_createDDict(dictionary.data(), dictionary.size());
    const bool made = dictionary.empty() || dictionary_ != nullptr;
    dictionary_hash_ = made ? hash : 0;
    dictionary_size_ = made ? dictionary.size() : 0;
    return made;
  }

  ZSTD_DCtx* context_ = ZSTD_createDCtx();
  ZSTD_DDict* dictionary_ = nullptr;
  std::uint64_t dictionary_hash_ = 0;
  std::size_t dictionary_size_ = 0;
};

}  // namespace

result<std::unique_ptr<compressor_backend>> make_zstd_compressor(int level, byte_span dictionary) {
  auto made = std::make_unique<zstd_compressor>();
  if (!made->start(level, dictionary)) return fail(error_code::out_of_memory);
  return made;
}

result<std::unique_ptr<decompressor_backend>> make_zstd_decompressor() {
  auto made = std::make_unique<zstd_decompressor>();
  if (!made->start()) return fail(error_code::out_of_memory);
  return made;
}

}  // namespace detail

}  // namespace tickreel
