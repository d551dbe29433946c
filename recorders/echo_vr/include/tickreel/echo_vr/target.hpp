// The games to record: "host", "host:port", "host:from-to".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// The game's default API port.
inline constexpr std::uint16_t default_port = 6721;

// More targets than any machine can serve; catches mistakes such as "host:1-65535".
inline constexpr std::size_t max_targets = 256;

struct target {
  std::string host = "127.0.0.1";
  std::uint16_t port = default_port;
  friend bool operator==(const target&, const target&) = default;
};

// Adds the targets that `text` names to `targets`, without duplicates.
//
//   text  = item { "," item }
//   item  = [ "http://" ] host [ ":" port [ "-" port ] ] [ "/" [ "session" | "player_bones" ] ]
//   host  = name, IPv4 address, or IPv6 address in brackets
//
// Fails with invalid_argument and the offset in `text`, or over_limit beyond max_targets; `targets` is then
// unchanged.
result<void> parse_targets(std::string_view text, std::vector<target>& targets);

// "127.0.0.1:6721", "[::1]:6721".
[[nodiscard]] std::string to_text(const target& where);

}  // namespace tickreel::echo_vr
