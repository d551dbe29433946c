// Finds games in the local network, such as a headset with an unknown address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tickreel/echo_vr/poller.hpp"
#include "tickreel/echo_vr/target.hpp"

namespace tickreel::echo_vr {

// An IPv4 address of this machine as a number, and the prefix length of its subnet.
struct own_address {
  std::uint32_t address = 0;
  std::uint32_t subnet_bits = 24;
};

// The addresses of active interfaces except the loopback. If the system does not report the subnet's size, 24
// bits.
[[nodiscard]] std::vector<own_address> own_addresses();

inline constexpr std::size_t max_places_to_look = 1024;

// The other addresses of these subnets, without duplicates, the nearest subnet first. Only private ones
// (10/8, 172.16/12, 192.168/16, 169.254/16): other networks must not be scanned. For a subnet of more than
// 256 addresses, the 256 around this machine's; max_places_to_look in total.
[[nodiscard]] std::vector<target> places_near(std::span<const own_address> own,
                                              std::uint16_t port = default_port);

struct find_options {
  std::size_t at_once = 16;
  std::uint32_t connect_timeout_ms = 400;
  std::uint32_t answer_timeout_ms = 1500;
  // Called with the number of scanned addresses and their total; returning false ends the scan.
  std::function<bool(std::size_t, std::size_t)> progress = {};
};

struct found_game {
  target where;
  target_state state = target_state::connecting;
};

// Requests /session from each address once, and returns those that respond like the game, in the order of
// `places`. Blocks the calling thread.
[[nodiscard]] std::vector<found_game> find_games(const std::vector<target>& places,
                                                 const find_options& options = {});

}  // namespace tickreel::echo_vr
