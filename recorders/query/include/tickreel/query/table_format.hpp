// Tables as outputs of conversions: the ticks of a recording, with a column for each member.
#pragma once

#include <string_view>

namespace tickreel::query {

// Adds the formats of tables to the list of formats. They are only written: a conversion writes what select_all("ticks")
// selects. Later calls change nothing.
void register_table_formats();

// Whether table_file writes this format, by its name in the list.
[[nodiscard]] bool is_table_format(std::string_view name) noexcept;

}  // namespace tickreel::query
