// Replaces texts in a replay's members; everything else stays. See also rewrite_lobby() in lobby.hpp.
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

// The new identity of a player in replay.details.
struct player_identity {
  std::string name;
  std::uint64_t toon_id = 0;
};

// `identify` is called for each player, in their order; an empty optional keeps the player. Unknown fields
// are kept too.
result<byte_vector> rewrite_details(
    byte_span bytes,
    const std::function<std::optional<player_identity>(std::size_t index, const details_player&)>& identify);

// `replace` is called for every text of every event; an empty optional keeps it. Texts include raw bytes,
// such as a clan's logo. Ticks, users, ids and everything else stay. A text that is too long for its field
// fails with invalid_argument.
using replace_event_text = std::function<std::optional<std::string>(
    const game_event& event, std::string_view field, std::string_view text)>;
// Numbers of a field become 0 if `erase` returns true for the names of event and field.
using erase_event_numbers = std::function<bool(std::string_view event, std::string_view field)>;
result<byte_vector> rewrite_game_events(byte_span stream, std::uint32_t base_build,
                                        const replace_event_text& replace,
                                        const erase_event_numbers& erase = {});

// Likewise for chat.
using replace_chat = std::function<std::optional<std::string>(const message& chat)>;
result<byte_vector> rewrite_messages(byte_span stream, std::uint32_t base_build, const replace_chat& replace);

}  // namespace tickreel::sc2replay
