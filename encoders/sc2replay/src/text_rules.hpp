// The texts of a replay that stay when it becomes anonymous. An unlisted text is removed.
#pragma once

#include <cstdint>
#include <string_view>

namespace tickreel::sc2replay {

enum class text_rule : std::uint8_t {
  drop,
  name,            // of a user: becomes the new one
  handle,          // likewise; an unknown one gets the id 0
  author_handle,   // of the map: stays unless it is that of a user
  chat,            // becomes "..."
  erased,          // becomes zeros: a clan's logo identifies the clan
  map_text,        // the map's own text: stays unless it shares letters with a name
  word,            // letters, digits and connecting characters: likewise
  cache,           // the game's path of a map, named by its content
  hash,            // of fixed size: stays unless it contains a name
  number,          // a decimal number that is not a person's id
  race,            // one of the three, in any language
  color,           // decimal numbers and commas
  cache_name,      // "Dflt"
  hotkey_profile,  // those of the game itself
};

// `list`: the text's array of structures, as in lobby_text; otherwise empty.
[[nodiscard]] text_rule rule_of_lobby_text(std::string_view list, std::string_view field) noexcept;
[[nodiscard]] text_rule rule_of_event_text(std::string_view event, std::string_view field) noexcept;

// The characters of a text, for rules without further conditions.
[[nodiscard]] bool is_word(std::string_view text) noexcept;
[[nodiscard]] bool is_number(std::string_view text) noexcept;
[[nodiscard]] bool is_color(std::string_view text) noexcept;
[[nodiscard]] bool is_handle(std::string_view text) noexcept;
[[nodiscard]] bool is_cache_path(std::string_view text) noexcept;
[[nodiscard]] bool is_hotkey_profile(std::string_view text) noexcept;

}  // namespace tickreel::sc2replay
