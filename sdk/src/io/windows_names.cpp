#include "tickreel/io/windows_names.hpp"

#include <array>
#include <cstddef>

namespace tickreel {

namespace {

bool same_but_for_case(std::string_view text, std::string_view lower) noexcept {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    const char small = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
    if (small != lower[i]) return false;
  }
  return true;
}

bool is_letter(char each) noexcept {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
}

const char* objection_to_name(std::string_view name, bool as_written) noexcept {
  if (name.empty() || name == "." || name == "..") return nullptr;
  for (const char each : name) {
    if (static_cast<unsigned char>(each) < 0x20) return "Windows has no control characters in file names";
    if (std::string_view("<>:\"|?*").find(each) != std::string_view::npos) {
      return R"(Windows has no < > : " | ? * in file names)";
    }
  }
  // After \\?\ a name is not interpreted.
  if (as_written) return nullptr;
  if (is_windows_device(name)) return "Windows keeps this name for a device";
  if (name.back() == '.' || name.back() == ' ')
    return "Windows drops the point or space at the end of a name";
  return nullptr;
}

}  // namespace

// https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
bool is_windows_device(std::string_view name) noexcept {
  name = name.substr(0, name.find('.'));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  constexpr std::array<std::string_view, 6> devices = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  for (const std::string_view each : devices) {
    if (same_but_for_case(name, each)) return true;
  }
  if (name.size() < 4) return false;
  if (!same_but_for_case(name.substr(0, 3), "com") && !same_but_for_case(name.substr(0, 3), "lpt"))
    return false;
  const std::string_view port = name.substr(3);
  const bool digit = port.size() == 1 && port[0] >= '0' && port[0] <= '9';
  return digit || port == "\xc2\xb9" || port == "\xc2\xb2" || port == "\xc2\xb3";  // superscripts 1 to 3
}

const char* windows_objection(std::string_view path) noexcept {
  if (path.starts_with(R"(\\.\)")) return "Windows takes this path for a device";
  const bool as_written = path.starts_with(R"(\\?\)");
  if (as_written) path.remove_prefix(4);
  if (path.size() >= 2 && path[1] == ':' && is_letter(path[0])) path.remove_prefix(2);
  while (!path.empty()) {
    const std::size_t end = path.find_first_of("/\\");
    if (const char* const why = objection_to_name(path.substr(0, end), as_written)) return why;
    if (end == std::string_view::npos) break;
    path.remove_prefix(end + 1);
  }
  return nullptr;
}

// Each text of windows_objection() begins like this, and no other detail does.
bool is_windows_objection(const error& what) noexcept {
  return what.detail != nullptr && std::string_view(what.detail).starts_with("Windows ");
}

}  // namespace tickreel
