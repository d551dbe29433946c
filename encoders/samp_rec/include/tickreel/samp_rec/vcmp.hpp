// The .rec files of the VC-MP plugin: the same idea with other structures. Versions 1004 and 1005 can be
// read, not written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/result.hpp"
#include "tickreel/samp_rec/motion.hpp"
#include "tickreel/samp_rec/shape.hpp"

namespace tickreel::samp_rec::vcmp {

// In the reverse order of SA-MP's numbers.
enum class recording_type : std::uint32_t { on_foot = 1, driver = 2, everything = 3 };

inline constexpr std::size_t name_bytes = 24;
using name_field = std::array<char, name_bytes>;  // ends with its first 0

// | offset | type     | field                                  |
// |      0 | u32      | version                                |
// |      4 | u32      | recording_type                         |
// |      8 | u32      | flags, from version 1005 on            |
// |     12 | char[24] | player name, when bit 0 of flags is set |
struct file_header {
  static constexpr std::uint32_t oldest_version = 1004;
  static constexpr std::uint32_t newest_version = 1005;
  static constexpr std::uint32_t flag_has_name = 1;

  std::uint32_t version = 0;
  recording_type type = recording_type::on_foot;
  std::uint32_t flags = 0;
  name_field player_name{};
  std::uint32_t wire_bytes = 0;
};

// True for a version (1001 to 1005) and type of VC-MP; 1000 belongs to SA-MP.
[[nodiscard]] bool claims(std::uint32_t version, std::uint32_t type) noexcept;

// unsupported_version ("unsupported VC-MP version {}") unless it is 1004 or 1005; truncated; malformed for an
// unknown type.
result<file_header> read_header(byte_span head) noexcept;
result<file_shape> shape_of(byte_span head, std::uint64_t file_bytes) noexcept;

// As stored here: the usual order of other programs, w last.
struct quaternion_xyzw {
  float x = 0;
  float y = 0;
  float z = 0;
  float w = 1;
  bool operator==(const quaternion_xyzw&) const = default;
};
TICKREEL_DESCRIBE(quaternion_xyzw, x, y, z, w);

// Only differences of times are meaningful: they are the recorder's tick count.
struct on_foot_sync {
  static constexpr std::size_t wire_bytes = 66;

  std::uint32_t keys = 0;
  vector3 position_m;
  float angle = 0;  // its unit is not known
  std::uint8_t health = 0;
  std::uint8_t armour = 0;
  std::uint8_t weapon = 0;
  std::uint8_t crouching = 0;
  vector3 speed;
  std::uint8_t aiming = 0;
  vector3 aim_direction;
  vector3 aim_position;
  std::uint8_t reloading = 0;
  std::uint16_t ammo = 0;
  std::uint8_t action = 0;
  std::uint8_t reserved = 0;
  bool operator==(const on_foot_sync&) const = default;
};
TICKREEL_DESCRIBE(on_foot_sync, keys, position_m, angle, health, armour, weapon, crouching, speed, aiming,
                  aim_direction, aim_position, reloading, ammo, action, reserved);

struct driver_sync {
  static constexpr std::size_t wire_bytes = 67;

  std::uint16_t vehicle_id = 0;
  std::uint32_t keys = 0;
  quaternion_xyzw rotation;
  vector3 position_m;
  vector3 speed;
  float vehicle_health = 0;
  std::uint8_t health = 0;
  std::uint8_t armour = 0;
  std::uint8_t weapon = 0;
  std::uint32_t damage = 0;
  float turret_x = 0;
  float turret_y = 0;
  std::uint16_t ammo = 0;
  bool operator==(const driver_sync&) const = default;
};
TICKREEL_DESCRIBE(driver_sync, vehicle_id, keys, rotation, position_m, speed, vehicle_health, health, armour,
                  weapon, damage, turret_x, turret_y, ammo);

struct on_foot_block {
  static constexpr std::size_t wire_bytes = 4 + on_foot_sync::wire_bytes;

  std::uint32_t time = 0;
  on_foot_sync sync;
  bool operator==(const on_foot_block&) const = default;
};
TICKREEL_DESCRIBE(on_foot_block, time, sync);

struct driver_block {
  static constexpr std::size_t wire_bytes = 4 + driver_sync::wire_bytes;

