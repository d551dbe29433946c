// Looks for games in the local network: a headset whose address nobody knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tickreel/echo_vr/poller.hpp"
#include "tickreel/echo_vr/target.hpp"

namespace tickreel::echo_vr {

// An address of this machine, IPv4 as a number, and how many of its first bits are the subnet's.
struct own_address {
  std::uint32_t address = 0;
  std::uint32_t subnet_bits = 24;
};

// Of the interfaces that are up, but for the loopback. Where the system does not tell the subnet's size, 24
// bits.
[[nodiscard]] std::vector<own_address> own_addresses();

inline constexpr std::size_t max_places_to_look = 1024;

// The other addresses of these subnets, each once, the nearest subnet first. Only private ones (10/8,
// 172.16/12, 192.168/16, 169.254/16): other networks are nobody's to search. Of a subnet of more than 256
// addresses the 256 around the own one; max_places_to_look in all.
[[nodiscard]] std::vector<target> places_near(std::span<const own_address> own,
                                              std::uint16_t port = default_port);

struct find_options {
  std::size_t at_once = 16;
  std::uint32_t connect_timeout_ms = 400;
  std::uint32_t answer_timeout_ms = 1500;
  // Called with how many places were looked at and how many there are; false ends the search.
  std::function<bool(std::size_t, std::size_t)> progress = {};
};

struct found_game {
  target where;
  target_state state = target_state::connecting;
};

// Asks each place once for /session, and returns those that answer as the game does, in the order of
// `places`. Takes as long as that takes, on the calling thread.
[[nodiscard]] std::vector<found_game> find_games(const std::vector<target>& places,
                                                 const find_options& options = {});

}  // namespace tickreel::echo_vr
