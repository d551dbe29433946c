// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace tickreel::text {

// For the text of elements and for attributes in either kind of quotes, in XML and in HTML. Control
// characters, which have no place there, become spaces, and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string escaped_markup(std::string_view text);

}  // namespace tickreel::text
