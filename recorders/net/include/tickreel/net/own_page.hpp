// Who may ask a server of this machine's own pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::net {

// Whether it is an IP address without brackets: "192.168.1.7", "::1".
[[nodiscard]] bool is_address(const std::string& text);

// What a server that others may ask is called besides this machine's own names.
struct served_names {
  bool by_address = false;         // any address written as numbers, which nobody can make to point here
  std::vector<std::string> names;  // as of a proxy in front of it, at any port
};

// Of a Host header: only these are this machine's own page; any other name was made to point here by somebody
// else. Any thread.
[[nodiscard]] bool is_own_host(std::string_view host, std::uint16_t port, const served_names& others = {});
// Of an Origin header, empty where there is none: a program sends none, and a web page cannot help sending
// its own. By an address it is own where the request's Host is that same one, as anybody has some address; by
// https too for names of proxies. Any thread.
[[nodiscard]] bool is_own_origin(std::string_view origin, std::string_view host, std::uint16_t port,
                                 const served_names& others = {});

}  // namespace tickreel::net
