// The options of verbs that publish to a broker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "console/options.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/fleet/publish.hpp"

namespace tickreel::cli {

struct publish_arguments {
  std::string url;
  std::int64_t replicas = 1;
  double keep_s = 0;
  std::int64_t keep_bytes = 0;
  bool drop_oldest = false;

  // Settings of a new stream: an existing stream is not changed.
  void add_stream_options(command& app, const std::string& prefix);
  // Reports, and returns no result, for an invalid address or a contradictory environment.
  [[nodiscard]] std::optional<fleet::publish_options> options() const;
};

// Reports an invalid address. `what` is the message's prefix: "--publish".
[[nodiscard]] std::optional<fleet::nats_url> broker_address(const std::string& text, const std::string& what);
// Credentials from the environment. Reports those that cannot be used.
[[nodiscard]] std::optional<fleet::broker_options> broker_login();

}  // namespace tickreel::cli
