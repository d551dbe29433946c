// The streams of a broker that deliveries need.
#pragma once

#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/publish.hpp"

namespace tickreel::fleet {

// Makes those that do not exist: of a league's records, of statuses, and of work for archivers.
result<void> make_streams(broker& on, const match_subjects& subjects, const publish_options& options);

}  // namespace tickreel::fleet
