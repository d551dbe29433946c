// Formatting of numbers and names for a report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"
#include "tickreel/files/statistics.hpp"

namespace tickreel::viewer {

// Escapes a text for an element or an attribute. Texts longer than `most` bytes are truncated, with an
// ellipsis.
[[nodiscard]] std::string safe(std::string_view text, std::size_t most = 300);

[[nodiscard]] std::string number_text(double value);               // at most three decimals
[[nodiscard]] std::string number_text(double value, double step);  // as many as a step needs
[[nodiscard]] std::string time_text(double seconds);               // "2:03", "1:02:03"
[[nodiscard]] std::string size_text(std::uint64_t bytes);

// "top_shot_speed_mps" as "top shot speed, m/s".
[[nodiscard]] std::string label_of(std::string_view name);
[[nodiscard]] std::string text_of(const files::fact& one);

// "mpl_combat_gauss" as "Surge": the name that Echo VR shows. Other names are returned unchanged.
[[nodiscard]] std::string map_title(std::string_view name);

// 1, 2 or 5 times a power of ten: about `count` of them in `range`.
[[nodiscard]] double nice_step(double range, double count);

}  // namespace tickreel::viewer
