// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace tickreel::text {

// Escapes text of elements and of attributes with either kind of quotes, in XML and in HTML. Control
// characters become spaces, and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string escaped_markup(std::string_view text);

}  // namespace tickreel::text
