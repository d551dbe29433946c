// JSON whose texts hold bytes that are not UTF-8, or escapes of half a surrogate pair, made readable. The
// grammar of JSON allows the latter, no reader of Unicode does; programs that cut texts write both.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::text {

// Whether an escape \uD800 to \uDFFF is not one half of a pair. Linear, without allocation.
[[nodiscard]] bool has_lone_surrogate(std::string_view json) noexcept;

// Appends `json` with each such escape as \ufffd and each byte that is not UTF-8 as U+FFFD. All else stays
// as it is: what was no JSON in other respects is none afterwards. Returns how many were replaced and puts
// their places in what was appended into `places`, ascending. Linear.
std::size_t append_repaired_json(std::string_view json, std::string& out,
                                 std::vector<std::size_t>* places = nullptr);

}  // namespace tickreel::text
