// The positions of the single values of a JSON text, and their paths.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tickreel::echoreplay {

[[nodiscard]] constexpr std::uint64_t path_step(std::uint64_t path, std::uint64_t step) noexcept {
  path = (path ^ step) * 0x9E3779B97F4A7C15u;
  return path ^ (path >> 29);
}

[[nodiscard]] constexpr std::uint64_t path_step(std::uint64_t path, std::string_view key) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char each : key) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001B3u;
  return path_step(path, hash | 1);
}

// A path for messages: teams[0].players[1].name.
struct json_path {
  std::string text;
};

[[nodiscard]] inline json_path path_step(const json_path& path, std::uint64_t step) {
  return {path.text + '[' + std::to_string(step / 2) + ']'};
}

[[nodiscard]] inline json_path path_step(const json_path& path, std::string_view key) {
  if (key.size() >= 2) key = key.substr(1, key.size() - 2);
  return {path.text + (path.text.empty() ? "" : ".") + std::string(key)};
}

[[nodiscard]] constexpr bool ends_json_scalar(char c) noexcept {
  return c == ',' || c == '}' || c == ']' || c == ':' || c == '{' || c == '[' || c == '"' || c == ' ' ||
         c == '\t' || c == '\r' || c == '\n';
}

// The bytes of the text, number or literal at the beginning; 0 if none begins there. A text without an end has all.
[[nodiscard]] constexpr std::size_t json_scalar_size(std::string_view json) noexcept {
  std::size_t end = 0;
  if (json.starts_with('"')) {
    for (++end; end < json.size() && json[end] != '"';) end += json[end] == '\\' ? 2u : 1u;
    return end < json.size() ? end + 1 : json.size();
  }
  while (end < json.size() && !ends_json_scalar(json[end])) ++end;
  return end;
}

// Calls visit(path, offset, size) for each text, number and literal that is a value, in order; keys of a path
// include their quotes. Accepts any text: invalid JSON also yields values and paths, which are the same each
// time. False if it is nested deeper than any response of the API. `root` is a json_path, or a number if
// paths are only compared.
template <class Path, class Visit>
bool visit_json_values(std::string_view json, const Path& root, Visit&& visit) {
  struct level {
    Path path{};
    std::uint64_t index = 0;  // in an array
    Path key{};               // in an object: the path of the last key
    bool is_object = false;
    bool wants_key = false;
  };
  std::array<level, 32> levels{};
  levels[0].path = levels[0].key = root;
  std::size_t depth = 0;
  const auto here = [&]() -> Path {
    const level& at = levels[depth];
    return depth == 0 ? root : at.is_object ? at.key : path_step(at.path, at.index * 2);
  };
  std::size_t i = 0;
  while (i < json.size()) {
    const char c = json[i];
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
      case ':':
        ++i;
        break;
      case '{':
      case '[': {
        const Path path = here();
        if (++depth == levels.size()) return false;
        levels[depth] = {path, 0, path, c == '{', c == '{'};
        ++i;
        break;
      }
      case '}':
      case ']':
        if (depth > 0) --depth;
        ++i;
        break;
      case ',':
        ++levels[depth].index;
        levels[depth].wants_key = levels[depth].is_object;
        ++i;
        break;
      case '"': {
        const std::size_t end = i + json_scalar_size(json.substr(i));
        level& at = levels[depth];
        if (at.wants_key) {
          at.key = path_step(at.path, json.substr(i, end - i));
          at.wants_key = false;
        } else {
          visit(here(), i, end - i);
        }
        i = end;
        break;
      }
      default: {
        const std::size_t end = i + json_scalar_size(json.substr(i));
        visit(here(), i, end - i);
        i = end;
      }
    }
  }
  return true;
}

}  // namespace tickreel::echoreplay
