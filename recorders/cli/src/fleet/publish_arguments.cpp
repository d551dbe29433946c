#include "publish_arguments.hpp"

#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "tickreel/fleet/broker.hpp"

namespace tickreel::cli {

void publish_arguments::add_stream_options(command& app, const std::string& prefix) {
  app.add_option(prefix + "replicas", replicas, "Number of broker servers that store the league's stream (1)")
      .check(between(1, 5));
  app.add_option(prefix + "keep", keep_s, "Maximum age of records in the stream: 12h, 30d (unlimited)")
      .check(age_with_unit())
      .check(finite_number())
      .check(between(0.0, 1e9));
  app.add_option(prefix + "keep-bytes", keep_bytes, "Maximum size of the stream: 800M, 50G")
      .check(bytes_with_unit());
  app.add_flag(
      prefix + "drop-oldest", drop_oldest,
      "A full stream discards its oldest records; otherwise new records wait in the recorder's reel");
}

std::optional<fleet::publish_options> publish_arguments::options() const {
  const auto login = broker_login();
  if (!login) return std::nullopt;
  fleet::publish_options out;
  out.broker = *login;
  // A recorder that was stopped still delivers its match.
  out.broker.cancelled = {};
  out.replicas = replicas;
  out.keep_for = std::chrono::seconds(static_cast<std::int64_t>(keep_s));
  out.keep_bytes = keep_bytes > 0 ? keep_bytes : -1;
  out.drop_oldest = drop_oldest;
  return out;
}

std::optional<fleet::nats_url> broker_address(const std::string& text, const std::string& what) {
  auto url = fleet::read_nats_url(text);
  if (!url) {
    (void)report_usage(fmt::format("{}: {}", what, describe(url.error())));
    return std::nullopt;
  }
  for (const std::string* const name : {&url->league, &url->match}) {
    const auto token = name->empty() ? result<std::string>(*name) : fleet::to_token(*name);
    if (token) continue;
    (void)report_usage(fmt::format("{}: {}: {}", what, printable(*name), describe(token.error())));
    return std::nullopt;
  }
  return *url;
}

std::optional<fleet::broker_options> broker_login() {
  if (const auto there = fleet::require_broker(); !there) {
    report_error(describe(there.error()));
    return std::nullopt;
  }
  auto login = fleet::broker_options_from_environment();
  if (!login) {
    report_error("TICKREEL_NATS_*: " + describe(login.error()));
    return std::nullopt;
  }
  login->cancelled = stop_requested;
  return *login;
}

}  // namespace tickreel::cli
