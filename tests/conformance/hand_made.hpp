// Files assembled byte by byte, with contents that our writers never write.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"

namespace tickreel::hand_made {

class bytes {
 public:
  bytes& u8(unsigned value) { return little_endian(value, 1); }
  bytes& u16(unsigned value) { return little_endian(value, 2); }
  bytes& u32(std::uint64_t value) { return little_endian(value, 4); }
  bytes& i64(std::int64_t value) { return little_endian(static_cast<std::uint64_t>(value), 8); }
  bytes& f32(float value) { return u32(std::bit_cast<std::uint32_t>(value)); }
  bytes& halves(std::initializer_list<unsigned> bits) {
    for (const unsigned half : bits) u16(half);
    return *this;
  }
  bytes& text(std::string_view value) { return raw(as_bytes(value)).u8(0); }
  bytes& raw(byte_span value) {
    value_.insert(value_.end(), value.begin(), value.end());
    return *this;
  }
  bytes& zeros(std::size_t count) {
    value_.resize(value_.size() + count);
    return *this;
  }
  [[nodiscard]] const byte_vector& get() const { return value_; }
  [[nodiscard]] std::size_t size() const { return value_.size(); }

 private:
  bytes& little_endian(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) value_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  byte_vector value_;
};

enum map_code : std::uint8_t { lobby = 1, arena = 2, combat = 3 };

struct head {
  std::uint8_t version = 3;
  std::uint16_t interval = 300;
  std::uint8_t compression = 0;
  std::string client_name = "Ann";
  struct entry {
    std::string name = {};
    std::int64_t userid = 0;
  };
  std::vector<entry> players = {{"Ann", 11}, {"Ben", 22}};
  std::uint8_t round_scores = 0x21;
  unsigned map = arena;
  bool private_match = false;
};

// `table` is the chunk table, independent of the chunks.
byte_vector file(const head& head, const std::vector<std::uint32_t>& table,
                 const std::vector<byte_vector>& chunks);
// With the correct sizes.
byte_vector file(const head& head, const std::vector<byte_vector>& chunks);

// A player in a version-3 frame: by default everything included, everything 0.
struct player {
  std::uint8_t index = 1;
  std::uint8_t slot = 0;
  std::uint8_t state = 0b1110'0000;  // stats, network and hands, velocity
  std::uint8_t pose_mask = 0xFF;
  std::uint8_t stat_difference = 0;
  std::uint16_t stuns_difference = 0;
  std::uint16_t ping_difference = 0;
  std::uint8_t left_hand = 255;
  std::uint16_t head_x = 0;  // a half, like all positions here
};

constexpr std::uint16_t half_one = 0x3C00;
constexpr std::uint32_t identity_s3 = 0x7FDF'F7FF;
constexpr unsigned every_part = 0xFF;
// The values that the decoder requires at a keyframe.
constexpr unsigned least_of_keyframe = 0b0001'1011;

// A version-3 frame. The parts named by `included` are present, 0 except for the fields below.
struct frame {
  bool keyframe = true;
  std::int64_t time = 1'000'000;  // milliseconds since 1970, or since the previous frame
  float clock = 0;
  unsigned included = least_of_keyframe;
  std::uint8_t status = 4;
  std::uint16_t blue_points = 0;  // u8, or a half in combat
  std::uint8_t pause_flags = 0;
  std::uint16_t disc_x = 0;
  unsigned stats_of_teams = 0;  // bits 2 to 4
  std::uint8_t team_stat = 0;
  std::vector<player> blue = {};
  std::vector<player> orange = {};
  // -1: no bones. Otherwise that many players with only the first bone's x.
  int bone_players = -1;
  std::uint8_t bone_x = 0;  // zigzag varint of the fixed-point step
};

byte_vector encode(const frame& frame, map_code map = arena);
byte_vector join(const std::vector<byte_vector>& parts);

}  // namespace tickreel::hand_made
