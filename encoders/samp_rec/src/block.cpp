#include "tickreel/samp_rec/block.hpp"

#include <array>

#include "fields.hpp"
#include "tickreel/samp_rec/legacy.hpp"

namespace tickreel::samp_rec {

namespace {

template <class Block>
std::array<std::byte, Block::wire_bytes> bytes_of(const Block& block) noexcept {
  std::array<std::byte, Block::wire_bytes> bytes;
  byte_writer to(bytes);
  write(to, block);
  return bytes;
}

}  // namespace

std::string_view name(recording_kind kind) noexcept {
  switch (kind) {
    case recording_kind::none:
      return "none";
    case recording_kind::vehicle:
      return "vehicle";
    case recording_kind::on_foot:
      return "on_foot";
  }
  return "";
}

void read(byte_reader& from, vehicle_block& to) noexcept {
  detail::read_block(from, to);
}
void read(byte_reader& from, on_foot_block& to) noexcept {
  detail::read_block(from, to);
}
void read(byte_reader& from, legacy_on_foot_block& to) noexcept {
  detail::read_block(from, to);
}
void read(byte_reader& from, legacy_vehicle_block& to) noexcept {
  detail::read_block(from, to);
}

void write(byte_writer& to, const vehicle_block& from) noexcept {
  detail::write_block(to, from);
}
void write(byte_writer& to, const on_foot_block& from) noexcept {
  detail::write_block(to, from);
}
void write(byte_writer& to, const legacy_on_foot_block& from) noexcept {
  detail::write_block(to, from);
}
void write(byte_writer& to, const legacy_vehicle_block& from) noexcept {
  detail::write_block(to, from);
}

void write(byte_writer& to, const file_header& from) noexcept {
  if (to.remaining() < file_header::wire_bytes) return (void)to.reserve(file_header::wire_bytes);
  to.u32(from.version);
  to.u32(static_cast<std::uint32_t>(from.kind));
}

bool same_bits(const vehicle_block& a, const vehicle_block& b) noexcept {
  return bytes_of(a) == bytes_of(b);
}
bool same_bits(const on_foot_block& a, const on_foot_block& b) noexcept {
  return bytes_of(a) == bytes_of(b);
}

bool is_finite(const vehicle_block& block) noexcept {
  return is_finite(block.position_m) && is_finite(block.rotation) && is_finite(block.velocity_m_per_20ms);
}
bool is_finite(const on_foot_block& block) noexcept {
  return is_finite(block.position_m) && is_finite(block.rotation) && is_finite(block.velocity_m_per_20ms);
}
bool is_finite(const legacy_on_foot_block& block) noexcept {
  return is_finite(block.position_m) && is_finite(vector3{block.heading_degrees, 0, 0}) &&
         is_finite(block.velocity_m_per_20ms);
}
bool is_finite(const legacy_vehicle_block& block) noexcept {
  return is_finite(block.position_m) && is_finite(block.right) && is_finite(block.forward) &&
         is_finite(block.velocity_m_per_20ms);
}

on_foot_block modernised(const legacy_on_foot_block& block) noexcept {
  on_foot_block out;
  out.time_ms = block.time_ms;
  out.left_right = block.left_right;
  out.up_down = block.up_down;
  out.keys = block.keys;
  out.position_m = block.position_m;
  out.rotation = from_heading_degrees(static_cast<double>(block.heading_degrees));
  out.health = block.health;
  out.armour = block.armour;
  out.weapon_and_key = block.weapon_and_key;
  out.special_action = block.special_action;
  out.velocity_m_per_20ms = block.velocity_m_per_20ms;
  out.surf_offset_m = block.surf_offset_m;
  out.surf_id = block.surf_id;
  return out;
}

vehicle_block modernised(const legacy_vehicle_block& block) noexcept {
  vehicle_block out;
  out.time_ms = block.time_ms;
  out.vehicle_id = block.vehicle_id;
  out.left_right = block.left_right;
  out.up_down = block.up_down;
  out.keys = block.keys;
  out.rotation = from_axes(block.right, block.forward);
  out.position_m = block.position_m;
  out.velocity_m_per_20ms = block.velocity_m_per_20ms;
  out.vehicle_health = block.vehicle_health;
  out.driver_health = block.driver_health;
  out.driver_armour = block.driver_armour;
  out.weapon_and_key = block.weapon_and_key;
  out.siren = block.siren;
  out.landing_gear = block.landing_gear;
  out.trailer_id = block.trailer_id;
  out.special = block.special;
  return out;
}

}  // namespace tickreel::samp_rec
