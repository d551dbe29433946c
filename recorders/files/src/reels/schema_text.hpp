// Describes a struct as text for users and as JSON for programs.
#pragma once

#include <string>

#include "tickreel/describe/schema.hpp"

namespace tickreel::files {

// "world {x: f32, units: entities[512] of unit {health: i32, kind: enumeration (red = 0, green = 1)}}".
// Nested structs are printed down to `levels`; deeper ones as their number of members.
[[nodiscard]] std::string fields_text(const schema& described, unsigned levels = schema_limits{}.max_depth);

// The same as a JSON object; docs/command-line.md lists its members.
[[nodiscard]] std::string fields_json(const schema& described);

}  // namespace tickreel::files
