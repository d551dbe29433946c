#include "path_steps.hpp"

#include <simdjson.h>

#include <algorithm>
#include <optional>

#include "tickreel/text/json.hpp"

namespace tickreel::viewer {

namespace {

bool is_plain(std::string_view name) noexcept {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char each) {
    return each == '_' || (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') ||
           (each >= 'A' && each <= 'Z');
  });
}

}  // namespace

void append_name(std::string_view name, std::string& path) {
  if (is_plain(name)) {
    if (!path.empty()) path += '.';
    path += name;
    return;
  }
  path += '[';
  text::append_json_text(name, path);
  path += ']';
}

std::vector<step> parse_path(std::string_view path) {
  std::vector<step> steps;
  const auto number = [](std::string_view digits) -> std::optional<std::size_t> {
    std::size_t value = 0;
    if (digits.empty() || digits.size() > 9) return std::nullopt;
    for (const char each : digits) {
      if (each < '0' || each > '9') return std::nullopt;
      value = value * 10 + static_cast<std::size_t>(each - '0');
    }
    return value;
  };
  while (!path.empty()) {
    if (path.starts_with("[\"")) {
      // Up to the quote that no backslash precedes.
      std::size_t end = 2;
      while (end < path.size() && path[end] != '"') end += path[end] == '\\' ? 2u : 1u;
      if (end + 1 >= path.size() || path[end + 1] != ']') return {};
      simdjson::dom::parser parser;
      std::string_view name;
      if (parser.parse(std::string(path.substr(1, end))).get(name) != simdjson::SUCCESS) return {};
      steps.emplace_back(std::string(name));
      path.remove_prefix(end + 2);
    } else if (path.front() == '[') {
      const std::size_t end = path.find(']');
      if (end == std::string_view::npos) return {};
      const auto element = number(path.substr(1, end - 1));
      if (!element) return {};
      steps.emplace_back(*element);
      path.remove_prefix(end + 1);
    } else {
      if (path.front() == '.') path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      if (end == 0) return {};
      const std::string_view name = path.substr(0, end);
      if (const auto element = number(name)) {
        steps.emplace_back(*element);
      } else {
        steps.emplace_back(std::string(name));
      }
      path.remove_prefix(end);
    }
  }
  return steps;
}

}  // namespace tickreel::viewer
