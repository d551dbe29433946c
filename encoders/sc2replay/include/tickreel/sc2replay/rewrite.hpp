// Other texts in a replay's members, everything else as it was. See also rewrite_lobby() in lobby.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/details.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"

namespace tickreel::sc2replay {

// Who a player of replay.details is said to be.
struct player_identity {
  std::string name;
  std::uint64_t toon_id = 0;
};

// `identify` is asked for each player, in their order; an empty optional keeps the player. Fields that this
// library does not know are kept too.
result<byte_vector> rewrite_details(
    byte_span bytes,
    const std::function<std::optional<player_identity>(std::size_t index, const details_player&)>& identify);

// `replace` is asked for every text of every event that has one; an empty optional keeps it. Texts are also
// what the stream keeps as raw bytes, such as a clan's logo. Ticks, users, ids and everything else stay. A
// text that is too long for its field fails with invalid_argument.
using replace_event_text = std::function<std::optional<std::string>(
    const game_event& event, std::string_view field, std::string_view text)>;
// Numbers of a field become 0 where `erase` says so; it is asked by the names of events and fields.
using erase_event_numbers = std::function<bool(std::string_view event, std::string_view field)>;
result<byte_vector> rewrite_game_events(byte_span stream, std::uint32_t base_build,
                                        const replace_event_text& replace,
                                        const erase_event_numbers& erase = {});

// Likewise for chat.
using replace_chat = std::function<std::optional<std::string>(const message& chat)>;
result<byte_vector> rewrite_messages(byte_span stream, std::uint32_t base_build, const replace_chat& replace);

}  // namespace tickreel::sc2replay
