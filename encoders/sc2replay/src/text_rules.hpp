// Which texts of a replay may stay when it becomes anonymous. A text that no row names goes.
#pragma once

#include <cstdint>
#include <string_view>

namespace tickreel::sc2replay {

enum class text_rule : std::uint8_t {
  drop,
  name,            // of a user: becomes the neutral one
  handle,          // likewise; one that nobody here has becomes that of nobody
  author_handle,   // of the map: stays unless it is that of a user
  chat,            // becomes "..."
  erased,          // as many zeros: a clan's logo tells the clan
  map_text,        // the map's own words: stay unless they share something with a name
  word,            // letters, digits and what joins them: likewise
  cache,           // where the game keeps a map, named by its content
  hash,            // of fixed size: stays unless a name stands in it
  number,          // a decimal number that is nobody's id
  race,            // one of the three, in any language
  color,           // decimal numbers and commas
  cache_name,      // "Dflt"
  hotkey_profile,  // those that the game comes with
};

// `list`: the array of structures that the text stands in, as lobby_text has it; else empty.
[[nodiscard]] text_rule rule_of_lobby_text(std::string_view list, std::string_view field) noexcept;
[[nodiscard]] text_rule rule_of_event_text(std::string_view event, std::string_view field) noexcept;

// What a text consists of, for those rules that ask no more.
[[nodiscard]] bool is_word(std::string_view text) noexcept;
[[nodiscard]] bool is_number(std::string_view text) noexcept;
[[nodiscard]] bool is_color(std::string_view text) noexcept;
[[nodiscard]] bool is_handle(std::string_view text) noexcept;
[[nodiscard]] bool is_cache_path(std::string_view text) noexcept;
[[nodiscard]] bool is_hotkey_profile(std::string_view text) noexcept;

}  // namespace tickreel::sc2replay
