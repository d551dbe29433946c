// The parts of a line that form a shape.
#pragma once

#include <optional>
#include <string_view>

#include "tickreel/echoreplay/json_values.hpp"

namespace tickreel::echoreplay {

struct line_parts {
  std::string_view time;     // including the tab
  std::string_view session;  // between the tabs, unchanged
  std::string_view bones;    // likewise, including further columns
  std::string_view end;      // the line end
};

inline std::optional<line_parts> parts_of(std::string_view line) noexcept {
  line_parts parts;
  std::size_t text = line.size();
  while (text > 0 && (line[text - 1] == '\n' || line[text - 1] == '\r')) --text;
  parts.end = line.substr(text);
  line = line.substr(0, text);
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  parts.time = line.substr(0, tab);
  line.remove_prefix(tab + 1);
  const std::size_t second = std::min(line.find('\t'), line.size());
  parts.session = line.substr(0, second);
  parts.bones = line.substr(second);
  return parts;
}

// Calls visit(path, offset, size) for the values of both JSON columns, offsets in `line`.
template <class Visit>
bool visit_line_values(std::string_view line, const line_parts& parts, Visit&& visit) {
  for (const auto& [column, root] : {std::pair{parts.session, std::uint64_t{1}}, {parts.bones, 2}}) {
    const auto start = static_cast<std::size_t>(column.data() - line.data());
    const bool done = visit_json_values(
        column, root,
        [&](std::uint64_t path, std::size_t offset, std::size_t size) { visit(path, start + offset, size); });
    if (!done) return false;
  }
  return true;
}

}  // namespace tickreel::echoreplay
