// A game's own state of 2.6 kB, and the simplest encoder for it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/record/encoder.hpp"

namespace tickreel::bench {

struct small_world {
  struct thing {
    float position[3];
    float velocity[3];
    float rotation[3];
    std::uint32_t flags;
  };
  std::uint64_t number = 0;
  std::array<thing, 65> things{};
};
static_assert(sizeof(small_world) == 2608);

// Some of the numbers of tick `number`.
inline void advance(small_world& world, std::uint64_t number) noexcept {
  world.number = number;
  for (std::size_t i = number % 4; i < world.things.size(); i += 4) {
    world.things[i].position[number % 3] += 0.25f;
    world.things[i].flags ^= static_cast<std::uint32_t>(number);
  }
}

// Every frame is the state's bytes.
class small_world_encoder {
 public:
  using state_type = small_world;
  static constexpr std::string_view encoder_name = "small_world";
  static constexpr std::uint32_t encoder_version = 1;

  [[nodiscard]] std::size_t max_frame_size() const noexcept { return sizeof(small_world); }
  [[nodiscard]] bool needs_keyframe(const small_world&) const noexcept { return true; }
  void encode(const small_world& from, frame_kind, byte_writer& out) noexcept {
    out.bytes(std::as_bytes(std::span(&from, 1)));
  }
};

}  // namespace tickreel::bench
