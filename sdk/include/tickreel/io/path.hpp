// The path type of all interfaces.
#pragma once

#include <compare>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace tickreel {

namespace detail {

// std::filesystem::path and similar types; this header includes none of them.
template <class Path>
concept spells_utf8 = requires(const Path& path) {
  { path.u8string() } -> std::convertible_to<std::u8string>;
};

}  // namespace detail

// A path in UTF-8, on every system; on systems whose paths are bytes, the unchanged bytes. Text and
// std::filesystem::path convert implicitly; filesystem_path() in filesystem_path.hpp converts back. The class
// accepts any text. Functions that open files reject an empty path, and a path with a zero byte, of which the
// system would only see the beginning, with invalid_argument.
class file_path {
 public:
  file_path() = default;
  file_path(const char* utf8) : utf8_(utf8) {}
  file_path(std::string utf8) noexcept : utf8_(std::move(utf8)) {}
  file_path(std::string_view utf8) : utf8_(utf8) {}
  template <detail::spells_utf8 Path>
  file_path(const Path& path) {
    const std::u8string spelled = path.u8string();
    utf8_.assign(spelled.begin(), spelled.end());
  }

  [[nodiscard]] const std::string& utf8() const noexcept { return utf8_; }
  [[nodiscard]] bool empty() const noexcept { return utf8_.empty(); }

  friend bool operator==(const file_path&, const file_path&) = default;
  friend auto operator<=>(const file_path&, const file_path&) = default;

 private:
  std::string utf8_;
};

// For a file_path only, not for types that convert to it.
template <class Stream, std::same_as<file_path> Path>
auto operator<<(Stream& out, const Path& path) -> decltype(out << path.utf8()) {
  return out << path.utf8();
}

}  // namespace tickreel
