#include "tickreel/fleet/broker.hpp"

namespace tickreel::fleet {

result<void> require_broker() noexcept {
  if (has_broker()) return {};
  return fail(
      error_code::unsupported_operation, error::no_offset,
      "this build has no NATS client: install libnats (scripts/bootstrap --fleet; Debian: libnats-dev) "
      "and build tickreel again");
}

bool is_transient(const error& why) noexcept {
  switch (why.code) {
    case error_code::permission_denied:
    case error_code::unsupported_operation:
    case error_code::invalid_argument:
    case error_code::already_exists:
      return false;
    default:
      return true;
  }
}

}  // namespace tickreel::fleet