  std::uint32_t time = 0;
  driver_sync sync;
  bool operator==(const driver_block&) const = default;
};
TICKREEL_DESCRIBE(driver_block, time, sync);

void read(byte_reader& from, on_foot_block& to) noexcept;
void read(byte_reader& from, driver_block& to) noexcept;

// A recording of everything consists of packets of many kinds.
enum class packet_type : std::uint8_t {
  spawn = 1,
  death = 2,
  vehicle_exit = 3,
  vehicle_enter_request = 4,
  vehicle_entered = 5,
  on_foot = 6,
  aim = 7,
  driver = 8,
  passenger = 9,
  command = 10,
  chat = 11,
  private_message = 12,
  client_script = 13,
  pickup = 14,
  checkpoint_entered = 15,
  checkpoint_exited = 16,
  object_touched = 17,
  object_shot = 18,
  disconnect = 19,
  class_choice = 20,
};
// Its name above; empty for a number without a name.
[[nodiscard]] std::string_view name(packet_type type) noexcept;

namespace packet_body {

struct empty {};  // vehicle_exit, disconnect
TICKREEL_DESCRIBE(empty);
struct spawn {
  std::uint8_t team = 0;
  std::uint16_t skin = 0;
  std::uint8_t player_class = 0;
};
TICKREEL_DESCRIBE(spawn, team, skin, player_class);
struct death {
  name_field killer{};
  std::uint8_t reason = 0;
  std::uint8_t body_part = 0;
};
TICKREEL_DESCRIBE(death, killer, reason, body_part);
struct vehicle_seat {  // vehicle_enter_request, vehicle_entered
  std::uint16_t vehicle_id = 0;
  std::uint16_t model = 0;
  std::uint8_t seat = 0;
};
TICKREEL_DESCRIBE(vehicle_seat, vehicle_id, model, seat);
struct passenger {
  std::uint16_t vehicle_id = 0;
  std::uint16_t model = 0;
  std::uint8_t health = 0;
  std::uint8_t armour = 0;
  std::uint8_t seat = 0;
};
TICKREEL_DESCRIBE(passenger, vehicle_id, model, health, armour, seat);
struct text {  // command, chat, client_script
  byte_span bytes;
};
TICKREEL_DESCRIBE(text, bytes);
struct private_message {
  name_field to{};
  byte_span bytes;
};
TICKREEL_DESCRIBE(private_message, to, bytes);
struct pickup {
  std::uint16_t id = 0;
  std::uint16_t model = 0;
};
TICKREEL_DESCRIBE(pickup, id, model);
struct checkpoint {  // entered, exited
  std::uint16_t id = 0;
  vector3 position_m;
};
TICKREEL_DESCRIBE(checkpoint, id, position_m);
struct object_touched {
  std::uint16_t first = 0;  // the two numbers of the packet
  std::uint16_t second = 0;
};
TICKREEL_DESCRIBE(object_touched, first, second);
struct object_shot {
  std::uint16_t first = 0;
  std::uint16_t second = 0;
  std::uint8_t weapon = 0;
};
TICKREEL_DESCRIBE(object_shot, first, second, weapon);
struct class_choice {
  std::uint8_t index = 0;
  std::uint8_t player_class = 0;
};
TICKREEL_DESCRIBE(class_choice, index, player_class);

}  // namespace packet_body

struct packet {
  std::uint32_t time = 0;
  packet_type type = packet_type::spawn;
  std::uint64_t offset = 0;  // of its time, in the file
  std::variant<packet_body::empty, packet_body::spawn, packet_body::death, packet_body::vehicle_seat,
               on_foot_sync, driver_sync, packet_body::passenger, packet_body::text,
               packet_body::private_message, packet_body::pickup, packet_body::checkpoint,
               packet_body::object_touched, packet_body::object_shot, packet_body::class_choice>
      body;
};

// Iterates over packets. Texts point into the file. Allocates nothing.
class packet_cursor {
 public:
  // The whole file; the errors of read_header(), unsupported_operation if it is not a recording of
  // everything.
  static result<packet_cursor> open(byte_span file) noexcept;

  // False at the end. truncated inside a packet, malformed for a packet of an unknown type, after which
  // nothing can be read. After an error the cursor is at its end.
  result<bool> next(packet& out) noexcept;

 private:
  explicit packet_cursor(byte_reader from) noexcept : from_(from) {}
  byte_reader from_;
};

}  // namespace tickreel::samp_rec::vcmp
