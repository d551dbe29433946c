// What is wrong with a member of a StarCraft II replay, as a sentence.
#pragma once

#include <string>
#include <string_view>

#include "tickreel/result.hpp"

namespace tickreel::files {

// Members that cannot be unpacked have errors with their name and the file's offset; all others count in the
// unpacked member.
[[nodiscard]] bool is_unpacking_error(std::string_view member, const error& what) noexcept;

// "replay.details: the data end too early at offset 12 (offset in the member)"; the member's name once.
[[nodiscard]] std::string problem_text(std::string_view member, const error& what);
// The same where the offset stands beside it.
[[nodiscard]] std::string problem_text_without_offset(std::string_view member, const error& what);
// "replay.game.events is read no further: ..."
[[nodiscard]] std::string stop_text(std::string_view member, const error& what);

}  // namespace tickreel::files
