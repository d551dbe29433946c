// Who may ask a server of this machine's own pages.
#pragma once

#include <cstdint>
#include <string_view>

namespace tickreel::net {

// Of a Host header: only these are this machine's own page; any other name was made to point here by somebody
// else. Any thread.
[[nodiscard]] bool is_own_host(std::string_view host, std::uint16_t port);
// Of an Origin header, empty where there is none: a program sends none, and a web page cannot help sending
// its own. Any thread.
[[nodiscard]] bool is_own_origin(std::string_view origin, std::uint16_t port);

}  // namespace tickreel::net
