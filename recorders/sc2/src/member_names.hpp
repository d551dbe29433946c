// The members that the game writes.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tickreel::sc2 {

inline constexpr std::string_view listfile_name = "(listfile)";
inline constexpr std::string_view attributes_name = "(attributes)";

inline constexpr std::array<const char*, 17> known_members = {
    "replay.info",
    "save.jpg",
    "replay.details",
    "replay.initData",
    "replay.attributes.events",
    "replay.game.events",
    "replay.message.events",
    "replay.tracker.events",
    "replay.smartcam.events",
    "replay.sync.events",
    "replay.sync.history",
    "replay.load.info",
    "replay.resumable.events",
    "replay.server.battlelobby",
    "replay.gamemetadata.json",
    "replay.details.backup",
    "replay.initData.backup",
};

// Static text that names a member in errors.
inline const char* static_name(std::string_view name) noexcept {
  if (name == listfile_name) return listfile_name.data();
  if (name == attributes_name) return attributes_name.data();
  const auto found = std::find(known_members.begin(), known_members.end(), name);
  return found == known_members.end() ? "a member of the archive" : *found;
}

}  // namespace tickreel::sc2
