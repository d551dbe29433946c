#include "bzip2.hpp"

#include <bzlib.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>

namespace tickreel::mpq {

namespace {

// "BZh" and a digit: the maximum size of a block of the stream, times 100,000 bytes.
constexpr std::size_t head_bytes = 4;
constexpr std::size_t bytes_a_digit = 100'000;

class decompressor {
 public:
  // The library's faster mode: four bytes per byte of a block instead of two and a half, and half the time.
  decompressor() noexcept : ready_(BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK) {}
  ~decompressor() {
    if (ready_) (void)BZ2_bzDecompressEnd(&stream_);
  }
  decompressor(const decompressor&) = delete;
  decompressor& operator=(const decompressor&) = delete;

  [[nodiscard]] bool ready() const noexcept { return ready_; }
  void room(mutable_byte_span into) noexcept {
    stream_.next_out = reinterpret_cast<char*>(into.data());
    stream_.avail_out = static_cast<unsigned>(into.size());
  }
  int feed(byte_span bytes) noexcept {
    // The library does not write to its input, although it is not const.
    stream_.next_in = const_cast<char*>(as_text(bytes).data());
    stream_.avail_in = static_cast<unsigned>(bytes.size());
    return BZ2_bzDecompress(&stream_);
  }
  [[nodiscard]] bool is_full() const noexcept { return stream_.avail_out == 0; }
  [[nodiscard]] std::size_t written() const noexcept {
    return static_cast<std::size_t>((std::uint64_t{stream_.total_out_hi32} << 32) | stream_.total_out_lo32);
  }

 private:
  bz_stream stream_{};
  bool ready_;
};

// With blocks of `block_bytes`, rounded up; nullopt if that is less than stated and too little.
std::optional<unpacked> unpack_within(std::size_t block_bytes, byte_span stream,
                                      mutable_byte_span into) noexcept {
  std::array<std::byte, head_bytes> head;
  std::copy_n(stream.begin(), head_bytes, head.begin());
  const auto digit = static_cast<std::byte>('0' + std::min<std::size_t>(9, 1 + block_bytes / bytes_a_digit));
  const bool lowered = digit < head[3] && head[3] <= std::byte{'9'};
  if (lowered) head[3] = digit;

  decompressor self;
  if (!self.ready()) return unpacked{};
  self.room(into);
  int outcome = self.feed(head);
  if (outcome == BZ_OK) outcome = self.feed(stream.subspan(head_bytes));
  if (outcome == BZ_STREAM_END) return unpacked{unpack_outcome::whole, self.written()};
  if (lowered && outcome == BZ_DATA_ERROR) return std::nullopt;
  return unpacked{outcome == BZ_OK && self.is_full() ? unpack_outcome::no_room : unpack_outcome::damaged, 0};
}

}  // namespace

// Compressors state the largest block size for any content, and the library allocates it. A block rarely
// contains more than its output, and at most a quarter more: four equal bytes and a count of 0 are five.
unpacked unpack_bzip2(byte_span stream, mutable_byte_span into) noexcept {
  if (stream.size() < head_bytes || stream.size() > UINT_MAX || into.size() > UINT_MAX) return {};
  for (const std::size_t block_bytes : {into.size(), into.size() + into.size() / 4}) {
    if (const auto found = unpack_within(block_bytes, stream, into)) return *found;
  }
  return {unpack_outcome::no_room, 0};
}

// A block contains 19 bytes less than stated, of content that may have grown by a quarter.
pack_outcome pack_bzip2(byte_span content, mutable_byte_span into, std::size_t& size) noexcept {
  if (content.size() > UINT_MAX || into.size() > UINT_MAX) return pack_outcome::no_room;
  const std::size_t inside = content.size() + content.size() / 4 + 19;
  const int level = static_cast<int>(std::min<std::size_t>(9, 1 + inside / bytes_a_digit));
  auto room = static_cast<unsigned>(into.size());
  // The library does not write to its input, although it is not const.
  const int outcome = BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(into.data()), &room,
                                               const_cast<char*>(as_text(content).data()),
                                               static_cast<unsigned>(content.size()), level, 0, 0);
  size = room;
  if (outcome == BZ_OK) return pack_outcome::packed;
  return outcome == BZ_OUTBUFF_FULL ? pack_outcome::no_room : pack_outcome::no_memory;
}

}  // namespace tickreel::mpq
