// Connects to one server and logs in, within a time limit.
#pragma once

#include <memory>
#include <string>

#include "link.hpp"

namespace tickreel::fleet {

struct logged_in {
  std::unique_ptr<connection_events> events;
  owned_connection connection;
};

// Fails with timed_out after `options.connect`, whatever the server does.
[[nodiscard]] result<logged_in> log_in(const std::string& server, bool tls, const broker_options& options);

}  // namespace tickreel::fleet
