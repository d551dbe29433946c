// JSON Schemas of messages. Viewers read only schemas of objects, without lists of lists and null.
#pragma once

#include <string>
#include <string_view>

namespace tickreel::files {

inline constexpr std::string_view event_schema =
    R"({"title":"tickreel.Event","type":"object","properties":{"tick":{"type":"number"},"type":{"type":"string"}}})";

// Appends the schema of a tick: its members with the types that they have in this one. Empty lists, lists of lists
// and null are left out.
void append_json_schema(std::string_view tick, std::string& out);

}  // namespace tickreel::files
