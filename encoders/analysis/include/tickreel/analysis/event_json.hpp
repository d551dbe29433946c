// Events as members of a JSON object, which the caller opens, extends and closes. See append_json().
#pragma once

#include "tickreel/analysis/event.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::analysis {

void append_members(const event& happened, text::json_writer& json);

}  // namespace tickreel::analysis
