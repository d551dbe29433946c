// The address of a broker, and credentials.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

// nats://host:4222,host:4223/league/match: several servers of one cluster; league and match are
// percent-encoded if they contain '/', '%', '?' or '#'. tls:// requires TLS. An address with a user or a
// password is refused, because process lists would show it; see broker_options.
struct nats_url {
  std::string servers;  // "nats://host:4222,nats://host:4223", as passed to the library
  bool tls = false;
  std::string league;  // empty if the address has none
  std::string match;
};
[[nodiscard]] bool is_nats_url(std::string_view text) noexcept;
[[nodiscard]] result<nats_url> read_nats_url(std::string_view text);
// nats://host:4222/league/match
[[nodiscard]] std::string to_text(const nats_url& url);

struct broker_options {
  std::string client_name = "tickreel";
  std::chrono::milliseconds wait{5000};     // of any response
  std::chrono::milliseconds connect{3000};  // of the connection to one server, with its login
  // At most one kind of credentials: a .creds file, a token, or a user and a password. They are never
  // printed.
  file_path credentials_file;
  std::string token;
  std::string user;
  std::string password;
  // TLS: the trusted authorities, and the client certificate.
  file_path ca_file;
  file_path certificate_file;
  file_path key_file;
  // Polled while connecting: if it returns true, broker::connect() fails with interrupted.
  std::function<bool()> cancelled = {};
};

// Reads TICKREEL_NATS_CREDS (a file), TICKREEL_NATS_TOKEN or TICKREEL_NATS_TOKEN_FILE, TICKREEL_NATS_USER
// with TICKREEL_NATS_PASSWORD or TICKREEL_NATS_PASSWORD_FILE; TICKREEL_NATS_CA, TICKREEL_NATS_CERT,
// TICKREEL_NATS_KEY (files). Fails, and names the variable, if a file cannot be read or has other content, or
// if credentials are incomplete or of two kinds.
[[nodiscard]] result<broker_options> broker_options_from_environment();

}  // namespace tickreel::fleet
