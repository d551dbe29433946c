#include "tickreel/npc/waypoints.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tickreel/text/ascii.hpp"
#include "tickreel/text/csv.hpp"

namespace tickreel::npc {

namespace {

using value = std::variant<double, std::string>;

std::optional<double> number_of(std::string_view text) {
  const auto number = text::parse_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool has_x_and_y(const waypoint& point) {
  const auto has = [&](std::string_view key) {
    return std::any_of(point.fields.begin(), point.fields.end(), [&](const auto& field) {
      return field.first == key && std::holds_alternative<double>(field.second);
    });
  };
  return has("x") && has("y");
}

tl::expected<waypoint_list, std::string> read_csv(std::string_view text) {
  waypoint_list result;
  std::vector<std::string> names;
  std::vector<std::string> parts;
  std::string_view first_row = text;
  while (first_row.starts_with('#')) {
    const std::size_t end = first_row.find('\n');
    first_row.remove_prefix(end == std::string_view::npos ? first_row.size() : end + 1);
  }
  text::csv_rows rows(text, text::csv_separator(first_row));
  while (rows.next(parts)) {
    const bool empty = parts.size() == 1 && parts.front().empty();
    if (empty || parts.front().starts_with('#')) continue;
    if (names.empty()) {
      if (!number_of(parts.front())) {
        for (const std::string& each : parts) names.push_back(text::to_lower(each));
        continue;
      }
      names = {"x", "y", "z", "heading"};
    }
    waypoint point;
    for (std::size_t i = 0; i < parts.size() && i < names.size(); ++i) {
      if (parts[i].empty()) continue;
      if (const auto number = number_of(parts[i])) {
        point.fields.emplace_back(names[i], *number);
      } else {
        point.fields.emplace_back(names[i], parts[i]);
      }
    }
    if (!has_x_and_y(point))
      return tl::unexpected<std::string>(fmt::format("line {} has no x and y", rows.line()));
    result.push_back(std::move(point));
    if (result.size() > max_waypoints) {
      return tl::unexpected<std::string>(fmt::format("more than {} points", max_waypoints));
    }
  }
  return result;
}

tl::expected<waypoint_list, std::string> read_json(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::element whole;
  if (const auto problem = parser.parse(text.data(), text.size()).get(whole); problem != simdjson::SUCCESS) {
    return tl::unexpected<std::string>(fmt::format("not JSON: {}", simdjson::error_message(problem)));
  }
  simdjson::dom::array list;
  if (whole.get(list) != simdjson::SUCCESS && whole["points"].get(list) != simdjson::SUCCESS &&
      whole["waypoints"].get(list) != simdjson::SUCCESS) {
    return tl::unexpected<std::string>("expected an array of points, or an object with \"points\"");
  }
  waypoint_list result;
  for (const simdjson::dom::element each : list) {
    waypoint point;
    simdjson::dom::array numbers;
    simdjson::dom::object object;
    if (each.get(numbers) == simdjson::SUCCESS) {
      constexpr const char* axes[] = {"x", "y", "z", "heading"};
      std::size_t axis = 0;
      for (const simdjson::dom::element number : numbers) {
        double read = 0;
        if (axis < 4 && number.get(read) == simdjson::SUCCESS) point.fields.emplace_back(axes[axis], read);
        ++axis;
      }
    } else if (each.get(object) == simdjson::SUCCESS) {
      for (const auto field : object) {
        double number = 0;
        std::string_view words;
        if (field.value.get(number) == simdjson::SUCCESS) {
          point.fields.emplace_back(std::string(field.key), number);
        } else if (field.value.get(words) == simdjson::SUCCESS) {
          point.fields.emplace_back(std::string(field.key), std::string(words));
        }
      }
    }
    if (!has_x_and_y(point))
      return tl::unexpected<std::string>(fmt::format("element {} has no x and y", result.size() + 1));
    result.push_back(std::move(point));
    if (result.size() > max_waypoints) {
      return tl::unexpected<std::string>(fmt::format("more than {} points", max_waypoints));
    }
  }
  return result;
}

}  // namespace

tl::expected<waypoint_list, std::string> read_waypoints(std::string_view text) {
  if (text.size() > max_waypoint_bytes) {
    return tl::unexpected<std::string>(fmt::format("longer than {} MB", max_waypoint_bytes >> 20));
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::string_view start = text;
  while (!start.empty() &&
         (start.front() == ' ' || start.front() == '\n' || start.front() == '\r' || start.front() == '\t')) {
    start.remove_prefix(1);
  }
  if (!start.empty() && (start.front() == '[' || start.front() == '{')) return read_json(text);
  return read_csv(text);
}

}  // namespace tickreel::npc
