#include "tickreel/net/own_page.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

namespace tickreel::net {

namespace {

struct host_parts {
  std::string_view name;
  std::string_view port;  // with its colon; empty if absent
};

host_parts parts_of(std::string_view host) noexcept {
  const std::size_t after_address = host.starts_with('[') ? host.find(']') : 0;
  if (after_address == std::string_view::npos) return {host, {}};
  const std::size_t colon = host.find(':', after_address);
  return {host.substr(0, colon), colon == std::string_view::npos ? std::string_view() : host.substr(colon)};
}

bool is_host_address(std::string_view name) {
  const bool is_v6 = name.starts_with('[') && name.ends_with(']');
  const std::string address(is_v6 ? name.substr(1, name.size() - 2) : name);
  return (address.find(':') != std::string::npos) == is_v6 && is_address(address);
}

bool are_same(std::string_view one, std::string_view other) noexcept {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
  };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](char left, char right) { return lower(left) == lower(right); });
}

bool is_named(std::string_view name, const served_names& others) {
  return std::any_of(others.names.begin(), others.names.end(),
                     [name](const std::string& each) { return are_same(each, name); });
}

bool is_port(std::string_view text) noexcept {
  return text.size() > 1 && text.size() <= 6 &&
         text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

bool is_address(const std::string& text) {
  boost::system::error_code wrong;
  const auto address = boost::asio::ip::make_address(text, wrong);
  // Windows also takes short and hexadecimal IPv4 addresses, and IPv6 addresses in brackets with a port.
  return !wrong &&
         (address.is_v4() ? address.to_string() == text : text.find_first_of("[]") == std::string::npos);
}

std::string host_text(const std::string& host, std::uint16_t port) {
  const bool has_colons = host.find(':') != std::string::npos;
  return (has_colons ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

bool is_own_host(std::string_view host, std::uint16_t port, const served_names& others) {
  const auto [name, rest] = parts_of(host);
  const bool is_at_port = rest.empty() ? port == 80 : rest.substr(1) == std::to_string(port);
  if (is_at_port && (name == "127.0.0.1" || name == "localhost")) return true;
  if (is_at_port && others.by_address && is_host_address(name)) return true;
  return (rest.empty() || is_port(rest)) && is_named(name, others);
}

bool is_own_origin(std::string_view origin, std::string_view host, std::uint16_t port,
                   const served_names& others) {
  constexpr std::string_view scheme = "http://";
  constexpr std::string_view secure = "https://";
  if (origin.empty()) return true;
  if (origin.starts_with(scheme)) {
    const std::string_view from = origin.substr(scheme.size());
    return is_own_host(from, port, {false, others.names}) ||
           (from == host && is_own_host(from, port, others));
  }
  if (!origin.starts_with(secure)) return false;
  // Only a proxy uses https.
  const auto [name, rest] = parts_of(origin.substr(secure.size()));
  return (rest.empty() || is_port(rest)) && is_named(name, others);
}

}  // namespace tickreel::net
