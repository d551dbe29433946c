#include "tickreel/samp_rec/vcmp.hpp"

#include <iterator>
#include <string_view>
#include <type_traits>

#include "fields.hpp"

namespace tickreel::samp_rec::vcmp {

namespace {

constexpr std::uint32_t first_version_known = 1001;  // 1000 is SA-MP's number too

name_field read_name(byte_reader& from) noexcept {
  name_field name{};
  for (char& each : name) each = static_cast<char>(from.u8());
  return name;
}

// A text is a u16 size and its bytes; a name has a fixed size.
template <class Member>
void read_member(byte_reader& from, Member& to) noexcept {
  if constexpr (std::is_same_v<Member, byte_span>) {
    to = from.bytes(from.u16());
  } else if constexpr (std::is_same_v<Member, name_field>) {
    to = read_name(from);
  } else {
    detail::read_field(from, to);
  }
}

template <class Body>
bool read_as(byte_reader& from, packet& out) noexcept {
  visit_fields(out.body.emplace<Body>(),
               [&from](std::string_view, auto& member) { read_member(from, member); });
  return true;
}

template <class Block>
bool read_block_as(byte_reader& from, packet& out) noexcept {
  detail::read_block(from, out.body.emplace<Block>());
  return true;
}

// False for an unknown type.
bool read_body(byte_reader& from, packet& out) noexcept {
  namespace body = packet_body;
  switch (out.type) {
    case packet_type::spawn:
      return read_as<body::spawn>(from, out);
    case packet_type::death:
      return read_as<body::death>(from, out);
    case packet_type::vehicle_exit:
    case packet_type::disconnect:
      return read_as<body::empty>(from, out);
    case packet_type::vehicle_enter_request:
    case packet_type::vehicle_entered:
      return read_as<body::vehicle_seat>(from, out);
    case packet_type::on_foot:
    case packet_type::aim:
      return read_block_as<on_foot_sync>(from, out);
    case packet_type::driver:
      return read_block_as<driver_sync>(from, out);
    case packet_type::passenger:
      return read_as<body::passenger>(from, out);
    case packet_type::command:
    case packet_type::chat:
    case packet_type::client_script:
      return read_as<body::text>(from, out);
    case packet_type::private_message:
      return read_as<body::private_message>(from, out);
    case packet_type::pickup:
      return read_as<body::pickup>(from, out);
    case packet_type::checkpoint_entered:
    case packet_type::checkpoint_exited:
      return read_as<body::checkpoint>(from, out);
    case packet_type::object_touched:
      return read_as<body::object_touched>(from, out);
    case packet_type::object_shot:
      return read_as<body::object_shot>(from, out);
    case packet_type::class_choice:
      return read_as<body::class_choice>(from, out);
  }
  return false;
}

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
    if ((header.flags & file_header::flag_has_name) != 0) header.player_name = read_name(from);
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

std::string_view name(packet_type type) noexcept {
  static constexpr std::string_view names[] = {"spawn",
                                               "death",
                                               "vehicle_exit",
                                               "vehicle_enter_request",
                                               "vehicle_entered",
                                               "on_foot",
                                               "aim",
                                               "driver",
                                               "passenger",
                                               "command",
                                               "chat",
                                               "private_message",
                                               "client_script",
                                               "pickup",
                                               "checkpoint_entered",
                                               "checkpoint_exited",
                                               "object_touched",
                                               "object_shot",
                                               "disconnect",
                                               "class_choice"};
  const std::size_t index = static_cast<std::size_t>(type) - 1;  // 0 becomes the largest
  return index < std::size(names) ? names[index] : std::string_view();
}

result<packet_cursor> packet_cursor::open(byte_span file) noexcept {
  const auto header = read_header(file);
  if (!header) return fail(header.error());
  if (header->type != recording_type::everything) {
    return fail(error_code::unsupported_operation, 4, "only a recording of everything holds packets");
  }
  return packet_cursor(byte_reader(file.subspan(header->wire_bytes), header->wire_bytes));
}

result<bool> packet_cursor::next(packet& out) noexcept {
  if (!from_.ok() || from_.at_end()) return false;
  out.offset = from_.offset();
  out.time = from_.u32();
  out.type = static_cast<packet_type>(from_.u8());
  if (from_.ok() && !read_body(from_, out)) {
    from_.fail_with(error_code::malformed);
    return fail(error_code::malformed, out.offset + 4, "there is no VC-MP packet type {}",
                static_cast<std::int64_t>(out.type));
  }
  if (!from_.ok()) return fail(error_code::truncated, from_.offset(), "VC-MP packet");
  return true;
}

}  // namespace tickreel::samp_rec::vcmp
