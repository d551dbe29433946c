// Problems of a replay as sentences.
#pragma once

#include <string>
#include <string_view>

#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::files {

// "replay.initData: ends early at offset 4711 (offset in the member)".
[[nodiscard]] std::string problem_text(const sc2replay::member_problem& problem);
// The same without the offset, for findings with an offset of their own; still names the origin of the
// offset.
[[nodiscard]] std::string problem_text_without_offset(const sc2replay::member_problem& problem);
// For a stream of events that ends early.
[[nodiscard]] std::string stop_text(std::string_view member, const error& what);

}  // namespace tickreel::files
