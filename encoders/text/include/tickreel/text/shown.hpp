// Text that strangers chose, as it is shown to people.
#pragma once

#include <string>
#include <string_view>

namespace tickreel::text {

// Whether a character changes the direction of the text around it: U+061C, U+200E, U+200F, U+202A to U+202E,
// U+2066 to U+2069.
[[nodiscard]] bool is_bidi_control(char32_t code) noexcept;

// Without those and without control characters: one line that shows in the order it is written in. What is
// not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string shown(std::string_view text);

// The same, with a backslash before each ASCII punctuation character: for messages that are read as Markdown,
// so that a name makes no link, spoiler or mention.
[[nodiscard]] std::string shown_in_markdown(std::string_view text);

}  // namespace tickreel::text
