#include "tickreel/net/own_page.hpp"

#include <string>

namespace tickreel::net {

bool is_own_host(std::string_view host, std::uint16_t port) {
  const std::string behind = ':' + std::to_string(port);
  return host == "127.0.0.1" + behind || host == "localhost" + behind ||
         (port == 80 && (host == "127.0.0.1" || host == "localhost"));
}

bool is_own_origin(std::string_view origin, std::uint16_t port) {
  constexpr std::string_view scheme = "http://";
  return origin.empty() || (origin.starts_with(scheme) && is_own_host(origin.substr(scheme.size()), port));
}

}  // namespace tickreel::net
