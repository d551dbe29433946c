#include "tickreel/codec/zstd_stream.hpp"

#ifdef TICKREEL_HAS_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

namespace tickreel {

#ifdef TICKREEL_HAS_ZSTD

struct zstd_stream::state {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  bool at_start = true;
  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() { ZSTD_freeDCtx(context); }
};

result<zstd_stream> zstd_stream::create(int largest_window_log) {
  auto made = std::make_unique<state>();
  if (made->context == nullptr) return fail(error_code::out_of_memory);
  if (ZSTD_isError(ZSTD_DCtx_setParameter(made->context, ZSTD_d_windowLogMax, largest_window_log)) != 0) {
    return fail(error_code::invalid_argument);
  }
  return zstd_stream(std::move(made));
}

result<zstd_stream::step> zstd_stream::decode(byte_span input, mutable_byte_span room) {
  ZSTD_inBuffer from{input.data(), input.size(), 0};
  ZSTD_outBuffer to{room.data(), room.size(), 0};
  while (from.pos < from.size || to.pos < to.size) {
    const std::size_t consumed_before = from.pos;
    const std::size_t produced_before = to.pos;
    const std::size_t status = ZSTD_decompressStream(state_->context, &to, &from);
    if (ZSTD_isError(status) != 0) {
      switch (ZSTD_getErrorCode(status)) {
        case ZSTD_error_memory_allocation:
          return fail(error_code::out_of_memory);
        case ZSTD_error_frameParameter_windowTooLarge:
          return fail(error_code::over_limit, error::no_offset, "the window of a zstd frame is too large");
        case ZSTD_error_dictionary_wrong:
          return fail(error_code::invalid_argument, error::no_offset, "needs the zstd dictionary with id {}",
                      state_->at_start ? ZSTD_getDictID_fromFrame(input.data(), input.size()) : 0);
        case ZSTD_error_checksum_wrong:
          return fail(error_code::checksum_mismatch);
        default:
          return fail(error_code::corrupt_compression);
      }
    }
    state_->at_start = status == 0;
    if (status == 0) return step{from.pos, to.pos, true};
    if (from.pos == consumed_before && to.pos == produced_before) break;
  }
  return step{from.pos, to.pos, false};
}

void zstd_stream::reset() noexcept {
  ZSTD_DCtx_reset(state_->context, ZSTD_reset_session_only);
  state_->at_start = true;
}

#else

struct zstd_stream::state {};

result<zstd_stream> zstd_stream::create(int) {
  return fail(error_code::unsupported_codec);
}
result<zstd_stream::step> zstd_stream::decode(byte_span, mutable_byte_span) {
  return fail(error_code::unsupported_codec);
}
void zstd_stream::reset() noexcept {}

#endif

zstd_stream::zstd_stream(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
zstd_stream::zstd_stream(zstd_stream&&) noexcept = default;
zstd_stream& zstd_stream::operator=(zstd_stream&&) noexcept = default;
zstd_stream::~zstd_stream() = default;

}  // namespace tickreel
