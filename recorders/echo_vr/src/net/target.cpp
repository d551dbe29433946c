#include "tickreel/echo_vr/target.hpp"

#include <algorithm>

#include "tickreel/net/own_page.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::echo_vr {
namespace {

// RFC 1035: a name has at most 253 characters.
constexpr std::size_t max_host_characters = 253;

bool is_host_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
         c == '_';
}

// Also '%', which separates the zone of a link-local address.
bool is_address_character(char c) noexcept {
  return is_host_character(c) || c == ':' || c == '%';
}

// Parses the text, and remembers the position for the error's offset.
struct cursor {
  std::string_view text;
  std::size_t at = 0;

  [[nodiscard]] bool at_end() const noexcept { return at == text.size(); }
  [[nodiscard]] bool take(std::string_view expected) noexcept {
    if (!text.substr(at).starts_with(expected)) return false;
    at += expected.size();
    return true;
  }
  void skip_spaces() noexcept {
    while (!at_end() && text[at] == ' ') ++at;
  }
  template <class Accept>
  [[nodiscard]] std::string_view take_while(Accept accept) noexcept {
    const std::size_t begin = at;
    while (!at_end() && accept(text[at])) ++at;
    return text.substr(begin, at - begin);
  }
  [[nodiscard]] tl::unexpected<error> wrong(const char* detail) const noexcept {
    return fail(error_code::invalid_argument, at, detail);
  }
};

result<std::uint16_t> take_port(cursor& from) {
  const std::size_t begin = from.at;
  const std::string_view digits = from.take_while([](char c) { return c >= '0' && c <= '9'; });
  if (const auto port = text::parse_number<std::uint16_t>(digits); port && *port != 0) return *port;
  from.at = begin;
  return from.wrong("a port is a number from 1 to 65535");
}

result<std::string> take_host(cursor& from) {
  const std::size_t begin = from.at;
  std::string_view host;
  if (from.take("[")) {
    host = from.take_while(is_address_character);
    if (!from.take("]")) return from.wrong("']' is missing after an IPv6 address");
    if (host.find(':') == std::string_view::npos) {
      from.at = begin;
      return from.wrong("brackets are for IPv6 addresses");
    }
  } else {
    host = from.take_while(is_host_character);
  }
  if (host.empty() || host.size() > max_host_characters) {
    from.at = begin;
    return from.wrong(host.empty() ? "a host name or address is missing" : "the host name is too long");
  }
  return std::string(host);
}

result<void> take_item(cursor& from, std::vector<target>& targets) {
  (void)from.take("http://");
  result<std::string> host = take_host(from);
  if (!host) return fail(host.error());
  std::uint16_t first = default_port;
  std::uint16_t last = default_port;
  if (from.take(":")) {
    const result<std::uint16_t> port = take_port(from);
    if (!port) return fail(port.error());
    first = last = *port;
    if (from.take("-")) {
      const std::size_t begin = from.at;
      const result<std::uint16_t> end = take_port(from);
      if (!end) return fail(end.error());
      last = *end;
      if (last < first)
        return fail(error_code::invalid_argument, begin, "a port range ends before it begins");
    }
  }
  // As copied from a browser.
  if (from.take("/") && !from.take("session")) (void)from.take("player_bones");
  for (std::uint32_t port = first; port <= last; ++port) {
    target named{*host, static_cast<std::uint16_t>(port)};
    if (std::find(targets.begin(), targets.end(), named) != targets.end()) continue;
    if (targets.size() == max_targets) {
      return fail(error_code::over_limit, from.at, "more than {} targets",
                  static_cast<std::int64_t>(max_targets));
    }
    targets.push_back(std::move(named));
  }
  return {};
}

}  // namespace

result<void> parse_targets(std::string_view text, std::vector<target>& targets) {
  std::vector<target> found = targets;
  cursor from{text};
  do {
    from.skip_spaces();
    if (const result<void> item = take_item(from, found); !item) return item;
    from.skip_spaces();
  } while (from.take(","));
  if (!from.at_end()) return from.wrong("expected host, host:port or host:from-to");
  targets = std::move(found);
  return {};
}

std::string to_text(const target& where) {
  return net::host_text(where.host, where.port);
}

}  // namespace tickreel::echo_vr
