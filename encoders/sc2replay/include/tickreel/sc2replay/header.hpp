// The replay header: the user data before a .SC2Replay file's archive (tickreel/mpq/user_data.hpp).
//
// It is versioned data (tickreel/sc2replay/versioned.hpp) from 1.0 on:
//   0 signature blob, 1 version {0 flags, 1 major, 2 minor, 3 revision, 4 build, 5 base build}, 2 type,
//   3 loops, 4 scaled time (2.0.10), 5 root key {1 data}, 6 data build, 7 compatibility hash {1 data},
//   8 root key is development data
// The closed beta of 2010 packs it into bits, most significant byte first: signature s8 (an 8-bit length,
// then bytes from the next byte boundary on), flags, major, minor, revision u8, build, base build u32, type u3,
// loops u32. The first byte distinguishes the two: 5 is the tag of a struct, 21 the length of the signature.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/user_data.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

enum class header_encoding : std::uint8_t { versioned, beta };

struct header {
  header_encoding encoding = header_encoding::versioned;
  std::string signature = default_signature();
  std::uint32_t flags = 1;
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t revision = 0;
  std::uint32_t build = 0;       // for display
  std::uint32_t base_build = 0;  // selects the layouts of everything else
  std::uint32_t type = 2;        // 2: a replay
  std::uint32_t loops = 0;       // of the whole game
  // Absent in older files.
  std::optional<bool> scaled_time = std::nullopt;
  std::optional<std::array<std::byte, 16>> root_key = std::nullopt;
  std::optional<std::uint32_t> data_build = std::nullopt;
  std::optional<std::array<std::byte, 16>> compatibility_hash = std::nullopt;
  std::optional<bool> root_key_is_development_data = std::nullopt;

  // "StarCraft II replay", 0x1B, "11"
  static std::string default_signature() {
    return "StarCraft II replay\x1B"
           "11";
  }
  // The closed beta has "2" at its end.
  static std::string beta_signature() {
    return "StarCraft II replay\x1B"
           "2";
  }
  bool operator==(const header&) const = default;
};

// "5.0.0.80949"
[[nodiscard]] std::string version_text(const header& of);

// Unknown fields are skipped. Offsets in errors count from `base_offset`.
result<header> read_header(byte_span bytes, std::uint64_t base_offset = mpq::prefix_bytes);

// In the encoding of `what`; parses to an equal header. invalid_argument if a number does not fit the beta's
// fields or the signature is longer than 255 bytes.
result<byte_vector> write_header(const header& what);

// Loops per second at the speed "Normal".
inline constexpr double loops_per_game_second = 16.0;

}  // namespace tickreel::sc2replay
