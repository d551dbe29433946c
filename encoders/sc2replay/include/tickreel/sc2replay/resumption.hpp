// Games that were resumed from a replay: from a tick on, other people may have the players' slots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"

namespace tickreel::sc2replay {

// The person in the slot of a user.
struct person {
  std::string name;      // without clan tag
  std::string clan_tag;  // empty if there is none
  std::string handle;    // "2-S2-1-278321"; may be empty
  bool operator==(const person&) const = default;
};

struct resumption {
  struct taken_user {
    std::uint8_t event_user = 0;  // as in game events and messages, before and after
    person by;
  };
  std::uint64_t tick = 0;
  std::vector<taken_user> users;
};

// The hijack_replay_game events of a stream, in their order; reads until the end or an error.
[[nodiscard]] std::vector<resumption> find_resumptions(byte_span game_events, std::uint32_t base_build);

}  // namespace tickreel::sc2replay
