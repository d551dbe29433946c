// The options of whatever publishes to a broker.
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

  // Of the stream that is made: what is there stays as it is.
  void add_stream_options(command& app, const std::string& prefix);
  // Reported where there is no result: an address that is none, an environment that contradicts itself.
  [[nodiscard]] std::optional<fleet::publish_options> options() const;
};

// Reported when it is none. `what` stands in front: "--publish".
[[nodiscard]] std::optional<fleet::nats_url> broker_address(const std::string& text, const std::string& what);
// What the environment says of getting in. Reported when it cannot be used.
[[nodiscard]] std::optional<fleet::broker_options> broker_login();

}  // namespace tickreel::cli
