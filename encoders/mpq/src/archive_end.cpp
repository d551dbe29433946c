#include "tickreel/mpq/archive_end.hpp"

#include "tickreel/bytes/reader.hpp"

namespace tickreel::mpq {

//   prefix    = magic "MPQ" 1B | u32 | u32 offset of the archive
//   archive   = magic "MPQ" 1A | u32 | u32 bytes of the archive
//   signature = "NGIS" | 256 bytes
std::optional<std::uint64_t> find_archive_end(const read_bytes& read, std::uint64_t file_bytes) {
  constexpr std::uint32_t archive_magic = 0x1A51504D;
  constexpr std::uint32_t signature_magic = 0x5349474E;
  constexpr std::uint64_t signature_bytes = 260;
  byte_reader prefix(read(8, 4));
  const std::uint64_t archive = prefix.u32();
  byte_reader head(read(archive, 12));
  if (!prefix.ok() || head.u32() != archive_magic) return std::nullopt;
  head.skip(4);
  const std::uint64_t bytes = head.u32();
  if (!head.ok() || bytes == 0) return std::nullopt;
  const std::uint64_t end = archive + bytes;
  const bool is_signed = end < file_bytes && byte_reader(read(end, 4)).u32() == signature_magic;
  return is_signed ? end + signature_bytes : end;
}

}  // namespace tickreel::mpq
