// Restricts a server to this machine's own pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::net {

// Whether it is an IP address without brackets: "192.168.1.7", "::1".
[[nodiscard]] bool is_address(const std::string& text);

// As in an address of HTTP: "127.0.0.1:80", "[::1]:80".
[[nodiscard]] std::string host_text(const std::string& host, std::uint16_t port);

// Additional names of a server that other machines may use.
struct served_names {
  bool by_address = false;         // any numeric address, which a foreign web page cannot fake
  std::vector<std::string> names;  // for example of a proxy in front of it, at any port
};

// Checks a Host header: only this machine's own names; a foreign name may have been pointed here (DNS
// rebinding). Any thread.
[[nodiscard]] bool is_own_host(std::string_view host, std::uint16_t port, const served_names& others = {});
// Checks an Origin header, empty if absent: programs send none, and web pages always send their own. A
// numeric address is accepted only if it equals the request's Host, because any page may have a numeric
// address; for names of proxies https is accepted too. Any thread.
[[nodiscard]] bool is_own_origin(std::string_view origin, std::string_view host, std::uint16_t port,
                                 const served_names& others = {});

}  // namespace tickreel::net
