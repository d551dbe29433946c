// Makes untrusted text safe to display.
#pragma once

#include <string>
#include <string_view>

namespace tickreel::text {

// Whether a character changes the direction of the text around it: U+061C, U+200E, U+200F, U+202A to U+202E,
// U+2066 to U+2069.
[[nodiscard]] bool is_bidi_control(char32_t code) noexcept;

// Removes those and control characters: one line that is displayed in the order it is written in. Bytes that
// are not UTF-8 become U+FFFD.
[[nodiscard]] std::string shown(std::string_view text);

// The same, with a backslash before each ASCII punctuation character: for messages that are interpreted as
// Markdown, so that a name creates no link, spoiler or mention.
[[nodiscard]] std::string shown_in_markdown(std::string_view text);

}  // namespace tickreel::text
