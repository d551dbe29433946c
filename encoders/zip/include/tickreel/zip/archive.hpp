// The layout of ZIP archives, for files that lack the archive's end or contain bytes after it.
//
//   local header = u32 0x04034B50 | u16 version | u16 flags | u16 method | u16 time | u16 date | u32 CRC-32
//                | u32 stored bytes | u32 bytes | u16 bytes of the name | u16 bytes of extra fields
//                | name | extra fields | data
//   end record   = u32 0x06054B50 | u16 disk * 2 | u16 entries * 2 | u32 bytes of the directory
//                | u32 offset of the directory | u16 bytes of the comment | comment
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::zip {

// The content of the local header of an archive's first entry. A truncated archive has it, but lacks the
// directory, which is at the end.
struct first_entry {
  std::uint64_t data_offset = 0;
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::string name;
  struct content_facts {
    std::uint32_t crc32 = 0;
    std::uint32_t stored_bytes = 0;
  };
  std::optional<content_facts> content;  // empty if only a data descriptor may have them
  bool has_data_descriptor = false;      // after the data
};
// malformed when the bytes are no such header.
result<first_entry> read_first_entry(byte_span head);

// Gives up to `bytes` bytes from `offset`, fewer at the end of the file and none on errors; valid until the
// next call.
using read_bytes = std::function<byte_span(std::uint64_t offset, std::size_t bytes)>;

// Where the archive that begins with the file ends, its comment included; empty when there is no end record.
// Of two archives in one file: the end of the first if both have their directory at the same offset, otherwise
// the end of the second.
[[nodiscard]] std::optional<std::uint64_t> find_archive_end(const read_bytes& read, std::uint64_t file_bytes);

}  // namespace tickreel::zip
