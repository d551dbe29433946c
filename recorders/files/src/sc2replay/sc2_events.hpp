// Events of a StarCraft II replay: analysis events, and events without a counterpart among them in their own
// form.
#pragma once

#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/analysis_bridge.hpp"
#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::files {

[[nodiscard]] sc2replay::bridge_sources bridge_sources_of(const sc2replay::replay& of) noexcept;

// See recording::events(). Analysis events that contain the number of a unit type or an upgrade also get its
// name. Unreadable content is added to `losses`.
result<std::uint64_t> sc2_events(const sc2replay::replay& of, const event_query& query,
                                 const std::function<bool(std::string_view)>& each, const monitor& watch,
                                 std::vector<std::string>& losses);

}  // namespace tickreel::files
