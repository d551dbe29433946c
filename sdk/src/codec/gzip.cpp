#include <zlib.h>
#ifdef TICKREEL_HAS_LIBDEFLATE
#include <libdeflate.h>
#endif

#include <limits>
#include <optional>

#include "backend.hpp"
#include "tickreel/bytes/endian.hpp"

namespace tickreel::detail {

namespace {

// zlib: a window of 2^15 bytes, plus 16 for the gzip header and trailer instead of its own.
constexpr int gzip_window_bits = 15 + 16;
// zlib's own default for the size of its tables.
constexpr int memory_level = 8;
// header of 10, a final empty block of 2, CRC-32 and size of 4 each
constexpr std::size_t gzip_min_bytes = 20;
// The offset of the system byte in the header. Always zlib's value for Unix, so that all systems write the
// same bytes.
constexpr std::size_t gzip_system_at = 9;
constexpr std::byte gzip_any_system{3};
// No deflate stream expands by more than this: 258 bytes per match of a quarter of a byte (zlib's
// documentation).
constexpr std::size_t max_deflate_ratio = 1032;

// zlib counts its input in 32 bits, so long spans are split.
uInt piece(std::size_t size) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}
const Bytef* as_zlib(const std::byte* bytes) noexcept {
  return static_cast<const Bytef*>(static_cast<const void*>(bytes));
}
Bytef* as_zlib(std::byte* bytes) noexcept {
  return static_cast<Bytef*>(static_cast<void*>(bytes));
}

// Feeds a stream from `input` into `out`, one call of step(is_last_piece) per run. zlib rejects null
// pointers, even for zero bytes.
struct stream_feed {
  byte_span input;
  mutable_byte_span out;
  std::byte nothing{};
  std::size_t consumed = 0;
  std::size_t produced = 0;

  template <class Step>
  int run(z_stream& stream, Step step) noexcept {
    const uInt given_in = piece(input.size() - consumed);
    const uInt given_out = piece(out.size() - produced);
    stream.next_in = as_zlib(given_in != 0 ? input.data() + consumed : &nothing);
    stream.next_out = as_zlib(given_out != 0 ? out.data() + produced : &nothing);
    stream.avail_in = given_in;
    stream.avail_out = given_out;
    const int status = step(consumed + given_in == input.size());
    consumed += given_in - stream.avail_in;
    produced += given_out - stream.avail_out;
    return status;
  }
};

class gzip_compressor final : public compressor_backend {
 public:
  ~gzip_compressor() override { deflateEnd(&stream_); }

  bool start(int level) noexcept {
    return deflateInit2(&stream_, level, Z_DEFLATED, gzip_window_bits, memory_level, Z_DEFAULT_STRATEGY) ==
           Z_OK;
  }

  std::size_t bound(std::size_t size) const noexcept override {
    // If unsigned long has 32 bits, zlib cannot compute it. Its formula for these settings, plus header and
    // trailer.
    if (size > std::numeric_limits<uLong>::max() / 2)
      return size + (size >> 12) + (size >> 14) + (size >> 25) + 64;
    return deflateBound(&stream_, static_cast<uLong>(size));
  }

  result<std::size_t> compress(byte_span input, mutable_byte_span out) noexcept override {
    stream_feed feed{input, out};
    int status = Z_OK;
    while (status == Z_OK) {
      status =
          feed.run(stream_, [this](bool last) { return deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH); });
    }
    // Reset now and not before the next chunk: deflateBound() is too low for a finished stream.
    deflateReset(&stream_);
    if (status != Z_STREAM_END) return fail(error_code::buffer_too_small);
    out[gzip_system_at] = gzip_any_system;
    return feed.produced;
  }

 private:
  // deflateBound() takes a mutable stream, but does not change it.
  mutable z_stream stream_{};
};

#ifdef TICKREEL_HAS_LIBDEFLATE

// Decompresses whole members that fit, in half of zlib's time. For everything that it rejects, zlib reports
// the error.
class quick_gzip {
 public:
  ~quick_gzip() { libdeflate_free_decompressor(quick_); }
  quick_gzip() noexcept : quick_(libdeflate_alloc_decompressor()) {}
  quick_gzip(const quick_gzip&) = delete;
  quick_gzip& operator=(const quick_gzip&) = delete;

  // The size of the content if `input` is exactly one member.
  std::optional<std::size_t> unpack(byte_span input, mutable_byte_span room) noexcept {
    // Without the optional header fields, which only zlib checks.
    constexpr std::size_t flags_at = 3;
    if (quick_ == nullptr || input.size() < gzip_min_bytes || input[flags_at] != std::byte{0})
      return std::nullopt;
    std::size_t read = 0;
    std::size_t written = 0;
    std::byte nothing{};
    const bool good = libdeflate_gzip_decompress_ex(quick_, input.data(), input.size(),
                                                    room.empty() ? &nothing : room.data(), room.size(), &read,
                                                    &written) == LIBDEFLATE_SUCCESS;
    return good && read == input.size() ? std::optional(written) : std::nullopt;
  }

