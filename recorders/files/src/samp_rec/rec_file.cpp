#include "rec_file.hpp"

#include <algorithm>

#include "byte_stream.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t window_bytes = 256u << 10;

result<byte_vector> read_part(const byte_source& from, std::uint64_t offset, std::size_t count) {
  byte_vector bytes(count);
  auto got = from.read_at(bytes, offset);
  if (!got) return fail(got.error());
  if (*got != count) return fail(error_code::truncated, offset + *got, "the file became shorter");
  return bytes;
}

}  // namespace

result<rec_file> rec_file::open(const file_path& path) {
  const auto from = byte_source::open(path);
  if (!from) return fail(from.error());
  return open(*from);
}

result<rec_file> rec_file::open(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  const auto part = [&](std::size_t most) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(most, *size));
  };
  auto head = read_part(from, 0, part(samp_rec::detect_head_bytes));
  if (!head) return fail(head.error());
  const std::size_t tail_bytes = part(samp_rec::detect_tail_bytes);
  auto tail = read_part(from, *size - tail_bytes, tail_bytes);
  if (!tail) return fail(tail.error());
  const auto shape = samp_rec::detect(*head, *tail, *size);
  if (!shape) return fail(shape.error());
  return rec_file(from, *shape);
}

result<byte_span> rec_file::block(std::uint64_t index) {
  const std::size_t each = samp_rec::block_bytes(shape_.layout);
  if (index < window_begin_ || index >= window_begin_ + window_blocks_) {
    if (index >= shape_.block_count) return fail(error_code::out_of_range, shape_.file_bytes);
    const std::uint64_t count = std::min<std::uint64_t>(window_bytes / each, shape_.block_count - index);
    window_blocks_ = 0;
    auto read = read_part(from_, shape_.block_offset(index), static_cast<std::size_t>(count * each));
    if (!read) return fail(read.error());
    window_ = std::move(*read);
    window_begin_ = index;
    window_blocks_ = count;
  }
  return byte_span(window_).subspan(static_cast<std::size_t>(index - window_begin_) * each, each);
}

result<byte_vector> rec_file::tail() {
  return read_part(from_, shape_.file_bytes - shape_.tail_bytes, shape_.tail_bytes);
}

result<byte_vector> rec_file::part(std::uint64_t offset, std::uint64_t count) {
  return read_part(from_, offset, static_cast<std::size_t>(count));
}

}  // namespace tickreel::files
