// The events of a StarCraft II replay for people and programs: analysis events, and as they are those that
// have no counterpart among them.
#pragma once

#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/analysis_bridge.hpp"
#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::files {

[[nodiscard]] sc2replay::bridge_sources bridge_sources_of(const sc2replay::replay& of) noexcept;

// See recording::events(). Analysis events that name a unit type or an upgrade with a number have its name
// behind it. What cannot be read is added to `losses`.
result<std::uint64_t> sc2_events(const sc2replay::replay& of, const event_query& query,
                                 const std::function<bool(std::string_view)>& each, const monitor& watch,
                                 std::vector<std::string>& losses);

}  // namespace tickreel::files
