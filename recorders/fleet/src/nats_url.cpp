#include "tickreel/fleet/nats_url.hpp"

#include <cstdlib>
#include <utility>

#include "tickreel/fleet/message.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::fleet {

namespace {

constexpr std::string_view plain_scheme = "nats://";
constexpr std::string_view tls_scheme = "tls://";
constexpr std::string_view url_hex_digits = "0123456789ABCDEF";

int digit(char one) noexcept {
  if (one >= '0' && one <= '9') return one - '0';
  if (one >= 'a' && one <= 'f') return one - 'a' + 10;
  if (one >= 'A' && one <= 'F') return one - 'A' + 10;
  return -1;
}

result<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? digit(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? digit(text[at + 2]) : -1;
    if (high < 0 || low < 0) {
      return fail(error_code::invalid_argument, at, "a '%' in an address must be followed by two digits");
    }
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char one : text) {
    const auto byte = static_cast<unsigned char>(one);
    if (byte > ' ' && byte < 127 && std::string_view("/%?#").find(one) == std::string_view::npos) {
      out += one;
    } else {
      out += {'%', url_hex_digits[byte >> 4u], url_hex_digits[byte & 15u]};
    }
  }
  return out;
}

const char* in_environment(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// An environment variable, and the message if it is not usable.
struct variable {
  const char* name;
  const char* unreadable = "";
  const char* unusable = "";
};

auto refuse(const char* detail) {
  return fail(error_code::invalid_argument, error::no_offset, detail);
}

// The content of the file that a variable names.
result<byte_vector> content_of(const variable& of, std::uint64_t max_bytes) {
  auto bytes = read_whole_file(in_environment(of.name), max_bytes);
  if (bytes) return bytes;
  error why = bytes.error();
  why.detail = of.unreadable;
  return fail(why);
}

// The secret, or the content of the named file. Only one of the two may be set.
result<std::string> secret(const variable& itself, const variable& file) {
  const char* const given = in_environment(itself.name);
  if (given != nullptr && in_environment(file.name) != nullptr) return refuse(itself.unusable);
  if (given != nullptr) return std::string(given);
  if (in_environment(file.name) == nullptr) return std::string();
  auto bytes = content_of(file, 64u << 10);
  if (!bytes) return fail(bytes.error());
  std::string out(as_text(*bytes));
  while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) out.pop_back();
  // The library reads text up to the first zero.
  if (out.empty() || out.find('\0') != std::string::npos) return refuse(file.unusable);
  return out;
}

// A named file, with its required content: for one that is unreadable or has other content, the library's
// errors do not help.
result<file_path> named_file(const variable& of, std::string_view mark) {
  const char* const path = in_environment(of.name);
  if (path == nullptr) return file_path();
  const auto bytes = content_of(of, 1u << 20);
  if (!bytes) return fail(bytes.error());
  if (as_text(*bytes).find(mark) == std::string_view::npos) return refuse(of.unusable);
  return file_path(path);
}

constexpr variable token_itself = {"TICKREEL_NATS_TOKEN", "",
                                   "TICKREEL_NATS_TOKEN and TICKREEL_NATS_TOKEN_FILE: set only one"};
constexpr variable token_file = {"TICKREEL_NATS_TOKEN_FILE", "the file that TICKREEL_NATS_TOKEN_FILE names",
                                 "TICKREEL_NATS_TOKEN_FILE: the file holds no token"};
constexpr variable password_itself = {"TICKREEL_NATS_PASSWORD", "",
                                      "TICKREEL_NATS_PASSWORD and TICKREEL_NATS_PASSWORD_FILE: set only one"};
constexpr variable password_file = {"TICKREEL_NATS_PASSWORD_FILE",
                                    "the file that TICKREEL_NATS_PASSWORD_FILE names",
                                    "TICKREEL_NATS_PASSWORD_FILE: the file holds no password"};
constexpr variable credentials = {
    "TICKREEL_NATS_CREDS", "the file that TICKREEL_NATS_CREDS names",
    "TICKREEL_NATS_CREDS: the file holds no token and key of a user, as 'nsc generate creds' writes them"};
constexpr variable authorities = {"TICKREEL_NATS_CA", "the file that TICKREEL_NATS_CA names",
                                  "TICKREEL_NATS_CA: the file holds no certificate in PEM"};
constexpr variable certificate = {"TICKREEL_NATS_CERT", "the file that TICKREEL_NATS_CERT names",
                                  "TICKREEL_NATS_CERT: the file holds no certificate in PEM"};
constexpr variable private_key = {"TICKREEL_NATS_KEY", "the file that TICKREEL_NATS_KEY names",
                                  "TICKREEL_NATS_KEY: the file holds no private key in PEM"};

