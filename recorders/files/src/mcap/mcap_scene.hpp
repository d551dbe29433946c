// Scenes for the 3D panel of Foxglove and Lichtblick.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "places.hpp"

namespace tickreel::files {

// The JSON Schema of foxglove.SceneUpdate, as far as scene_writer writes it.
[[nodiscard]] std::string scene_schema();

// Writes the places of each tick as a foxglove.SceneUpdate: a sphere and a name for each.
class scene_writer {
 public:
  // Appends a message with all places, and with deletions of those that are gone. False if there is neither.
  bool append(std::uint64_t time_ns, const std::vector<place>& places, std::string& json);

 private:
  std::vector<std::string> shown_;  // ids of the last message, sorted
};

}  // namespace tickreel::files
