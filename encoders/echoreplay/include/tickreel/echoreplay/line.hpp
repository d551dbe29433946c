// One line of an .echoreplay: time TAB session JSON [TAB bones JSON].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/echo/json.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echoreplay {

// The three columns, pointing into the line.
struct line {
  std::int64_t recorded_time_ms = 0;
  std::string_view session;
  std::string_view bones;  // empty when the column is missing or empty
  bool has_bones_column = false;
};

// Splits a line without its end (a trailing CR is accepted). malformed with an offset inside the line when
// there is no time, no second column or no '{' at its start.
result<line> split_line(std::string_view text) noexcept;

// Parses both JSON columns. An unreadable bones column counts as absent and is reported.
result<echo::parse_report> parse_line(std::string_view text, echo::json_parser& parser, echo::state& out);

// Appends "time TAB session [TAB bones] CR LF".
void append_line(std::int64_t recorded_time_ms, std::string_view session, std::string_view bones,
                 std::string& out);
void append_line(const echo::state& from, std::string& out);

// Readers skip short session columns, which are error replies. 300 is the shorter of the two limits in use.
inline constexpr std::size_t shortest_session = 300;

}  // namespace tickreel::echoreplay