// The error in host, host:port or [address]:port; null if there is none.
const char* wrong_with_host(std::string_view host) noexcept {
  for (const char one : host) {
    if (one <= ' ' || one == 127 || one == '?' || one == '#' || one == '%') {
      return "the host in the address of the broker is invalid";
    }
  }
  const bool in_brackets = host.starts_with('[');
  const auto bracket = in_brackets ? host.find(']') : 0;
  if (bracket == std::string_view::npos) return "a '[' in the address of a broker has no ']'";
  const std::string_view rest = in_brackets ? host.substr(bracket + 1) : host;
  const auto colon = rest.find(':');
  if (in_brackets ? bracket == 1 || (colon != 0 && !rest.empty()) : colon == 0 || host.empty()) {
    return "the address of a broker has no host";
  }
  if (colon == std::string_view::npos) return nullptr;
  const std::string_view port = rest.substr(colon + 1);
  if (port.find(':') != std::string_view::npos) {
    return "IPv6 addresses must be in brackets: nats://[::1]:4222";
  }
  return text::parse_number<std::uint16_t>(port).value_or(0) != 0
             ? nullptr
             : "the port in the address of a broker is a number from 1 to 65535";
}

}  // namespace

bool is_nats_url(std::string_view text) noexcept {
  return text.starts_with(plain_scheme) || text.starts_with(tls_scheme);
}

result<nats_url> read_nats_url(std::string_view text) {
  const auto wrong = [](const char* detail) {
    return fail(error_code::invalid_argument, error::no_offset, detail);
  };
  nats_url out;
  if (!is_nats_url(text)) return wrong("the address of a broker is nats://host:port/league/match");
  out.tls = text.starts_with(tls_scheme);
  text.remove_prefix(out.tls ? tls_scheme.size() : plain_scheme.size());
  const auto slash = text.find('/');
  std::string_view hosts = text.substr(0, slash);
  std::string_view path = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
  if (hosts.find('@') != std::string_view::npos) {
    return wrong(
        "credentials belong in the environment, not in the address: TICKREEL_NATS_CREDS and similar "
        "variables");
  }
  while (true) {
    const auto comma = hosts.find(',');
    const std::string_view host = hosts.substr(0, comma);
    if (const char* const fault = wrong_with_host(host)) return wrong(fault);
    if (!out.servers.empty()) out.servers += ',';
    out.servers += out.tls ? tls_scheme : plain_scheme;
    out.servers += host;
    if (comma == std::string_view::npos) break;
    hosts.remove_prefix(comma + 1);
  }
  if (path.ends_with('/')) path.remove_suffix(1);
  if (path.find_first_of("?#") != std::string_view::npos) {
    return wrong("'?' and '#' in the name of a league or a match are written %3F and %23");
  }
  const auto second = path.find('/');
  auto league = percent_decoded(path.substr(0, second));
  if (!league) return fail(league.error());
  out.league = std::move(*league);
  if (second != std::string_view::npos) {
    if (path.find('/', second + 1) != std::string_view::npos) {
      return wrong("the address of a broker names a league and a match; a '/' in their names is written %2F");
    }
    auto match = percent_decoded(path.substr(second + 1));
    if (!match) return fail(match.error());
    if (out.league.empty() || match->empty()) return wrong("the name of a league or a match is empty");
    out.match = std::move(*match);
  }
  return out;
}

std::string to_text(const nats_url& url) {
  std::string out;
  bool first = true;
  std::string_view left = url.servers;
  const std::string_view scheme = url.tls ? tls_scheme : plain_scheme;
  out += scheme;
  while (!left.empty()) {
    const auto comma = left.find(',');
    if (!first) out += ',';
    first = false;
    out += left.substr(scheme.size(), comma == std::string_view::npos ? comma : comma - scheme.size());
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
  }
  for (const std::string* const name : {&url.league, &url.match}) {
    if (name->empty()) continue;
    out += '/';
    out += percent_encoded(*name);
  }
  return out;
}

result<broker_options> broker_options_from_environment() {
  broker_options out;
  struct file {
    variable of;
    std::string_view mark;
    file_path* into;
  };
  for (const file& each : {file{credentials, "NKEY SEED-----", &out.credentials_file},
                           file{authorities, "-----BEGIN ", &out.ca_file},
                           file{certificate, "-----BEGIN ", &out.certificate_file},
                           file{private_key, "PRIVATE KEY-----", &out.key_file}}) {
    auto found = named_file(each.of, each.mark);
    if (!found) return fail(found.error());
    *each.into = std::move(*found);
  }
  if (out.certificate_file.empty() != out.key_file.empty()) {
    return refuse("TICKREEL_NATS_CERT and TICKREEL_NATS_KEY: set both or none");
  }
  auto token = secret(token_itself, token_file);
  if (!token) return fail(token.error());
  out.token = std::move(*token);
  if (const char* const user = in_environment("TICKREEL_NATS_USER")) out.user = user;
  auto password = secret(password_itself, password_file);
  if (!password) return fail(password.error());
  out.password = std::move(*password);
  if (!out.password.empty() && out.user.empty()) {
    return refuse("TICKREEL_NATS_PASSWORD without TICKREEL_NATS_USER: set the user, too");
  }
  if (int{!out.credentials_file.empty()} + int{!out.token.empty()} + int{!out.user.empty()} > 1) {
    return refuse("TICKREEL_NATS_CREDS, TICKREEL_NATS_TOKEN and TICKREEL_NATS_USER: set only one");
  }
  return out;
}

}  // namespace tickreel::fleet
