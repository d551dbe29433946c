// Events as sentences.
#pragma once

#include <cstdint>
#include <string>

#include "tickreel/echo/events.hpp"

namespace tickreel::echo {

enum class name_style : std::uint8_t {
  plain,     // by text::shown()
  markdown,  // with a backslash before each punctuation character
};

// The event in one sentence with the names of the players: "Ada stunned Bob". Names cannot change the
// direction of the text around them, nor end its line. Allocates.
[[nodiscard]] std::string sentence(const event& happened, name_style style = name_style::plain);

}  // namespace tickreel::echo
