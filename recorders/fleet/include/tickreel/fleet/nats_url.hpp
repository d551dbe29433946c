// Where a broker is, and how one gets in.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

// nats://host:4222,host:4223/league/match: several servers of one cluster, league and match percent-encoded
// where they hold '/', '%', '?' or '#'. tls:// asks for TLS. Who says a user or a password in it is refused:
// they would stand in lists of processes; see broker_options.
struct nats_url {
  std::string servers;  // "nats://host:4222,nats://host:4223", as they are connected to
  bool tls = false;
  std::string league;  // empty where it names none
  std::string match;
};
[[nodiscard]] bool is_nats_url(std::string_view text) noexcept;
[[nodiscard]] result<nats_url> read_nats_url(std::string_view text);
// nats://host:4222/league/match
[[nodiscard]] std::string to_text(const nats_url& url);

struct broker_options {
  std::string client_name = "tickreel";
  std::chrono::milliseconds wait{5000};     // for any answer
  std::chrono::milliseconds connect{3000};  // for the connection
  // At most one way in. A .creds file of a user, or a token, or a user and a password. Neither is ever
  // printed.
  file_path credentials_file;
  std::string token;
  std::string user;
  std::string password;
  // TLS: whom to trust instead of the system's, and who one is.
  file_path ca_file;
  file_path certificate_file;
  file_path key_file;
};

// TICKREEL_NATS_CREDS (a file), TICKREEL_NATS_TOKEN or TICKREEL_NATS_TOKEN_FILE, TICKREEL_NATS_USER with
// TICKREEL_NATS_PASSWORD or TICKREEL_NATS_PASSWORD_FILE; TICKREEL_NATS_CA, TICKREEL_NATS_CERT,
// TICKREEL_NATS_KEY (files). Fails, and says which of them it is about, where a file named there cannot be
// read or is something else, where two ways in are told, or half of one.
[[nodiscard]] result<broker_options> broker_options_from_environment();

}  // namespace tickreel::fleet
