// The seekable format of zstd, little-endian:
//
//   u32 0x184D2A5E | u32 bytes of the rest | per zstd frame: u32 compressed, u32 decoded [, u32 checksum]
//   | u32 frames | u8 descriptor: bit 7 = checksums, bits 2 to 6 = 0 | u32 0x8F92EAB1
#include "tickreel/bytes/reader.hpp"
#include "tickreel/tape/container.hpp"
#include "tickreel/tape/wire.hpp"

namespace tickreel::tape {

namespace {

constexpr std::uint32_t table_magic = 0x184D2A5E;
constexpr std::uint32_t table_end_magic = 0x8F92EAB1;
constexpr std::size_t table_head_bytes = 8;
constexpr std::size_t table_tail_bytes = 9;

}  // namespace

result<std::vector<block_sizes>> read_seek_table(const read_function& read, std::uint64_t file_bytes) {
  std::vector<block_sizes> blocks;
  if (file_bytes < table_head_bytes + table_tail_bytes) return blocks;
  const std::uint64_t tail_offset = file_bytes - table_tail_bytes;
  const auto tail_bytes = read(tail_offset, table_tail_bytes);
  if (!tail_bytes) return fail(tail_bytes.error());
  byte_reader tail(*tail_bytes, tail_offset);
  const std::uint64_t count = tail.u32();
  const std::uint8_t descriptor = tail.u8();
  if (tail.u32() != table_end_magic || !tail.ok()) return blocks;
  if ((descriptor & 0x7C) != 0) {
    return fail(error_code::malformed, tail_offset + 4, "the seek table has unknown properties");
  }
  if (count > max_blocks) {
    return fail(error_code::over_limit, tail_offset, "the seek table has too many entries");
  }
  const std::size_t entry_bytes = (descriptor & 0x80) != 0 ? 12 : 8;
  const std::uint64_t content_bytes = count * entry_bytes + table_tail_bytes;
  if (content_bytes + table_head_bytes > file_bytes) {
    return fail(error_code::malformed, tail_offset, "the seek table is longer than the file");
  }
  const std::uint64_t begin = file_bytes - content_bytes - table_head_bytes;
  const auto table = read(begin, static_cast<std::size_t>(file_bytes - begin));
  if (!table) return fail(table.error());
  byte_reader from(*table, begin);
  if (from.u32() != table_magic || from.u32() != content_bytes) {
    return fail(error_code::malformed, begin, "the beginning of the seek table is wrong");
  }
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    block_sizes& one = blocks.emplace_back();
    one.compressed = from.u32();
    one.decoded = from.u32();
    if (entry_bytes == 12) (void)from.u32();
    sum += one.compressed;
  }
  if (!from.ok() || sum != begin) {
    return fail(error_code::malformed, begin, "the seek table contradicts the size of the file");
  }
  return blocks;
}

void append_seek_table(std::span<const block_sizes> blocks, byte_vector& out) {
  message_writer to(out);
  to.little(table_magic);
  to.little(static_cast<std::uint32_t>(blocks.size() * 8 + table_tail_bytes));
  for (const block_sizes& each : blocks) {
    to.little(each.compressed);
    to.little(each.decoded);
  }
  to.little(static_cast<std::uint32_t>(blocks.size()));
  to.little(std::uint8_t{0});
  to.little(table_end_magic);
}

}  // namespace tickreel::tape
