#include "tickreel/samp_rec/vcmp.hpp"

#include "fields.hpp"

namespace tickreel::samp_rec::vcmp {

namespace {

constexpr std::uint32_t first_version_known = 1001;  // 1000 is SA-MP's number too

}  // namespace

bool claims(std::uint32_t version, std::uint32_t type) noexcept {
  return version >= first_version_known && version <= file_header::newest_version && type >= 1 && type <= 3;
}

result<file_header> read_header(byte_span head) noexcept {
  byte_reader from(head);
  file_header header;
  header.version = from.u32();
  const std::uint32_t type = from.u32();
  if (!from.ok()) return from.failure("VC-MP header");
  if (header.version < file_header::oldest_version || header.version > file_header::newest_version) {
    return fail(error_code::unsupported_version, 0, "unsupported VC-MP version {}", header.version);
  }
  if (type < 1 || type > 3) return fail(error_code::malformed, 4, "VC-MP recording type is {}", type);
  header.type = static_cast<recording_type>(type);
  if (header.version >= 1005) {
    header.flags = from.u32();
    if ((header.flags & file_header::flag_has_name) != 0) {
      for (char& each : header.player_name) each = static_cast<char>(from.u8());
    }
  }
  if (!from.ok()) return from.failure("VC-MP header");
  header.wire_bytes = static_cast<std::uint32_t>(from.position());
  return header;
}

result<file_shape> shape_of(byte_span head, std::uint64_t file_bytes) noexcept {
  const auto header = read_header(head);
  if (!header) return fail(header.error());
  file_shape shape;
  shape.version = header->version;
  shape.file_bytes = file_bytes;
  shape.header_bytes = header->wire_bytes;
  switch (header->type) {
    case recording_type::on_foot:
      shape.layout = block_layout::vcmp_on_foot;
      shape.kind = recording_kind::on_foot;
      break;
    case recording_type::driver:
      shape.layout = block_layout::vcmp_driver;
      shape.kind = recording_kind::vehicle;
      break;
    case recording_type::everything:
      shape.layout = block_layout::vcmp_packets;
      return shape;
  }
  const std::uint64_t body_bytes = file_bytes - header->wire_bytes;
  shape.block_count = body_bytes / block_bytes(shape.layout);
  shape.tail_bytes = static_cast<std::uint32_t>(body_bytes % block_bytes(shape.layout));
  return shape;
}

void read(byte_reader& from, on_foot_block& to) noexcept {
  detail::read_block(from, to);
}
void read(byte_reader& from, driver_block& to) noexcept {
  detail::read_block(from, to);
}

}  // namespace tickreel::samp_rec::vcmp
