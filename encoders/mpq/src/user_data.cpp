#include "tickreel/mpq/user_data.hpp"

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::mpq {

namespace {

constexpr std::uint32_t prefix_magic = 0x1B51504D;  // "MPQ", 0x1B

}  // namespace

result<file_prefix> read_prefix(byte_span file) noexcept {
  byte_reader from(file);
  if (from.u32() != prefix_magic || !from.ok()) {
    return fail(error_code::bad_magic, 0, "no user data in front of an archive");
  }
  file_prefix out;
  out.user_data_room = from.u32();
  out.archive_offset = from.u32();
  out.user_data_bytes = from.u32();
  if (!from.ok()) return from.failure("file prefix");
  if (out.archive_offset < prefix_bytes || out.user_data_bytes > out.archive_offset - prefix_bytes) {
    return fail(error_code::malformed, 8, "the user data reach into the archive");
  }
  return out;
}

result<byte_vector> write_prefix(byte_span user_data, const file_prefix& layout) {
  if (layout.archive_offset < prefix_bytes || user_data.size() > layout.archive_offset - prefix_bytes ||
      user_data.size() > layout.user_data_room) {
    return fail(error_code::over_limit, error::no_offset, "the user data are larger than their room");
  }
  byte_vector out(layout.archive_offset);
  byte_writer to(out);
  to.u32(prefix_magic);
  to.u32(layout.user_data_room);
  to.u32(layout.archive_offset);
  to.u32(static_cast<std::uint32_t>(user_data.size()));
  to.bytes(user_data);
  return out;
}

}  // namespace tickreel::mpq
