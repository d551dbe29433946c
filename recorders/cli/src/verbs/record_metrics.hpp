// Metrics of a recording session for Prometheus.
#pragma once

#include <string>
#include <vector>

#include "fleet/delivery_watch.hpp"
#include "tickreel/echo_vr/record_session.hpp"

namespace tickreel::cli {

// `folder`: the folder of the recordings; its disk is measured.
[[nodiscard]] std::string record_metrics(const std::vector<echo_vr::target_status>& targets,
                                         const delivery_totals& deliveries, const file_path& folder);

}  // namespace tickreel::cli