 private:
  libdeflate_decompressor* quick_;
};

#else

struct quick_gzip {
  std::optional<std::size_t> unpack(byte_span, mutable_byte_span) noexcept { return std::nullopt; }
};

#endif

class gzip_decompressor final : public decompressor_backend {
 public:
  ~gzip_decompressor() override { inflateEnd(&stream_); }

  bool start() noexcept { return inflateInit2(&stream_, gzip_window_bits) == Z_OK; }

  result<void> decompress(byte_span input, std::size_t limit_bytes, byte_vector& out, byte_span) override {
    // The trailer contains the last member's size modulo 2^32: usually there is one member and this is the
    // size.
    std::size_t hint = 0;
    if (input.size() >= gzip_min_bytes) {
      const auto stated = load<std::endian::little, std::uint32_t>(input.data() + input.size() - 4);
      if (stated / max_deflate_ratio <= input.size()) hint = stated;
    }
    return decompress_into(out, plan_unknown_room(hint, input.size(), limit_bytes),
                           [&](mutable_byte_span room) { return attempt(input, room); });
  }

  prefix_end decompress_prefix(byte_span input, std::size_t limit_bytes, byte_vector& out) override {
    if (inflateReset(&stream_) != Z_OK) return prefix_end::damaged;
    return collect_prefix(
        input, limit_bytes, out, [this](byte_span rest, mutable_byte_span room) -> prefix_step {
          stream_feed feed{rest, room};
          const int status = feed.run(stream_, [this](bool) { return inflate(&stream_, Z_SYNC_FLUSH); });
          const bool next_member = status == Z_STREAM_END && inflateReset(&stream_) == Z_OK;
          // Z_BUF_ERROR: no input or output space was left.
          const bool going = status == Z_OK || status == Z_BUF_ERROR;
          return {feed.consumed, feed.produced,
                  next_member ? prefix_state::between
                  : going     ? prefix_state::inside
                              : prefix_state::broken};
        });
  }

  result<std::size_t> decompress_first(byte_span input, std::size_t limit_bytes, byte_vector& out) override {
    std::size_t member_bytes = 0;
    const auto done =
        decompress_into(out, plan_unknown_room(0, std::min(input.size(), unproven_input_bytes), limit_bytes),
                        [&](mutable_byte_span room) { return attempt(input, room, &member_bytes); });
    if (!done) return fail(done.error());
    return member_bytes;
  }

 private:
  // A search for one member passes all remaining bytes, of which the member may be a small part.
  static constexpr std::size_t unproven_input_bytes = 128u << 10;

  // All members, or only the first, whose length is then `first_bytes`.
  result<std::size_t> attempt(byte_span input, mutable_byte_span room,
                              std::size_t* first_bytes = nullptr) noexcept {
    if (first_bytes == nullptr) {
      if (const auto unpacked = quick_.unpack(input, room)) return *unpacked;
    }
    stream_feed feed{input, room};
    do {
      if (inflateReset(&stream_) != Z_OK) return fail(error_code::wrong_state);
      int status = Z_OK;
      while (status == Z_OK) {
        status = feed.run(stream_, [this](bool) { return inflate(&stream_, Z_NO_FLUSH); });
      }
      if (status == Z_BUF_ERROR) {
        // If both are exhausted, a larger buffer shows whether more output was pending.
        const bool room_used_up = feed.produced == room.size();
        return fail(room_used_up ? error_code::buffer_too_small : error_code::truncated, feed.consumed);
      }
      if (status == Z_MEM_ERROR) return fail(error_code::out_of_memory);
      if (status != Z_STREAM_END) return fail(error_code::corrupt_compression, feed.consumed);
      if (first_bytes != nullptr) {
        *first_bytes = feed.consumed;
        break;
      }
    } while (feed.consumed < input.size());
    return feed.produced;
  }

  z_stream stream_{};
  quick_gzip quick_;
};

}  // namespace

result<std::unique_ptr<compressor_backend>> make_gzip_compressor(int level) {
  auto made = std::make_unique<gzip_compressor>();
  if (!made->start(level)) return fail(error_code::out_of_memory);
  return made;
}

result<std::unique_ptr<decompressor_backend>> make_gzip_decompressor() {
  auto made = std::make_unique<gzip_decompressor>();
  if (!made->start()) return fail(error_code::out_of_memory);
  return made;
}

}  // namespace tickreel::detail
