// What a described struct is, for people and for their programs.
#pragma once

#include <string>

#include "tickreel/describe/schema.hpp"

namespace tickreel::files {

// "world {x: f32, units: entities[512] of unit {health: i32, kind: enumeration (red = 0, green = 1)}}".
// Structs within structs are shown as deep as `levels` says, then by how many members they have.
[[nodiscard]] std::string fields_text(const schema& described, unsigned levels = schema_limits{}.max_depth);

// The same as a JSON object; docs/command-line.md has its members.
[[nodiscard]] std::string fields_json(const schema& described);

}  // namespace tickreel::files
