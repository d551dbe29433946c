// Repairs JSON whose texts contain bytes that are not UTF-8, or escapes of half a surrogate pair. JSON's
// grammar permits the latter, but Unicode does not; programs that truncate texts write both.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::text {

// Whether an escape \uD800 to \uDFFF is not one half of a pair. Linear, without allocation.
[[nodiscard]] bool has_lone_surrogate(std::string_view json) noexcept;

// Appends `json` with each such escape as \ufffd and each byte that is not UTF-8 as U+FFFD. All else stays
// unchanged, including other errors. Returns the number of replacements and adds their ascending offsets in
// the appended text to `places`. Linear.
std::size_t append_repaired_json(std::string_view json, std::string& out,
                                 std::vector<std::size_t>* places = nullptr);

}  // namespace tickreel::text
