// Events for people.
#pragma once

#include <cstdint>
#include <string>

#include "tickreel/echo/events.hpp"

namespace tickreel::echo {

enum class name_style : std::uint8_t {
  plain,     // as text::shown() gives them
  markdown,  // with a backslash before each punctuation character
};

// What happened, in one sentence with the names of those who took part: "Ada stunned Bob". Names cannot turn
// the text around them, nor end its line. Allocates.
[[nodiscard]] std::string sentence(const event& happened, name_style style = name_style::plain);

}  // namespace tickreel::echo
